//! Phrases that are taken apart: over entries, cells, headings and paragraphs, comments, values.
//!
//! A model reads over the ends of such parts as over line ends; whoever splits a phrase counts on that. People write short
//! parts, too, but each of theirs is whole. So parts are joined only where one breaks off: it ends in no mark, and it ends
//! in a word that wants another, or the next goes on in small letters. What a part says alone is told there, and what only
//! the join says is a warning.

use std::ops::Range;

use super::{Reading, Unit};
use crate::catalogue::{Own, RuleId, Severity};
use crate::facts::command::Place;
use crate::facts::view::{self, Mapped, Views};
use crate::facts::{Hit, Says, allow, cue, through};
use crate::lines::{Flags, Lexed, LineKind};
use crate::text::Source;

/// The most bytes of a part that is not the last, and of all together.
const LONGEST: (usize, usize) = (120, 400);

/// The most parts.
const MOST: usize = 8;

/// Words that want another behind them.
const OPEN: [&str; 40] = [
    "a", "all", "an", "and", "any", "are", "as", "be", "by", "earlier", "every", "existing", "for", "former",
    "from", "his", "in", "is", "its", "must", "my", "not", "of", "on", "or", "other", "our", "previous",
    "prior", "shall", "should", "that", "the", "their", "these", "this", "those", "to", "with", "your",
];

/// Rows and columns that are read downwards.
const ROWS: usize = 4;
const COLUMNS: usize = 8;

fn bare_end(text: &str) -> &str {
    text.trim_end_matches([' ', '\t', '*', '_', '`', '"', '\'', '#'])
}

/// Whether the part `text` may break off: short, and without a mark at its end.
fn may_go_on(text: &str) -> bool {
    let text = bare_end(text);
    // Dots that say so.
    let text = text.strip_suffix("...").or_else(|| text.strip_suffix('\u{2026}')).unwrap_or(text);
    let ends = ['.', '!', '?', ':', ';', ')', '\u{3002}', '\u{FF01}', '\u{FF1F}', '\u{FF1A}'];
    (1..=LONGEST.0).contains(&text.len()) && !text.ends_with(ends) && text.contains(char::is_alphabetic)
}

/// Whether the part `text` breaks off where `next` begins.
pub(super) fn goes_on(text: &str, next: &str) -> bool {
    let Some(first) = next.chars().find(|c| c.is_alphabetic()).filter(|_| may_go_on(text)) else {
        return false;
    };
    if is_name(next) {
        return false;
    }
    if !first.is_uppercase() {
        return true;
    }
    let last = last_word(text);
    let words = |c: char| !c.is_alphanumeric();
    is_open(last)
        || (view::is_piece(last)
            && next.split(words).find(|word| !word.is_empty()).is_some_and(view::is_piece))
}

/// Whether `part` is a name or a number, written for a machine: `instructions.md`.
fn is_name(part: &str) -> bool {
    let part = part.trim();
    !part.contains(char::is_whitespace)
        && !part.contains("://")
        && part.trim_end_matches('.').contains(['.', '_', '/', '-', '@'])
}

fn last_word(text: &str) -> &str {
    let words = |c: char| !c.is_alphanumeric();
    text.trim_end_matches(words).rsplit(words).next().unwrap_or_default()
}

/// Whether a word wants another behind it.
fn is_open(word: &str) -> bool {
    OPEN.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Parts of a text, joined by spaces, each with where it stands in the text.
pub(super) struct Parts<'a> {
    text: &'a str,
    parts: Vec<Range<usize>>,
    /// Only a word that wants another cuts: the values of a map are settings more often than not.
    strict: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn new(text: &'a str) -> Parts<'a> {
        Parts { text, parts: Vec::new(), strict: false }
    }

    /// The same for the values of a map.
    pub(super) fn of_map(text: &'a str) -> Parts<'a> {
        Parts { strict: true, ..Parts::new(text) }
    }

    /// Adds a part if the last one breaks off before it; `false` if nothing may follow any more.
    pub(super) fn push(&mut self, part: Range<usize>) -> bool {
        let words = &self.text[part.clone()];
        let all: usize = self.parts.iter().map(Range::len).sum();
        if self.parts.len() == MOST || all > LONGEST.1 {
            return false;
        }
        match self.parts.last() {
            Some(last) if !goes_on(&self.text[last.clone()], words) => return false,
            _ => self.parts.push(part),
        }
        true
    }

    /// What only the join says, in the first part and on or, if `anywhere` says so, in later ones: places in the text.
    pub(super) fn said(&self, anywhere: bool, own: Option<&Own>) -> Vec<(Range<usize>, Hit)> {
        if self.parts.len() < 2 {
            return Vec::new();
        }
        let (mut joined, mut seams) = (Mapped::new(), Vec::new());
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                seams.push(joined.text.len());
                joined.push_replaced(" ", part.start..part.start);
            }
            joined.push_verbatim(&self.text[part.clone()], part.start);
        }
        let crossed = if anywhere { seams.len() } else { 1 };
        let mut found: Vec<(Range<usize>, Hit)> = Vec::new();
        for (range, hit) in said(&joined.text, own) {
            if !seams.iter().take(crossed).any(|seam| range.start < *seam && seam + 1 < range.end) {
                continue;
            }
            if hit.obfuscated.is_empty()
                && !self.is_cut(&joined, &seams, &range, |text| {
                    said(text, own).iter().any(|(_, known)| known.rule == hit.rule)
                })
            {
                continue;
            }
            let place = joined.map.source(range);
            let alone =
                self.parts.iter().filter(|part| part.start < place.end && place.start < part.end).any(
                    |part| {
                        said(&self.text[part.clone()], own).iter().any(|(_, known)| known.rule == hit.rule)
                    },
                );
            if !alone {
                let plain = hit.obfuscated.is_empty();
                let severity = if plain { hit.severity.min(Severity::Warning) } else { hit.severity };
                found.push((place, Hit { severity, obfuscated: hit.obfuscated | Views::SPLIT, ..hit }));
            }
        }
        found
    }
}

