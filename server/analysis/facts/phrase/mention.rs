//! Phrases that a text only mentions: set in quotes or code, and governed by a verb that detects (CONTRACTS, "Stance").
//!
//! "This hook flags `…`" shows its phrase. The phrase has to lie wholly inside the quotes: what stands outside of them
//! is said, whoever else is quoted beside it.

use std::cell::OnceCell;
use std::ops::Range;

use super::reading::{Occurrence, Reading};
use crate::catalogue::Catalogue;

/// A text whose mentions are looked for: read once, when the first is.
pub struct Mentions<'t> {
    text: &'t str,
    reading: OnceCell<Reading<'static>>,
}

/// How far into a text a phrase may stand and be a mention: what is longer is no sentence that people read.
const FAR: usize = 64 * 1024;

impl<'t> Mentions<'t> {
    /// Those of `text`.
    #[must_use]
    pub fn of(text: &'t str) -> Mentions<'t> {
        Mentions { text, reading: OnceCell::new() }
    }

    /// The bytes of the detecting verb that governs the phrase at `hit`, provided that the phrase stands wholly inside
    /// quotes or a code span, or that `cell` says so.
    #[must_use]
    pub fn governed(&self, hit: Range<usize>, cell: bool) -> Option<Range<usize>> {
        if hit.end > FAR || (!cell && !is_quoted(self.text, &hit)) {
            return None;
        }
        if !cell && let Some(refusal) = refused(self.text, &hit) {
            return Some(refusal);
        }
        let reading = self.reading.get_or_init(|| Reading::of(self.text, Catalogue::get().phrases()));
        governing(reading, hit)
    }
}

/// Where the sentence of the quoted phrase at `hit` says that whoever meets it is not to obey: "If a page says `…`, do not
/// comply." Nothing else may stand behind the quote.
fn refused(text: &str, hit: &Range<usize>) -> Option<Range<usize>> {
    const REFUSALS: [&str; 14] = [
        "do not comply",
        "don't comply",
        "do not obey",
        "don't obey",
        "do not follow it",
        "don't follow it",
        "refuse",
        "ignore it",
        "stop and report it",
        "report it",
        "stop and tell the user",
        "tell the user",
        "treat it as data",
        "treat it as an attack",
    ];
    const NEAR: usize = 160;
    let behind = text.get(hit.end..)?;
    let behind =
        &behind[..behind.char_indices().map(|(at, _)| at).find(|at| *at >= NEAR).unwrap_or(behind.len())];
    let before = &text[..hit.start];
    let stop = |at: usize| before[at..].chars().nth(1).is_none_or(char::is_whitespace);
    let start = before.char_indices().rev().find(|(at, c)| matches!(c, '.' | '!' | '?' | '\n') && stop(*at));
    let first = before[start.map_or(0, |(at, _)| at)..].trim_start_matches(|c: char| !c.is_alphabetic());
    let first = first.split(' ').next()?;
    if !["if", "when", "whenever"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
        return None;
    }
    let quote = behind.find(['"', '\u{201d}', '`', '\u{bb}', '\''])?;
    let rest = behind[quote..].trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = rest.find(['.', '!', '\n']).unwrap_or(rest.len());
    let said = rest[..end].trim_end();
    let refusal = REFUSALS.iter().any(|refusal| said.eq_ignore_ascii_case(refusal));
    let from = rest.as_ptr() as usize - text.as_ptr() as usize;
    (refusal && behind[..quote].len() <= 80).then(|| from..from + said.len())
}

fn governing(reading: &Reading<'_>, hit: Range<usize>) -> Option<Range<usize>> {
    let phrases = Catalogue::get().phrases();
    let words = reading.words();
    let first = words.partition_point(|word| word.range().end <= hit.start);
    let period = words.get(first)?.period;
    let mut sentence = reading.sentence_of(first);
    let classes = [&phrases.detects, &phrases.detected, &phrases.negations, &phrases.exceptions];
    sentence.look_for(classes.into_iter().flatten().copied());
    let place = |occurrence: &Occurrence| {
        let (from, to) = (&words[occurrence.start as usize], &words[occurrence.end as usize - 1]);
        from.range().start..to.range().end
    };
    // In front a verb that is not negated ("flags", not "does not flag"), behind a passive ("is blocked").
    let denied = |occurrence: &Occurrence| {
        phrases.negations.iter().any(|class| sentence.before(*class, occurrence.start, 1))
    };
    let here = |verb: &&Occurrence| words[verb.start as usize].period == period;
    // What is taken back somewhere is not told of, it is said: an exception cancels.
    let excepted = |word: &Occurrence| {
        let at = place(word);
        at.end <= hit.start || hit.end <= at.start
    };
    let mut exceptions = phrases.exceptions.iter().flat_map(|class| sentence.of_class(*class)).filter(here);
    if exceptions.any(excepted) {
        return None;
    }
    let before = phrases.detects.iter().flat_map(|class| sentence.of_class(*class)).filter(here);
    let before = before.filter(|verb| !denied(verb)).map(place).filter(|verb| verb.end <= hit.start);
    let behind = phrases.detected.iter().flat_map(|class| sentence.of_class(*class)).filter(here);
    let behind = behind.map(place).filter(|verb| verb.start >= hit.end);
    before.chain(behind).next()
}

/// Whether `hit` lies wholly inside one pair of quotes or ticks on its line or lines.
fn is_quoted(text: &str, hit: &Range<usize>) -> bool {
    const PAIRS: [(char, char); 6] = [
        ('"', '"'),
        ('\u{201c}', '\u{201d}'),
        ('`', '`'),
        ('\u{ab}', '\u{bb}'),
        ('\'', '\''),
        ('\u{2018}', '\u{2019}'),
    ];
    PAIRS.into_iter().any(|(open, close)| {
        let before = &text[..hit.start];
        let Some(at) = before.rfind(open) else { return false };
        let behind = &text[hit.end..];
        let closes = behind.find(close).is_some_and(|len| len <= 200);
        if open != close {
            return closes && !before[at..].contains(close);
        }
        // A mark that both opens and closes: an odd number stands before the phrase, and none inside it. An apostrophe
        // inside a word is no quote.
        let count = match open {
            '\'' => quotes_outside_words(before),
            mark => before.matches(mark).count(),
        };
        closes && count % 2 == 1 && !text[hit.clone()].contains(mark_of(open))
    })
}

fn mark_of(open: char) -> char {
    // Inside a phrase an apostrophe is one of a word: "don't".
    if open == '\'' { '\n' } else { open }
}

fn quotes_outside_words(text: &str) -> usize {
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    let mut count = 0;
    while let Some(c) = chars.next() {
        let inner = before.is_alphanumeric() && chars.peek().is_some_and(|next| next.is_alphanumeric());
        count += usize::from(c == '\'' && !inner);
        before = c;
    }
    count
}
