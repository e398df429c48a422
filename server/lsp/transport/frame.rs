//! Cuts a stream of bytes into frames, and finds the way back after bytes that are no frame.
//!
//! A frame is a header block, of which only `Content-Length` matters, an empty line, and as many bytes as it says (LSP
//! 3.17, "Base Protocol"). Whatever the peer sends, the reader names the fault and goes on with the next frame.

use std::io::{self, BufRead, Read};

/// The longest body that is read, in bytes. A document of the size that we still read takes at most six bytes of JSON
/// for one of its own, with room to spare.
pub(crate) const FRAME_CAP: usize = 64 << 20;
/// The longest header line, in bytes.
const LINE_CAP: u64 = 8 << 10;
/// How much of a frame that could not be read is kept, to tell whether an edit went down with it.
const HEAD_CAP: usize = 64 << 10;
const TOKEN: &[u8] = b"content-length:";

/// What stands next in the stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A body, as many bytes as its header said.
    Body(Vec<u8>),
    /// Something that is no frame.
    Fault(Fault),
}

/// A frame that was not read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What was wrong.
    pub(crate) kind: FaultKind,
    /// The first bytes of what was lost.
    pub(crate) head: Vec<u8>,
}

/// What can be wrong with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The header block has no usable `Content-Length`.
    Header,
    /// What was passed over to find the next header; its header has been reported already.
    Skipped,
    /// The body is longer than [`FRAME_CAP`].
    TooLarge,
    /// The body is no JSON, or not UTF-8.
    NotJson,
    /// The body is a batch, which LSP does not have.
    Batch,
    /// The body is JSON but no JSON-RPC message.
    NotAMessage,
}

/// The frames of a stream.
pub(crate) struct Frames<R> {
    input: R,
    cap: usize,
    /// A header line that was found while looking for the way back.
    ahead: Option<Vec<u8>>,
    /// Whether the place of the next header is unknown.
    lost: bool,
}

enum Line {
    Whole(Vec<u8>),
    TooLong(Vec<u8>),
    End,
}

enum Header {
    Length(usize),
    Other,
    Bad,
}

impl<R: BufRead> Frames<R> {
    /// The frames of `input`, none longer than `cap` bytes.
    pub(crate) fn new(input: R, cap: usize) -> Frames<R> {
        Frames { input, cap, ahead: None, lost: false }
    }

    /// The next frame, or `None` at the end of the stream, in the middle of a frame or not.
    pub(crate) fn next(&mut self) -> io::Result<Option<Frame>> {
        if self.lost {
            let Some(head) = self.find_header()? else { return Ok(None) };
            self.lost = false;
            if head.iter().any(|byte| !byte.is_ascii_whitespace()) {
                return Ok(Some(fault(FaultKind::Skipped, head)));
            }
        }
        let mut length: Option<usize> = None;
        let mut seen = false;
        loop {
            let line = match self.ahead.take() {
                Some(line) => line,
                None => match self.line()? {
                    Line::Whole(line) => line,
                    Line::TooLong(head) => return Ok(Some(self.lose(head))),
                    Line::End => return Ok(None),
                },
            };
            let line = line.trim_ascii();
            if line.is_empty() {
                match length {
                    Some(length) => return self.body(length),
                    None if seen => return Ok(Some(self.lose(Vec::new()))),
                    None => continue,
                }
            }
            seen = true;
            match header(line) {
                Header::Length(new) if length.is_none_or(|old| old == new) => length = Some(new),
                Header::Other => {}
                Header::Length(_) => return Ok(Some(self.lose(Vec::new()))),
                Header::Bad => match find(line) {
                    // A body of unknown length ends where the next header begins, in the middle of a line.
                    Some(at) if at > 0 => {
                        self.ahead = Some(line[at..].to_vec());
                        return Ok(Some(fault(FaultKind::Header, line[..at].to_vec())));
                    }
                    _ => return Ok(Some(self.lose(line.to_vec()))),
                },
            }
        }
    }

    fn lose(&mut self, head: Vec<u8>) -> Frame {
        self.lost = true;
        fault(FaultKind::Header, head)
    }

    fn body(&mut self, length: usize) -> io::Result<Option<Frame>> {
        let keep = if length > self.cap { HEAD_CAP.min(length) } else { length };
        let mut body = Vec::with_capacity(keep.min(1 << 20));
        self.input.by_ref().take(keep as u64).read_to_end(&mut body)?;
        if body.len() < keep {
            return Ok(None);
        }
        if length <= self.cap {
            return Ok(Some(Frame::Body(body)));
        }
        let rest = (length - keep) as u64;
        let skipped = io::copy(&mut self.input.by_ref().take(rest), &mut io::sink())?;
        Ok((skipped == rest).then(|| fault(FaultKind::TooLarge, body)))
    }

    fn line(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        self.input.by_ref().take(LINE_CAP).read_until(b'\n', &mut line)?;
        Ok(match line.last() {
            None => Line::End,
            Some(b'\n') => Line::Whole(line),
            Some(_) if line.len() as u64 == LINE_CAP => Line::TooLong(line),
            Some(_) => Line::End,
        })
    }