impl Parts<'_> {
    /// Whether the phrase in `range` of the parts as they are `joined` at `seams` was cut there: at a word that wants
    /// another, or else so that it begins its part and needs that part's last word. `says` tells whether a text says the
    /// same. Words alone, a list of what to look for, are a phrase only if one of them has no sense alone.
    fn is_cut(
        &self,
        joined: &Mapped,
        seams: &[usize],
        range: &Range<usize>,
        mut says: impl FnMut(&str) -> bool,
    ) -> bool {
        let text = joined.text.as_str();
        let inside: Vec<usize> =
            seams.iter().copied().filter(|seam| range.start < *seam && *seam < range.end).collect();
        let mut start = 0;
        let begins = seams.iter().take_while(|seam| **seam <= range.start).last().map_or(0, |seam| seam + 1);
        let words =
            || text[range.clone()].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        if words().count() == inside.len() + 1 && !words().any(is_hollow) {
            return false;
        }
        inside.iter().all(|seam| {
            let last = last_word(&text[start..*seam]);
            start = *seam;
            if is_open(last) || bare_end(&text[..*seam]).ends_with(['\u{2026}', '.']) {
                return true;
            }
            let cut = (last.as_ptr() as usize - text.as_ptr() as usize).max(range.start);
            let whole = says(&format!("{}{}", &text[range.start..cut], &text[*seam..range.end]));
            !self.strict
                && !whole
                && !text.get(begins..range.start).unwrap_or_default().contains(char::is_alphanumeric)
        })
    }
}

/// Whether a word has no sense of its own.
fn is_hollow(word: &str) -> bool {
    const HOLLOW: [&str; 10] = ["all", "any", "every", "the", "your", "my", "our", "these", "those", "of"];
    HOLLOW.iter().any(|known| known.eq_ignore_ascii_case(word)) || !word.is_ascii()
}

/// What `text` says to its reader, as it is and decoded.
fn said(text: &str, own: Option<&Own>) -> Vec<(Range<usize>, Hit)> {
    let phrases = through::phrases(text, Place::Prose, own).into_iter();
    let mut found: Vec<(Range<usize>, Hit)> =
        phrases.map(|hit| (hit.range, Hit::new(hit.rule, hit.pattern, hit.severity))).collect();
    found.extend(through::scan(text, Place::Prose, own, &[]).alone);
    found
}

/// What is begun in `unit` and goes on in the parts behind it, and what the cells of a row say together. `behind` are
/// the lines from line `next` on.
pub(super) fn scan<'l>(
    unit: &mut Unit<'_>,
    reading: &Reading,
    behind: impl Iterator<Item = (usize, &'l Lexed)>,
    (depth, own): (u8, Option<&Own>),
    source: &impl Source,
) -> Vec<(Range<usize>, Says)> {
    let mut found = match reading.place {
        Place::Row => rows(unit, behind, own, source),
        Place::Prose | Place::Item => blocks(unit, reading, behind, (depth, own), source),
        _ => return Vec::new(),
    };
    // One rule's finding for the same beginning is enough.
    let mut known: Vec<(RuleId, usize)> = Vec::new();
    found.retain(|(range, hit): &(Range<usize>, Hit)| {
        let new = !known.contains(&(hit.rule, range.start));
        known.push((hit.rule, range.start));
        new
    });
    found.into_iter().map(|(range, hit)| (range, Says::Hit(hit))).collect()
}

