//! The parts that an index file is made of.

/// Why an index could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BadIndex {
    /// It is cut short or is no index.
    Broken(&'static str),
    /// It needs an extension that is not read here.
    Unsupported(String),
}

/// The bytes of an index file, taken piece by piece.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], BadIndex> {
        let end = self.at.checked_add(count).ok_or(BadIndex::Broken("bad length"))?;
        let taken = self.bytes.get(self.at..end).ok_or(BadIndex::Broken("cut short"))?;
        self.at = end;
        Ok(taken)
    }

    pub(crate) fn word(&mut self) -> Result<u32, BadIndex> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(crate) fn half(&mut self) -> Result<u16, BadIndex> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn until_nul(&mut self) -> Result<&'a [u8], BadIndex> {
        let rest = self.bytes.get(self.at..).ok_or(BadIndex::Broken("cut short"))?;
        let length =
            rest.iter().position(|byte| *byte == 0).ok_or(BadIndex::Broken("cut short"))?;
        self.at += length + 1;
        Ok(&rest[..length])
    }

    /// git's offset encoding, as in packs.
    pub(crate) fn varint(&mut self) -> Result<usize, BadIndex> {
        let mut byte = self.take(1)?[0];
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = self.take(1)?[0];
            value = value
                .checked_add(1)
                .and_then(|value| value.checked_mul(128))
                .and_then(|value| value.checked_add(usize::from(byte & 0x7f)))
                .ok_or(BadIndex::Broken("bad length"))?;
        }
        Ok(value)
    }

    /// Extensions that start with a capital may be passed over; `sdir` (a sparse index) only says
    /// that folders can be entries. The last 20 bytes are a checksum.
    pub(crate) fn extensions(&mut self) -> Result<(), BadIndex> {
        while self.at + 28 <= self.bytes.len() {
            let name = self.take(4)?;
            let size = self.word()? as usize;
            match name {
                b"link" => return Err(BadIndex::Unsupported("split index".to_owned())),
                b"sdir" => {}
                _ if name[0].is_ascii_uppercase() => {}
                _ => {
                    let name = String::from_utf8_lossy(name);
                    return Err(BadIndex::Unsupported(format!("index extension {name}")));
                }
            }
            self.take(size)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index_file::IndexFile;

    fn index(version: u32, count: u32, rest: &[u8]) -> Vec<u8> {
        [b"DIRC", &version.to_be_bytes()[..], &count.to_be_bytes()[..], rest].concat()
    }

    #[test]
    fn what_is_no_index_is_said_so() {
        let check = |bytes: &[u8], expected: BadIndex| {
            assert_eq!(IndexFile::read(bytes, (0, 0)).map(drop), Err(expected));
        };
        check(b"", BadIndex::Broken("cut short"));
        check(b"PACKxxxxyyyy", BadIndex::Broken("no index file"));
        check(&index(9, 0, b""), BadIndex::Unsupported("index version 9".to_owned()));
        check(&index(2, u32::MAX, b""), BadIndex::Broken("cut short"));
        let extension = |name: &[u8]| index(2, 0, &[name, &[0; 4], &[0; 20]].concat());
        check(&extension(b"link"), BadIndex::Unsupported("split index".to_owned()));
        check(&extension(b"abcd"), BadIndex::Unsupported("index extension abcd".to_owned()));
        assert!(IndexFile::read(&extension(b"ABCD"), (0, 0)).is_ok());
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            version in 2_u32..5,
            count in 0_u32..4,
            rest in proptest::collection::vec(any::<u8>(), 0..400),
        ) {
            // Whatever comes of it, it comes without a panic and within the bytes there are.
            let read = IndexFile::read(&index(version, count, &rest), (0, 0));
            prop_assert!(read.is_err() || read.is_ok_and(|it| it.entries().len() == count as usize));
        }
    }
}