    /// Passes over bytes up to the next `Content-Length:` and gives the first of them, or `None` if there is no more.
    fn find_header(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (mut head, mut matched) = (Vec::new(), 0);
        loop {
            let bytes = self.input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let mut used = 0;
            for byte in bytes {
                used += 1;
                if head.len() < HEAD_CAP + TOKEN.len() {
                    head.push(*byte);
                }
                matched = advance(matched, *byte);
                if matched == TOKEN.len() {
                    break;
                }
            }
            self.input.consume(used);
            if matched == TOKEN.len() {
                break;
            }
        }
        let mut line = TOKEN.to_vec();
        match self.line()? {
            Line::Whole(rest) | Line::TooLong(rest) => line.extend(rest),
            Line::End => return Ok(None),
        }
        self.ahead = Some(line);
        if find(&head).is_some() {
            head.truncate(head.len() - TOKEN.len());
        }
        Ok(Some(head))
    }
}

fn fault(kind: FaultKind, head: Vec<u8>) -> Frame {
    Frame::Fault(Fault { kind, head })
}

/// One more byte against [`TOKEN`], of which `matched` bytes have been met. Its first byte does not recur in it, so a
/// mismatch can only begin again with that byte itself.
fn advance(matched: usize, byte: u8) -> usize {
    let byte = byte.to_ascii_lowercase();
    match byte == TOKEN[matched] {
        true => matched + 1,
        false => usize::from(byte == TOKEN[0]),
    }
}

fn find(bytes: &[u8]) -> Option<usize> {
    bytes.windows(TOKEN.len()).position(|window| window.eq_ignore_ascii_case(TOKEN))
}

fn header(line: &[u8]) -> Header {
    let Some(colon) = line.iter().position(|byte| *byte == b':') else { return Header::Bad };
    let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
    if name.is_empty() || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') {
        return Header::Bad;
    }
    if !name.eq_ignore_ascii_case(&TOKEN[..TOKEN.len() - 1]) {
        return Header::Other;
    }
    match std::str::from_utf8(value) {
        Ok(value) if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
            value.parse().map_or(Header::Bad, Header::Length)
        }
        _ => Header::Bad,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream `input`, read to its end with a cap of 16 bytes, as one line per frame.
    fn check(input: &str, expected: &[&str]) {
        // A buffer of three bytes cuts every token at every place.
        let mut frames = Frames::new(io::BufReader::with_capacity(3, input.as_bytes()), 16);
        let mut found = Vec::new();
        while let Some(frame) = frames.next().unwrap() {
            found.push(match frame {
                Frame::Body(body) => String::from_utf8(body).unwrap(),
                Frame::Fault(fault) => format!("{:?} {}", fault.kind, String::from_utf8_lossy(&fault.head)),
            });
        }
        assert_eq!(found, expected, "{input:?}");
    }

    #[test]
    fn frames_follow_each_other() {
        check("", &[]);
        check("Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull", &["{}", "null"]);
        check("content-length:2\n\n{}", &["{}"]);
        check("Content-Type: x; charset=utf-8\r\nCONTENT-LENGTH: 0\r\n\r\n", &[""]);
        check("\r\n\r\nContent-Length: 1\r\n\r\n1", &["1"]);
    }

    #[test]
    fn a_frame_cut_short_is_the_end() {
        check("Content-Length: 3\r\n\r\n{}", &[]);
        check("Content-Length: 3", &[]);
        check("Content-Length: 3\r\n", &[]);
        check("Content-Length: 99\r\n\r\n0123456789", &[]);
    }

    #[test]
    fn the_way_back() {
        let next = "Content-Length: 1\r\n\r\n1";
        check(
            &format!("Content-Length: x\r\n\r\n{{}}{next}"),
            &["Header Content-Length: x", "Skipped \r\n{}", "1"],
        );
        check(&format!("Content-Length: -1\r\n\r\n{next}"), &["Header Content-Length: -1", "1"]);
        check(
            &format!("Content-Type: a\r\n\r\n{{\"c\":\"cont\"}}{next}"),
            &["Header ", "Skipped {\"c\":\"cont\"}", "1"],
        );
        check(&format!("hello\r\n{next}"), &["Header hello", "1"]);
        check(&format!("{{}}{next}"), &["Header {}", "1"]);
        check(&format!("Content-Length: 1\r\nContent-Length: 2\r\n\r\n{next}"), &["Header ", "1"]);
        check(
            &format!("Content-Length: 99999999999999999999999\r\n\r\n{next}"),
            &["Header Content-Length: 99999999999999999999999", "1"],
        );
        check(
            &format!("Content-Length: 17\r\n\r\n0123456789abcdefg{next}"),
            &["TooLarge 0123456789abcdefg", "1"],
        );
    }

    #[test]
    fn a_header_line_has_an_end() {
        let long = "x".repeat(LINE_CAP as usize + 1);
        let mut frames = Frames::new(long.as_bytes(), 16);
        assert!(matches!(frames.next().unwrap(), Some(Frame::Fault(Fault { kind: FaultKind::Header, .. }))));
        assert_eq!(frames.next().unwrap(), None);
    }
}
