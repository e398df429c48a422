//! What a text tells its reader to do and not to do, sentence by sentence, so that a change that turns one into the other
//! is seen: `Never push to main` that became `Always push to main`.
//!
//! A directive is its body (what is to be done, evened out) and its polarity. Bodies are compared word for word: nothing
//! is guessed about sentences that were written anew.

use std::collections::BTreeMap;

use caveat_analysis::lines::{Flags, LineKind};
use caveat_analysis::text::{Source as _, Str};
use caveat_analysis::verdict::Span;
use caveat_analysis::{Document, Language};

/// Whether a sentence tells to do something or not to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Polarity {
    /// Do it.
    Gives,
    /// Do not.
    Forbids,
}

/// One directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// What is to be done, or not. Text of the document: for comparing, never for showing.
    pub(super) body: String,
    pub(super) polarity: Polarity,
    pub(super) span: Span,
}

/// A body of one word is no directive; one of more is prose.
const WORDS: std::ops::RangeInclusive<usize> = 2..=40;

/// How a sentence begins that forbids; the longest that fits is taken.
const FORBIDS: &[&str] = &[
    "never",
    "do not",
    "don't",
    "must not",
    "mustn't",
    "should not",
    "shouldn't",
    "shall not",
    "can not",
    "cannot",
    "can't",
    "may not",
    "avoid",
    "no longer",
    "not",
    "never:",
    "don't:",
    "do not:",
    "forbidden:",
    "prohibited:",
];

/// How one begins that gives, and words before a verb that change nothing.
const GIVES: &[&str] = &[
    "always",
    "always:",
    "do:",
    "required:",
    "must",
    "should",
    "shall",
    "do",
    "please",
    "you",
    "we",
    "agents",
    "make sure to",
    "be sure to",
    "remember to",
    "can",
    "may",
    "will",
    "also",
    "ever",
    "and",
    "so",
    "then",
    "just",
];

/// The directives of `text`, in order: of paragraphs and list items, not of code, tables, quotes or headings.
pub(super) fn directives(text: &str) -> Vec<Directive> {
    let mut document = Document::new(text, Language::Markdown, std::sync::Arc::default());
    let snapshot = document.snapshot();
    let source = Str::new(text);
    let mut found = Vec::new();
    let mut unit: Vec<(usize, usize)> = Vec::new();
    for (line, record) in snapshot.records().iter_from(0).enumerate() {
        let (kind, flags) = (record.line.kind, record.line.flags);
        let reads = matches!(kind, LineKind::Prose | LineKind::Item) && !flags.has(Flags::QUOTED);
        let goes_on = kind == LineKind::Prose && flags.has(Flags::JOIN) && !unit.is_empty();
        if !reads || !goes_on {
            sentences(&source, &unit, &mut found);
            unit.clear();
        }
        if reads {
            unit.push((line, record.line.content as usize));
        }
    }
    sentences(&source, &unit, &mut found);
    found
}

/// Reads the sentences of one paragraph, which stands on the lines of `unit`, each from its byte column on.
fn sentences(source: &Str<'_>, unit: &[(usize, usize)], found: &mut Vec<Directive>) {
    let mut text = String::new();
    let mut starts = Vec::new();
    for (line, column) in unit {
        starts.push((text.len(), *line, *column));
        text.push_str(source.line_str(*line).get(*column..).unwrap_or_default());
        text.push(' ');
    }
    let mut from = 0;
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        let ends =
            matches!(bytes[at], b'.' | b'!' | b'?' | b';') && bytes.get(at + 1).is_none_or(|b| *b == b' ');
        if !ends && at + 1 < bytes.len() {
            continue;
        }
        let sentence = &text[from..=at];
        if let Some((body, polarity)) = read(sentence) {
            let lead = sentence.len() - sentence.trim_start().len();
            let (first, last) = (from + lead, from + sentence.trim_end().len());
            let place = |byte: usize| {
                let (start, line, column) = starts[starts.partition_point(|(start, ..)| *start <= byte) - 1];
                (line, column + byte - start)
            };
            let ((line, column), (end_line, end)) = (place(first), place(last - 1));
            let offset = source.line_start(line) + column;
            let length = source.line_start(end_line) + end + 1 - offset;
            let span = Span { line, column, end_line, end_column: end + 1, offset, length };
            found.push(Directive { body, polarity, span });
        }
        from = at + 1;
    }
}

/// The body and the polarity of a sentence, if it is a directive.
fn read(sentence: &str) -> Option<(String, Polarity)> {
    let plain: String = sentence.chars().filter(|c| !matches!(c, '*' | '`')).collect();
    let plain = plain.replace(['\u{2019}', '\u{02bc}'], "'").to_lowercase();
    let words: Vec<&str> = plain
        .split_whitespace()
        .map(|word| word.trim_matches('_').trim_end_matches([',', ';', '!', '?']).trim_end_matches('.'))
        .filter(|word| !word.is_empty() && !matches!(*word, "[" | "]" | "[x]" | "-"))
        .collect();
    let mut rest = words.as_slice();
    // A label says what the directive is about, and may be anything: `Git: never push`.
    while stripped(rest, FORBIDS).or_else(|| stripped(rest, GIVES)).is_none()
        && let Some(end) = rest.iter().take(4).position(|word| word.ends_with(':'))
        && end + 1 < rest.len()
    {
        rest = &rest[end + 1..];
    }
    let mut polarity = Polarity::Gives;
    loop {
        if let Some(after) = stripped(rest, FORBIDS) {
            (rest, polarity) = (after, Polarity::Forbids);
        } else if let Some(after) = stripped(rest, GIVES) {
            rest = after;
        } else {
            break;
        }
    }
    let mut body: Vec<String> = rest.iter().map(|word| word.trim_end_matches(':').to_owned()).collect();
    if let Some(verb) = body.first_mut() {
        *verb = stem(verb);
    }
    WORDS.contains(&body.len()).then(|| (body.join(" "), polarity))
}

