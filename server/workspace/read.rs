//! From the bytes of a file to its text, or to why it was not read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Why a file, or a part of the tree, was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// Larger than the limit.
    TooLarge,
    /// Binary by content, though text by its name.
    Binary,
    /// Neither UTF-8 nor UTF-16 with a byte order mark.
    NotText,
    /// It cannot be opened or read, or is no regular file.
    Unreadable,
    /// A link to a place outside the scanned root.
    LinkOutside,
    /// A link that leads nowhere.
    LinkBroken,
    /// The analysis failed on it: a fault of ours.
    Fault,
}

impl SkipReason {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SkipReason::TooLarge => "too-large",
            SkipReason::Binary => "binary",
            SkipReason::NotText => "not-text",
            SkipReason::Unreadable => "unreadable",
            SkipReason::LinkOutside => "link-outside",
            SkipReason::LinkBroken => "link-broken",
            SkipReason::Fault => "fault",
        }
    }

    /// A sentence for a person.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            SkipReason::TooLarge => {
                "Not scanned: the file is larger than 2 MiB, or than `max-file-bytes` of caveat.toml allows. Split it, or exclude it."
            }
            SkipReason::Binary => "Not scanned: named like a text file, but its content is binary.",
            SkipReason::NotText => {
                "Not scanned: the file is neither UTF-8 nor UTF-16 with a byte order mark."
            }
            SkipReason::Unreadable => "Not scanned: this cannot be opened or read.",
            SkipReason::LinkOutside => "Not scanned: a link that leads outside the scanned folder.",
            SkipReason::LinkBroken => "Not scanned: a link that leads nowhere.",
            SkipReason::Fault => "Not scanned: a fault of caveat itself; please report it.",
        }
    }
}

/// Something that was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Why.
    pub reason: SkipReason,
    /// Its size in bytes, where it is known.
    pub bytes: Option<u64>,
}

/// How much of a file's beginning decides whether it is binary: git's figure.
const SNIFF: usize = 8_000;

/// Reads the file at `path`, following links, up to `limit` bytes.
///
/// # Errors
/// It cannot be read, is no regular file, is larger than `limit`, is binary or in no encoding that we read.
pub fn read(path: &Path, limit: u64) -> Result<String, Unread> {
    let unreadable = |_| Unread { reason: SkipReason::Unreadable, bytes: None };
    let meta = path.metadata().map_err(unreadable)?;
    // Opening a pipe or a device could wait for ever.
    if !meta.is_file() {
        return Err(Unread { reason: SkipReason::Unreadable, bytes: None });
    }
    if meta.len() > limit {
        return Err(Unread { reason: SkipReason::TooLarge, bytes: Some(meta.len()) });
    }
    read_from(File::open(path).map_err(unreadable)?, limit)
}

/// Reads `from` to its end, up to `limit` bytes.
///
/// # Errors
/// As [`read`].
pub fn read_from(from: impl Read, limit: u64) -> Result<String, Unread> {
    let mut bytes = Vec::new();
    let read: io::Result<usize> = from.take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|_| Unread { reason: SkipReason::Unreadable, bytes: None })?;
    let size = bytes.len() as u64;
    if size > limit {
        // What was read is at least this much; the true size is not known.
        return Err(Unread { reason: SkipReason::TooLarge, bytes: None });
    }
    decode(bytes).map_err(|reason| Unread { reason, bytes: Some(size) })
}

/// The text that `bytes` are: UTF-8, or UTF-16 where a byte order mark says so. The mark stays as the first character,
/// so that offsets in UTF-8 files are offsets in the file.
///
/// # Errors
/// [`SkipReason::Binary`] or [`SkipReason::NotText`].
pub fn decode(bytes: Vec<u8>) -> Result<String, SkipReason> {
    match bytes.get(..2) {
        // FF FE 00 00 is also UTF-32's mark; read as UTF-16 it begins with a NUL, which no text does.
        Some([0xff, 0xfe]) if bytes.get(2..4) != Some(&[0, 0]) => utf16(&bytes, u16::from_le_bytes),
        Some([0xfe, 0xff]) => utf16(&bytes, u16::from_be_bytes),
        _ if bytes[..bytes.len().min(SNIFF)].contains(&0) => Err(SkipReason::Binary),
        _ => String::from_utf8(bytes).map_err(|_| SkipReason::NotText),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, SkipReason> {
    let pairs = bytes.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err(SkipReason::NotText);
    }
    char::decode_utf16(pairs.map(|pair| unit([pair[0], pair[1]])))
        .collect::<Result<String, _>>()
        .map_err(|_| SkipReason::NotText)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_decoded_or_refused() {
        let le: Vec<u8> = "\u{feff}né 😀".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = "\u{feff}né 😀".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let cases: &[(&[u8], Result<&str, SkipReason>)] = &[
            (b"", Ok("")),
            (b"plain\r\n", Ok("plain\r\n")),
            (b"\xef\xbb\xbfmark", Ok("\u{feff}mark")),
            (&le, Ok("\u{feff}né 😀")),
            (&be, Ok("\u{feff}né 😀")),
            (&le[..le.len() - 1], Err(SkipReason::NotText)),
            (b"\xff\xfe\x00\xd8", Err(SkipReason::NotText)),
            (b"\xff\xfe\x00\x00a\x00\x00\x00", Err(SkipReason::Binary)),
            (b"caf\xe9", Err(SkipReason::NotText)),
            (b"PNG\x00\x01", Err(SkipReason::Binary)),
        ];
        for (bytes, expected) in cases {
            assert_eq!(decode(bytes.to_vec()).as_deref().map_err(|e| *e), *expected, "{bytes:?}");
        }
    }

    #[test]
    fn the_limit_is_the_last_size_that_is_read() {
        assert_eq!(read_from(&b"12345"[..], 5).as_deref(), Ok("12345"));
        let over = Unread { reason: SkipReason::TooLarge, bytes: None };
        assert_eq!(read_from(&b"123456"[..], 5), Err(over));
    }
}
