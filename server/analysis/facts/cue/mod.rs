//! Cues for *shown*: signs that a text displays a command and does not give it (CONTRACTS, "Stance").
//!
//! A cue changes a finding's severity only, so the lists may be wider than what forbids; they are still closed, and each
//! form is matched as a whole: a heading, a comment, a cell or the opening of a unit must be one of them from end to end.
//! A condition, an exception or a limit of place, person or time cancels. Where in doubt there is no cue.

mod comment;
mod describe;
mod given;
mod own;
mod part;
mod phrase;
mod remedy;
mod table;
#[cfg(test)]
mod tests;
mod told;
mod verbs;
mod warned;
mod words;

use std::ops::Range;

use super::ban::sentence::{Kind, Sentence, Token, is_plain, lists, sentences, tokens};
use super::ban::takes_back;
use crate::lines::Lang;
use phrase::Form;

/// Which way a cue points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// What stands under it is shown: blocked, forbidden, a bad example.
    Bad,
    /// What stands under it is meant to be done: it ends a `Bad`.
    Good,
}

/// Reads the text of a heading. It governs what stands in its section.
#[must_use]
pub fn heading(text: &str) -> Option<Turn> {
    phrase::turn(text)
        .or_else(|| (given::is_procedure(text) || remedy::is_heading(text)).then_some(Turn::Good))
        .or_else(|| warned::is_warning(text).then_some(Turn::Bad))
}

/// Whether a heading that shows what stands below it only warns of it: "Destructive commands". It shows what stands right
/// below it, and nothing under a heading of its section.
#[must_use]
pub fn warns(heading: &str) -> bool {
    phrase::turn(heading).is_none() && warned::is_warning(heading)
}

/// Whether a heading says that what stands under it is not so: "Myths". What forbids there forbids nothing.
#[must_use]
pub fn is_myth(heading: &str) -> bool {
    given::is_myth(heading)
}

/// Whether a text says that there is nothing of what its heading names: "None."
#[must_use]
pub fn is_nothing(text: &str) -> bool {
    given::is_nothing(text)
}

/// Reads the paragraph that stands directly above a block or list, without its container prefixes: its last sentence
/// must end in a colon and be one of the forms. It governs the block.
#[must_use]
pub fn lead_in(paragraph: &str) -> Option<Turn> {
    let text = paragraph.trim().trim_end_matches(['*', '_']);
    if !text.ends_with(':') {
        return None;
    }
    let tokens = tokens(text, &[]);
    let last = sentences(text, &tokens).pop()?;
    let start = last.tokens.first()?.range.start;
    let sentence = text[start..].trim_end_matches(':');
    (warned::leads(sentence, last.tokens).then_some(Turn::Bad))
        .or_else(|| phrase::turn(sentence))
        .or_else(|| (describe::introduces(sentence) || bans_what_follows(sentence)).then_some(Turn::Bad))
        .or_else(|| (phrase::orders(last.tokens) || remedy::leads(last.tokens)).then_some(Turn::Good))
}

/// Reads the text right above a block, `shown` being what of it is no markup: a remedy or a step that it announces, a lead-in
/// with its colon, or a heading that is none ("**Don't**"). A heading itself leads in only by its colon.
#[must_use]
pub fn above_block(text: &str, shown: &str, heading: bool) -> Option<Turn> {
    if !heading && remedy::closes(shown) {
        return Some(Turn::Good);
    }
    if text.trim_end().trim_end_matches(['*', '_']).ends_with(':') {
        return lead_in(text);
    }
    (!heading && warned::is_bad_heading(shown)).then_some(Turn::Bad)
}

