//! Keeping a part of what a child says.

use crate::Captured;

/// Keeps the first bytes of a stream.
#[derive(Debug)]
pub(crate) struct Head {
    cap: u64,
    kept: Vec<u8>,
    total: u64,
}

impl Head {
    pub(crate) fn new(cap: u64) -> Self {
        Self { cap, kept: Vec::new(), total: 0 }
    }

    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let room = self.cap.saturating_sub(self.total);
        let fits = usize::try_from(room).map_or(bytes.len(), |room| room.min(bytes.len()));
        self.kept.extend_from_slice(&bytes[..fits]);
        self.total += bytes.len() as u64;
    }

    pub(crate) fn finish(mut self) -> Captured {
        let truncated = self.total > self.cap;
        if truncated {
            self.kept.truncate(whole_characters(&self.kept));
        }
        Captured { bytes: self.kept, truncated, total: self.total }
    }
}

/// Keeps the last bytes of a stream.
#[derive(Debug)]
pub(crate) struct Tail {
    cap: usize,
    kept: Vec<u8>,
    cut: bool,
}

impl Tail {
    pub(crate) fn new(cap: usize) -> Self {
        Self { cap, kept: Vec::new(), cut: false }
    }

    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.kept.extend_from_slice(bytes);
        // Cut rarely: each cut moves what stays.
        if self.kept.len() > self.cap.saturating_mul(2).max(1 << 16) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let surplus = self.kept.len().saturating_sub(self.cap);
        self.cut |= surplus > 0;
        self.kept.drain(..surplus);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.cut();
        if self.cut {
            let broken = self.kept.iter().take(3).take_while(|byte| is_continuation(**byte));
            self.kept.drain(..broken.count());
        }
        self.kept
    }
}

/// How many bytes there are before a character that was cut at the end.
///
/// Bytes that are no UTF-8 anyway are left alone.
fn whole_characters(bytes: &[u8]) -> usize {
    let continuations = bytes.iter().rev().take(3).take_while(|byte| is_continuation(**byte));
    let have = continuations.count() + 1;
    let Some(start) = bytes.len().checked_sub(have) else { return bytes.len() };
    let need = match bytes[start] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return bytes.len(),
    };
    if have < need { start } else { bytes.len() }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = "aé✓🦀z".as_bytes();

    #[test]
    fn a_cut_never_splits_a_character() {
        for cap in 0..=TEXT.len() {
            for step in 1..=TEXT.len() {
                let (mut head, mut tail) = (Head::new(cap as u64), Tail::new(cap));
                for piece in TEXT.chunks(step) {
                    head.take(piece);
                    tail.take(piece);
                }
                let (head, tail) = (head.finish(), tail.finish());
                let full = cap == TEXT.len();
                assert_eq!((head.truncated, head.total), (!full, TEXT.len() as u64), "{cap}");
                for (kept, is_part) in
                    [(&head.bytes, TEXT.starts_with(&head.bytes)), (&tail, TEXT.ends_with(&tail))]
                {
                    assert!(is_part && std::str::from_utf8(kept).is_ok(), "{cap} {kept:?}");
                    assert!(kept.len() <= cap && cap - kept.len() < 4, "{cap} {kept:?}");
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_kept_as_they_are() {
        let mut head = Head::new(3);
        head.take(&[0xFF, 0xFE, 0xFF, 0x00]);
        assert_eq!(head.finish().bytes, [0xFF, 0xFE, 0xFF]);
    }

    #[test]
    fn a_long_stream_leaves_its_end() {
        let mut tail = Tail::new(5);
        for _ in 0..100_000 {
            tail.take(b"0123456789");
            assert!(tail.kept.len() <= 1 << 16);
        }
        assert_eq!(tail.finish(), b"56789");
    }
}
