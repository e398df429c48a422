//! Code spans (CommonMark 6.1), over line ends.

use std::ops::Range;

/// A code span: the range of its content, and of the whole with its backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodeSpan {
    pub(super) whole: Range<usize>,
    pub(super) content: Range<usize>,
}

/// The code spans of `text` from `range`, in order. A run of backticks opens one if a run of the same length follows;
/// the look-ahead is one pass, from the end backwards, so that many unmatched runs cost nothing.
pub(super) fn code_spans(text: &str, range: Range<usize>) -> Vec<CodeSpan> {
    let bytes = text.as_bytes();
    let mut runs: Vec<(usize, usize, bool)> = Vec::new();
    let mut at = range.start;
    while at < range.end {
        match bytes[at] {
            b'`' => {
                let len = bytes[at..range.end].iter().take_while(|byte| **byte == b'`').count();
                let escaped =
                    bytes[range.start..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
                runs.push((at, len, escaped));
                at += len;
            }
            _ => at += 1,
        }
    }
    let mut next: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
    let mut partner = vec![None; runs.len()];
    for (index, (_, len, _)) in runs.iter().enumerate().rev() {
        partner[index] = next.insert(*len, index);
    }
    let mut found = Vec::new();
    let mut index = 0;
    while index < runs.len() {
        let (start, len, escaped) = runs[index];
        // a backslash takes the meaning from the first backtick of a run only (CommonMark 2.4)
        let (start, len) = if escaped { (start + 1, len - 1) } else { (start, len) };
        let close = if escaped {
            runs[index + 1..].iter().take(64).position(|run| run.1 == len).map(|ahead| index + 1 + ahead)
        } else {
            partner[index]
        };
        match close {
            Some(close) if len > 0 => {
                let end = runs[close].0;
                found.push(CodeSpan { whole: start..end + len, content: start + len..end });
                index = close + 1;
            }
            _ => index += 1,
        }
    }
    found
}
