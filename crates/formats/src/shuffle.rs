//! Files of half-precision numbers as the page fetches them: the same bytes in an order that compresses better.
//!
//! The high byte of an f16 (sign, exponent) takes few values, the low one many. One after the other they spoil each other's
//! statistics; all of the first kind before all of the second, gzip makes the shipped model a tenth smaller. The trick is the
//! *shuffle filter* of HDF5 (<https://docs.hdfgroup.org/hdf5/v1_14/group___d_c_p_l.html>, `H5Pset_shuffle`).
//!
//! Layout: the eight bytes of [`MAGIC`], then the bytes of the file at 0, 2, 4, …, then those at 1, 3, 5, ….

use std::borrow::Cow;

/// How a shuffled file begins. No safetensors file does: as the length of a header it would be far too large.
pub const MAGIC: &[u8; 8] = b"jlshuf2\n";

/// The shuffled form of a file.
#[must_use]
pub fn shuffle(file: &[u8]) -> Vec<u8> {
    let of = |start: usize| file.iter().skip(start).step_by(2);
    MAGIC.iter().chain(of(0)).chain(of(1)).copied().collect()
}

/// The file as it was; one that is not shuffled as it is. Any bytes have an original, so there is nothing to fail.
#[must_use]
pub fn restore(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(shuffled) = bytes.strip_prefix(MAGIC) else {
        return Cow::Borrowed(bytes);
    };
    let (even, odd) = shuffled.split_at(shuffled.len().div_ceil(2));
    let mut file = vec![0; shuffled.len()];
    for (pair, (even, odd)) in file.chunks_exact_mut(2).zip(even.iter().zip(odd)) {
        pair.copy_from_slice(&[*even, *odd]);
    }
    if let (Some(last), true) = (file.last_mut(), even.len() > odd.len()) {
        *last = even[even.len() - 1];
    }
    Cow::Owned(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn restoring_undoes_shuffling(file in proptest::collection::vec(any::<u8>(), 0..100)) {
            let shuffled = shuffle(&file);
            prop_assert_eq!(shuffled.len(), file.len() + MAGIC.len());
            prop_assert_eq!(restore(&shuffled).into_owned(), file);
        }

        #[test]
        fn other_files_stay_as_they_are(file in proptest::collection::vec(any::<u8>(), 0..100)) {
            prop_assume!(!file.starts_with(MAGIC));
            prop_assert!(matches!(restore(&file), Cow::Borrowed(same) if same == file));
        }
    }

    #[test]
    fn even_bytes_come_first() {
        assert_eq!(shuffle(b"aAbBc"), b"jlshuf2\nabcAB");
    }
}