/// Whether a sentence says nothing but that somebody is not to do what follows: "The agent must never:". One more word,
/// and it may narrow the ban.
fn bans_what_follows(sentence: &str) -> bool {
    const SUBJECTS: [&str; 22] = [
        "a",
        "agent",
        "agents",
        "ai",
        "all",
        "an",
        "any",
        "assistant",
        "assistants",
        "bot",
        "claude",
        "developers",
        "everyone",
        "it",
        "model",
        "models",
        "operators",
        "the",
        "they",
        "we",
        "you",
        "coding",
    ];
    const BANS: [&str; 22] = [
        "must never",
        "must not",
        "mustn't",
        "should never",
        "should not",
        "shouldn't",
        "may never",
        "may not",
        "can not",
        "cannot",
        "can't",
        "shall never",
        "shall not",
        "will never",
        "will not",
        "won't",
        "are not allowed to",
        "is not allowed to",
        "are never allowed to",
        "is never allowed to",
        "are forbidden to",
        "is forbidden to",
    ];
    const REST: [&str; 9] = [
        "",
        "do",
        "ever",
        "ever do",
        "do the following",
        "do any of the following",
        "do any of these",
        "under any circumstances",
        "perform the following actions",
    ];
    let plain = sentence.replace('\u{2019}', "'").to_lowercase();
    let words: Vec<&str> =
        plain.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    // Anything but words is not only that.
    if words.len() > 12 || !sentence.chars().all(|c| c.is_alphanumeric() || " '\u{2019}*_\n".contains(c)) {
        return false;
    }
    let words: Vec<&str> = words.into_iter().skip_while(|word| lists(&SUBJECTS, word)).collect();
    let text = words.join(" ");
    BANS.iter().any(|ban| text.strip_prefix(ban).is_some_and(|rest| REST.contains(&rest.trim_start())))
}

/// Reads how a unit (paragraph, list entry, table cell) begins: the bytes of the mark or label, and its turn. It governs
/// the unit. A `Bad` one that is followed by an order, by a condition, by a good example or by more than one sentence
/// with code in it is none.
#[must_use]
pub fn opener(unit: &str) -> Option<(Range<usize>, Turn)> {
    let tokens = tokens(unit, &[]);
    let (mark, after_mark) = phrase::leading_mark(&tokens, 0);
    let form = Form::read(&tokens[after_mark..]).filter(|form| form.label);
    let after = after_mark + form.as_ref().map_or(0, |form| form.end);
    let range = tokens.first()?.range.start..tokens.get(after.checked_sub(1)?)?.range.end;
    let turn = form.as_ref().map(|form| form.turn);
    match (mark, turn) {
        (Some(Turn::Good), _) | (None, Some(Turn::Good)) => return Some((range, Turn::Good)),
        (Some(Turn::Bad), Some(Turn::Good)) | (None, None) => return None,
        _ => {}
    }
    let rest = &tokens[after..];
    let code = rest.first().is_some_and(Token::is_code);
    let opens = match form {
        Some(form) => code || rest.is_empty() || !form.alone,
        None => code || phrase::negated_order(rest) > 0,
    };
    let later = sentences(unit, rest)
        .into_iter()
        .skip(1)
        .any(|sentence| !is_only_words(&sentence) || takes_back(&sentence));
    (opens && !later && is_plain(unit) && !phrase::gives(rest, turn.is_some())).then_some((range, Turn::Bad))
}

/// Whether a sentence has nothing that a command could have and words do not.
fn is_only_words(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.iter().all(|token| matches!(token.kind, Kind::Word(_) | Kind::Mark(',' | '.' | '!')))
}

/// Reads the comment of a line in a fence: its bytes, its turn, and whether it follows code, so that it governs its own
/// line only. The first word of a line of a permission list ("deny …") is read likewise.
#[must_use]
pub fn comment(line: &str, lang: Lang) -> Option<(Range<usize>, Turn, bool)> {
    if let Some(word) = comment::denies(line, lang) {
        return Some((word, Turn::Bad, true));
    }
    let known = comment::find(line, lang);
    // Behind a command "use make clean instead" names another one; above the lines that do, it gives those.
    if known.as_ref().is_some_and(|(_, text, trailing)| *trailing && given::replaces(text)) {
        return None;
    }
    let known =
        known.and_then(|(range, text, trailing)| comment::turn(text).map(|turn| (range, turn, trailing)));
    known.or_else(|| part::given_by_any_sign(line, lang).map(|(range, behind)| (range, Turn::Good, behind)))
}

/// Reads the comment of a line of its own that says nothing for or against what stands below it, but begins another part:
/// its bytes, and whether that part is a step, so that what a comment shows does not even reach it where nothing stands
/// between.
#[must_use]
pub fn part(line: &str, lang: Lang) -> Option<(Range<usize>, bool)> {
    part::begins(line, lang)
}

/// What stands behind the last command of a list entry, at byte `at`, and gives that after all: an exception, leave, or an
/// order that points back.
#[must_use]
pub fn given_behind(entry: &str, at: usize) -> Option<Range<usize>> {
    given::behind(entry, at)
}