/// `words` behind the longest of `heads` that they begin with.
fn stripped<'a, 'b>(words: &'a [&'b str], heads: &[&str]) -> Option<&'a [&'b str]> {
    let fits = |head: &&&str| head.split(' ').enumerate().all(|(at, part)| words.get(at) == Some(&part));
    let longest = heads.iter().filter(fits).map(|head| head.split(' ').count()).max()?;
    Some(&words[longest..])
}

/// A verb as it is compared: `push`, `pushing`; `use`, `using`; `run`, `running`.
fn stem(word: &str) -> String {
    let cut = word.strip_suffix("ing").filter(|cut| cut.len() > 1);
    let cut = cut.or_else(|| word.strip_suffix('e').filter(|cut| cut.len() > 1)).unwrap_or(word);
    let mut letters: Vec<char> = cut.chars().collect();
    if let [.., a, b] = letters[..]
        && a == b
        && letters.len() > 3
    {
        letters.pop();
    }
    letters.into_iter().collect()
}

/// The directives of `now` that say the opposite of what `before` said: it said so and no more, and they say so and no
/// more. One of each body.
pub(super) fn flips(before: &[Directive], now: &[Directive]) -> Vec<Directive> {
    let by_body = |directives: &[Directive]| {
        let mut known: BTreeMap<String, Vec<Polarity>> = BTreeMap::new();
        for one in directives {
            known.entry(one.body.clone()).or_default().push(one.polarity);
        }
        known
    };
    let (then, today) = (by_body(before), by_body(now));
    let mut said = std::collections::BTreeSet::new();
    let turned = |one: &&Directive| {
        let only = |known: &BTreeMap<String, Vec<Polarity>>, polarity: Polarity| {
            known.get(&one.body).is_some_and(|all| all.iter().all(|known| *known == polarity))
        };
        let opposite = match one.polarity {
            Polarity::Gives => Polarity::Forbids,
            Polarity::Forbids => Polarity::Gives,
        };
        only(&then, opposite) && only(&today, one.polarity)
    };
    now.iter().filter(turned).filter(|one| said.insert(one.body.clone())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_flips(before: &str, now: &str, expected: &[(Polarity, usize, &str)]) {
        let found = flips(&directives(before), &directives(now));
        let found: Vec<_> = found
            .iter()
            .map(|one| {
                (one.polarity, one.span.line, &now[one.span.offset..one.span.offset + one.span.length])
            })
            .collect();
        assert_eq!(found, expected, "{before:?} to {now:?}");
    }

    #[test]
    fn what_was_forbidden_and_is_given_is_seen_and_the_other_way_round() {
        use Polarity::{Forbids, Gives};
        check_flips("Never push to main.", "Always push to main.", &[(Gives, 0, "Always push to main.")]);
        check_flips("Always run the tests.", "Never run the tests.", &[(Forbids, 0, "Never run the tests.")]);
        check_flips(
            "- Do not push to main\n",
            "# A\n\n* **You must** push to `main`!\n",
            &[(Gives, 2, "**You must** push to `main`!")],
        );
        check_flips("Don\u{2019}t push to main", "Push to main", &[(Gives, 0, "Push to main")]);
        check_flips(
            "Git: never push to main",
            "Release: push to main",
            &[(Gives, 0, "Release: push to main")],
        );
        check_flips("Avoid using tabs here.", "Use tabs here.", &[(Gives, 0, "Use tabs here.")]);
        check_flips(
            "Ask first. Never push\nto main. Wait.",
            "Ask first. Always\npush to main. Wait.",
            &[(Gives, 0, "Always\npush to main.")],
        );
        check_flips(
            "Never run these commands:",
            "Always run these commands:",
            &[(Gives, 0, "Always run these commands:")],
        );
    }

    #[test]
    fn what_only_moved_or_was_written_anew_is_not() {
        for (before, now) in [
            ("Never push to main.", "Never push to main."),
            ("Never push to main.", "Do not push to main!"),
            ("Never push to main.", "- Agents: you must never push to main"),
            ("Never push to main.", "Always push to a branch."),
            ("Never push to main.", "Never push to main. Always push to main."),
            ("Never push to main. Push to main.", "Push to main."),
            ("Never push to main.", "```\nAlways push to main.\n```"),
            ("Never push to main.", "> Always push to main."),
            ("Never push to main.", "# Push to main"),
            ("Never wait.", "Wait."),
            ("", "Always push to main."),
        ] {
            check_flips(before, now, &[]);
        }
    }
}
