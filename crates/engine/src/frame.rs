//! Messages as bytes: `"JL"`, protocol version (u16), payload length (u32), payload (postcard); little-endian.
//!
//! Page and worker are built together, so the version only catches a stale file in some cache; the length catches a cut message.

use crate::error::{Error, Result};
use postcard::ser_flavors::{AllocVec, Flavor};
use serde::{Serialize, de::DeserializeOwned};

/// Raise it whenever [`crate::protocol`] changes its shape.
pub const VERSION: u16 = 1;
const MAGIC: [u8; 2] = *b"JL";
const HEADER: usize = 8;

/// A message as bytes.
///
/// # Errors
/// [`Error::Encode`], [`Error::Length`] for a message of 4 GiB or more.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>> {
    let mut out = AllocVec::new();
    out.try_extend(&[0; HEADER]).map_err(Error::Encode)?;
    let mut bytes = postcard::serialize_with_flavor(message, out).map_err(Error::Encode)?;
    let got = bytes.len() - HEADER;
    let length = u32::try_from(got).map_err(|_| Error::Length {
        expected: u32::MAX as usize,
        got,
    })?;
    bytes[..2].copy_from_slice(&MAGIC);
    bytes[2..4].copy_from_slice(&VERSION.to_le_bytes());
    bytes[4..HEADER].copy_from_slice(&length.to_le_bytes());
    Ok(bytes)
}

/// A message from bytes.
///
/// # Errors
/// [`Error::Foreign`], [`Error::Version`], [`Error::Length`], [`Error::Decode`].
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let Some((&[a, b, v0, v1, l0, l1, l2, l3], payload)) = bytes.split_first_chunk::<HEADER>()
    else {
        return Err(Error::Foreign { got: bytes.len() });
    };
    if [a, b] != MAGIC {
        return Err(Error::Foreign { got: bytes.len() });
    }
    let version = u16::from_le_bytes([v0, v1]);
    if version != VERSION {
        return Err(Error::Version {
            expected: VERSION,
            got: version,
        });
    }
    let expected = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    if payload.len() != expected {
        let got = payload.len();
        return Err(Error::Length { expected, got });
    }
    let (message, rest) = postcard::take_from_bytes(payload).map_err(Error::Decode)?;
    if !rest.is_empty() {
        let got = payload.len();
        let expected = got - rest.len();
        return Err(Error::Length { expected, got });
    }
    Ok(message)
}