/// The words with which a line of a fence, itself no comment, tells its reader to do what stands on it or below.
#[must_use]
pub fn orders_below(line: &str) -> Option<Range<usize>> {
    given::orders(line)
}

/// Whether any line of `text` may have a comment: a quick look, before [`comment_of`] reads each.
#[must_use]
pub fn may_comment(text: &str, lang: Lang) -> bool {
    comment::may_stand(text, lang)
}

/// The comment of a line in a fence: its bytes, its mark included, and its text.
#[must_use]
pub fn comment_of(line: &str, lang: Lang) -> Option<(Range<usize>, &str)> {
    comment::find(line, lang).map(|(range, text, _)| (range, text))
}

/// Whether an exception word of seed 1 stands in a line as a word of its own, and not in an address or a name.
#[must_use]
pub fn excepts(line: &str) -> bool {
    given::excepts(line)
}

/// The cells of a table row (GFM 4.10), without the white space around them: a pipe that no backslash escapes ends one,
/// in code spans also.
#[must_use]
pub fn cells(row: &str) -> Vec<Range<usize>> {
    table::cells(row)
}

/// Reads a cell of a table's header. It governs the column.
#[must_use]
pub fn column(header_cell: &str) -> Option<Turn> {
    phrase::turn(header_cell).or_else(|| warned::is_column(header_cell).then_some(Turn::Bad))
}

/// Whether a cell of a table's header, behind the cells `before`, says that its column mends what the row is about: "Fix".
#[must_use]
pub fn remedies<'a>(header_cell: &str, mut before: impl Iterator<Item = &'a str>) -> bool {
    table::remedies(header_cell, before.any(table::is_state))
}

/// Whether a cell of a table's header says that its column speaks against what the column of the `first` one names: "Why
/// not", or "Use instead" beside "Command".
#[must_use]
pub fn leads_away(first: &str, header_cell: &str) -> bool {
    table::leads_away(first, header_cell)
}

/// Whether a cell of a table's header asks whether something is allowed.
#[must_use]
pub fn asks_leave(header_cell: &str) -> bool {
    table::asks_leave(header_cell)
}

/// Whether a cell answers that it is not.
#[must_use]
pub fn denies_leave(cell: &str) -> bool {
    table::denies_leave(cell)
}

/// Reads a cell that says what becomes of its row's command. It governs the row.
#[must_use]
pub fn verdict_cell(cell: &str) -> Option<Turn> {
    table::verdict(cell)
}

/// The verdict of a row: the bytes of the cell that gives it. Where several do, as in a comparison of tools, one that
/// stops the command counts.
#[must_use]
pub fn verdict(row: &str) -> Option<(Range<usize>, Turn)> {
    let verdicts: Vec<_> = cells(row)
        .into_iter()
        .filter_map(|cell| verdict_cell(&row[cell.clone()]).map(|turn| (cell, turn)))
        .collect();
    verdicts.iter().find(|(_, turn)| *turn == Turn::Bad).or(verdicts.first()).cloned()
}

/// What the sentence around each hit says of it, with the bytes of the words that do. `Bad`: it describes, its main verb
/// is third person, and nothing in it orders, addresses a reader or sets a condition. `Good`: it gives the command or
/// bounds its own ban, so that no cue above it (heading, line before the block, column) shows the command: "Never run
/// `x` on main", "Never forget `x`", "Always run `x`", "Use `x` instead", "… unless …". `hits` are byte ranges by start.
#[must_use]
pub fn own(unit: &str, hits: &[Range<usize>]) -> Vec<Option<(Range<usize>, Turn)>> {
    own::read(unit, hits)
}

/// The words of [`own`] for one hit whose sentence describes it.
#[must_use]
pub fn describes(unit: &str, hit: Range<usize>) -> Option<Range<usize>> {
    one(unit, hit, Turn::Bad)
}

/// Whether the sentence around a hit gives it ([`own`]).
#[must_use]
pub fn gives(unit: &str, hit: Range<usize>) -> bool {
    one(unit, hit, Turn::Good).is_some()
}

fn one(unit: &str, hit: Range<usize>, turn: Turn) -> Option<Range<usize>> {
    let (words, is) = own::read(unit, std::slice::from_ref(&hit)).pop().flatten()?;
    (is == turn).then_some(words)
}