fn blocks<'l>(
    unit: &mut Unit<'_>,
    reading: &Reading,
    behind: impl Iterator<Item = (usize, &'l Lexed)>,
    (depth, own): (u8, Option<&Own>),
    source: &impl Source,
) -> Vec<(Range<usize>, Hit)> {
    let text = unit.text();
    if reading.in_comment || reading.in_style || text.len() > LONGEST.0 {
        return Vec::new();
    }
    let first = bare(text, 0..text.len(), reading.html);
    if !may_go_on(&text[first.clone()]) || suppresses(&text[first.clone()]) {
        return Vec::new();
    }
    let own_lines = unit.lines().count();
    let (mut parts, mut length) = (vec![first], text.len());
    for (index, (line, lexed)) in behind.enumerate() {
        let is_part = match lexed.kind {
            LineKind::Blank | LineKind::Rule => false,
            LineKind::Heading => !lexed.flags.has(Flags::SETEXT),
            LineKind::Prose | LineKind::Item | LineKind::Html => true,
            _ => break,
        };
        if (is_part && lexed.depth != depth) || length > LONGEST.1 || parts.len() == MOST {
            break;
        }
        // Some lines are in the window already.
        if unit.line(own_lines + index).is_none() {
            unit.extend(line, lexed, source);
        }
        let Some(range) = unit.line(own_lines + index).filter(|_| is_part) else { continue };
        length += range.len();
        let (window, before) = (unit.window(), parts[parts.len() - 1].clone());
        let part = bare(window, range, lexed.kind == LineKind::Html);
        if suppresses(&window[part.clone()]) {
            continue;
        }
        if !goes_on(&window[before], &window[part.clone()]) {
            break;
        }
        parts.push(part);
    }
    let mut joined = Parts::new(unit.window());
    for part in parts {
        joined.push(part);
    }
    joined.said(false, own)
}

/// What the cells of a row say together, and each with those below it.
fn rows<'l>(
    unit: &mut Unit<'_>,
    behind: impl Iterator<Item = (usize, &'l Lexed)>,
    own: Option<&Own>,
    source: &impl Source,
) -> Vec<(Range<usize>, Hit)> {
    let mut found = Vec::new();
    let text = unit.text();
    let cells = cue::cells(text);
    let mut from = 0;
    while from + 1 < cells.len() {
        let mut joined = Parts::new(text);
        let count = cells[from..].iter().take_while(|cell| joined.push((*cell).clone())).count();
        found.append(&mut joined.said(true, own));
        from += count.max(1);
    }
    if text.len() > LONGEST.1 || !cells.iter().any(|cell| may_go_on(&text[cell.clone()])) {
        return found;
    }
    let (own_lines, mut below) = (unit.lines().count(), Vec::new());
    for (index, (line, lexed)) in behind.enumerate() {
        if lexed.kind != LineKind::Table || below.len() == ROWS {
            break;
        }
        if unit.line(own_lines + index).is_none() {
            unit.extend(line, lexed, source);
        }
        let row = unit.line(own_lines + index).filter(|_| !lexed.flags.has(Flags::DELIMITER));
        below.extend(row.map(|row| {
            let cells = cue::cells(&unit.window()[row.clone()]).into_iter();
            cells.map(|cell| row.start + cell.start..row.start + cell.end).collect::<Vec<_>>()
        }));
    }
    let window = unit.window();
    for (column, cell) in cells.into_iter().enumerate().take(COLUMNS) {
        let mut joined = Parts::new(window);
        let column = below.iter().map_while(|row| row.get(column).cloned());
        for cell in std::iter::once(cell).chain(column) {
            if !joined.push(cell) {
                break;
            }
        }
        found.append(&mut joined.said(false, own));
    }
    found
}

/// Whether `part` is a suppression: words for a machine, which end nothing and begin nothing.
fn suppresses(part: &str) -> bool {
    allow::WORDS.iter().any(|word| part.starts_with(word))
}

/// Without marks around it: a heading's, a comment's, tags.
fn bare(text: &str, range: Range<usize>, html: bool) -> Range<usize> {
    let all = &text[range.clone()];
    let mut words = all.trim().trim_end_matches('#').trim_end();
    if html {
        loop {
            let stripped = without_marks(words);
            if stripped.len() == words.len() {
                break;
            }
            words = stripped;
        }
    }
    let start = range.start + (words.as_ptr() as usize - all.as_ptr() as usize);
    start..start + words.len()
}

/// `words` without the outermost mark of a comment, or tag, at each end.
fn without_marks(words: &str) -> &str {
    let mut words = words.strip_prefix("<!--").unwrap_or(words);
    words = words.strip_suffix("-->").unwrap_or(words);
    if words.starts_with('<')
        && let Some(end) = words.find('>')
    {
        words = &words[end + 1..];
    }
    if words.ends_with('>')
        && let Some(start) = words.rfind('<')
    {
        words = &words[..start];
    }
    words.trim()
}
