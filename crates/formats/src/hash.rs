//! Names for contents: SHA-256 in lower-case hexadecimal.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Hash of raw bytes, e.g. of a corpus.
pub fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Hash of a word list: for each word its length in bytes (u64, little-endian) and the bytes.
pub fn of_words<S: AsRef<str>>(words: &[S]) -> String {
    let mut h = Sha256::new();
    for w in words {
        text(&mut h, w.as_ref());
    }
    hex(&h.finalize())
}

/// Hash of weights, independent of the file that they came in: in the order given (callers sort by name) for each tensor its
/// name (length and bytes, as in [`of_words`]), the number of dimensions and each size (u64), and the numbers as f32, all
/// little-endian. A model stored in f16 is hashed as the f32 numbers that its f16 numbers stand for.
pub fn of_tensors<'a>(
    tensors: impl IntoIterator<Item = (&'a str, &'a [usize], &'a [f32])>,
) -> String {
    let (mut h, mut bytes) = (Sha256::new(), Vec::new());
    for (name, shape, data) in tensors {
        text(&mut h, name);
        h.update((shape.len() as u64).to_le_bytes());
        for &n in shape {
            h.update((n as u64).to_le_bytes());
        }
        for part in data.chunks(4096) {
            bytes.clear();
            bytes.extend(part.iter().flat_map(|x| x.to_le_bytes()));
            h.update(&bytes);
        }
    }
    hex(&h.finalize())
}

fn text(h: &mut Sha256, s: &str) {
    h.update((s.len() as u64).to_le_bytes());
    h.update(s.as_bytes());
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut s, b| {
        // writing to a String cannot fail
        let _ = write!(s, "{b:02x}");
        s
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digest() {
        // FIPS 180-4, example "abc"
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of_bytes(b"abc"), abc);
    }

    #[test]
    fn boundaries_matter() {
        assert_ne!(of_words(&["ab", "c"]), of_words(&["a", "bc"]));
        let data = [1.0f32, 2.0];
        let a = of_tensors([("x", &[1usize, 2][..], &data[..])]);
        assert_ne!(a, of_tensors([("x", &[2usize, 1][..], &data[..])]));
        assert_ne!(a, of_tensors([("y", &[1usize, 2][..], &data[..])]));
    }
}
