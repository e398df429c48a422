//! The parts of a record's value that are read one by one: paragraphs of a text, logical commands of a script.

use std::ops::Range;

use crate::lines::{Lang, Names, Sub, advance};

/// The most lines, and the most bytes, of a value that are read as one paragraph.
const PARAGRAPH: (usize, usize) = (64, 8 * 1024);

/// The end of what a pattern may reach into behind the byte `end` of `text`: the next lines.
pub(super) fn ahead(text: &str, end: usize, far: usize) -> usize {
    let mut breaks = memchr::memchr_iter(b'\n', &text.as_bytes()[end..]);
    breaks.nth(far).map_or(text.len(), |found| end + found)
}

/// The paragraphs of a value: parted by blank lines, and where they grow too long.
pub(super) fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = at..at + line.trim_end_matches('\n').len();
        at += line.len();
        if line.trim().is_empty() {
            found.extend(open.take().map(|(range, _)| range));
            continue;
        }
        open = Some(match open.take() {
            Some((range, lines)) if lines < PARAGRAPH.0 && content.end - range.start <= PARAGRAPH.1 => {
                (range.start..content.end, lines + 1)
            }
            before => {
                found.extend(before.map(|(range, _)| range));
                (content, 1)
            }
        });
    }
    found.extend(open.map(|(range, _)| range));
    found
}

/// The logical commands of a script, each with the state before it, and whether it stands in a here-document that never
/// ends: what is in that is no data.
pub(super) fn logical(text: &str, lang: Lang) -> Vec<(Range<usize>, Sub, bool)> {
    let mut names = Names::default();
    let mut found: Vec<(Range<usize>, Sub, bool)> = Vec::new();
    let (mut sub, mut at) = (Sub::Fresh, 0);
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        match found.last_mut() {
            Some((range, ..)) if sub.goes_on() => range.end = at + content.len(),
            _ => found.push((at..at + content.len(), sub, false)),
        }
        if lang.continues() {
            sub = advance(sub, lang, content, &mut names);
        }
        at += line.len();
    }
    if let Sub::HereDoc { .. } = sub {
        let inside = |sub: &Sub| matches!(sub, Sub::HereDoc { .. });
        found.iter_mut().rev().take_while(|(_, sub, _)| inside(sub)).for_each(|(.., open)| *open = true);
    }
    found
}
