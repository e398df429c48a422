//! A `&str` read in place, with a table of its line starts: the path of a file that is read once.

use std::borrow::Cow;

use super::Source;

/// A borrowed text and where its lines start.
#[derive(Clone, Debug)]
pub struct Str<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Str<'a> {
    /// Finds the lines of `text`: they end at LF, CRLF or a lone CR.
    #[must_use]
    pub fn new(text: &'a str) -> Str<'a> {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push(at + 1);
            }
        }
        Str { text, starts }
    }

    /// The whole text.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// Line `line` without its terminator, for as long as the text itself lives. Panics if there is none.
    #[must_use]
    pub fn line_str(&self, line: usize) -> &'a str {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[self.starts[line]..end].trim_end_matches(['\r', '\n'])
    }
}

impl Source for Str<'_> {
    fn line_count(&self) -> usize {
        self.starts.len()
    }
    fn line(&self, line: usize) -> Cow<'_, str> {
        Cow::Borrowed(self.line_str(line))
    }
    fn line_start(&self, line: usize) -> usize {
        self.starts[line]
    }
    fn len(&self) -> usize {
        self.text.len()
    }
}
