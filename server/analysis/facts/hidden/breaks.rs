//! Text behind long runs of breaks and blanks that are written as markup.
//!
//! A page shows `<br>` as a line's end and `&nbsp;` as a blank, whatever the source looks like: enough of them push what
//! stands behind them out of sight as blank lines and spaces do.

use std::ops::Range;

use super::{FAR, Form, NEAR, speaks_to_agent};

/// What is written for a line's end, or for a blank; in either case.
const WRITTEN: [(&str, bool); 16] = [
    ("<br>", true),
    ("<br/>", true),
    ("<br />", true),
    ("<p></p>", true),
    ("&#10;", true),
    ("&#13;", true),
    ("&#xa;", true),
    ("&newline;", true),
    ("&nbsp;", false),
    ("&#160;", false),
    ("&#xa0;", false),
    ("&emsp;", false),
    ("&ensp;", false),
    ("&tab;", false),
    ("&#9;", false),
    ("&#32;", false),
];

/// Looks through `text` for what stands behind such runs.
pub(super) fn scan(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = memchr::memchr2(b'<', b'&', &bytes[at..]).map(|start| at + start) {
        let (mut end, mut lines, mut columns) = (start, 0_usize, 0_usize);
        while let Some((length, line)) = written(&bytes[end..]) {
            (lines, columns) = (lines + usize::from(line), columns + usize::from(!line));
            end += length;
            end += bytes[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
        at = end.max(start + 1);
        if lines < NEAR.0 && columns < NEAR.1 {
            continue;
        }
        let behind = text[end..].trim_end();
        if !behind.is_empty() && (lines >= FAR || columns >= FAR || speaks_to_agent(behind)) {
            let line = behind.find('\n').unwrap_or(behind.len());
            let form = if lines >= NEAR.0 { Form::BlankLines } else { Form::Spaces };
            found.push((end..end + line, form));
        }
    }
}

/// The length of the break or blank that `bytes` begin with, and whether it is a line's end.
fn written(bytes: &[u8]) -> Option<(usize, bool)> {
    let is = |(written, _): &&(&str, bool)| {
        bytes.get(..written.len()).is_some_and(|word| word.eq_ignore_ascii_case(written.as_bytes()))
    };
    WRITTEN.iter().find(is).map(|(written, line)| (written.len(), *line))
}
