//! Tables: cells, columns that say what their commands are, cells that say what becomes of their row's.

use std::ops::Range;

use super::Turn;
use super::phrase::{gives, is_noun_phrase, is_order_against, leading_mark};
use super::warned::is_danger;
use super::words::STOPPED;
use crate::facts::ban::sentence::{Kind, Token, is_plain, tokens};

/// GFM 4.10.
pub(super) fn cells(row: &str) -> Vec<Range<usize>> {
    let bytes = row.as_bytes();
    let mut start = row.len() - row.trim_start().len();
    let end = row.trim_end().len().max(start);
    if bytes.get(start) == Some(&b'|') {
        start += 1;
    }
    let mut cells = Vec::new();
    let mut escaped = false;
    let mut from = start;
    for (at, byte) in row.bytes().enumerate().take(end).skip(start) {
        match byte {
            b'\\' => escaped = !escaped,
            b'|' if !escaped => {
                cells.push(trim(row, from..at));
                from = at + 1;
            }
            _ => escaped = false,
        }
    }
    // the outer pipe opens no cell
    if from < end || cells.is_empty() {
        cells.push(trim(row, from..end.max(from)));
    }
    cells
}

fn trim(row: &str, cell: Range<usize>) -> Range<usize> {
    let text = &row[cell.clone()];
    let start = cell.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

/// What may stand before the participle.
const COPULAS: &[&str] = &["is", "always", "are", "be", "will", "gets", "now", "again"];

/// Cells that let a command pass.
const PASSES: &[&str] = &[
    "allowed",
    "permitted",
    "allow",
    "ok",
    "yes",
    "passes",
    "safe",
    "approved",
    "none",
    "low",
    "harmless",
    "minimal",
];

/// The turn of a cell that is a verdict.
pub(super) fn verdict(cell: &str) -> Option<Turn> {
    if is_one_of(cell, |words| words.len() > 1 && is_order_against(words)) {
        return Some(Turn::Bad);
    }
    // "Run it first"
    if is_one_of(cell, |words| {
        matches!(
            words,
            ["run" | "do" | "use" | "execute", "it" | "this" | "that" | "first" | "now" | "always", ..]
        )
    }) {
        return Some(Turn::Good);
    }
    let tokens = tokens(cell, &[]);
    let (mark, mut at) = leading_mark(&tokens, 0);
    if mark == Some(Turn::Good) || at == tokens.len() {
        return mark;
    }
    while tokens.get(at).is_some_and(|token| token.is_in(COPULAS)) {
        at += 1;
    }
    let word = |i: usize| tokens.get(at + i).map_or("", Token::word);
    let len = match (word(0), word(1)) {
        ("not", "allowed" | "permitted") => 2,
        (first, _) if STOPPED.contains(&first) => 1,
        ("never", _) if mark == Some(Turn::Bad) => 1,
        // "Stop" and "flag" may be what is done to what the row is about.
        (first, _) if is_refusal(first) => 1,
        (first, _) => return (mark.is_none() && PASSES.contains(&first)).then_some(Turn::Good),
    };
    // "Blocked", "Blocked (loses work)", "Blocked by `rule`"
    let rest = &tokens[at + len..];
    let rest = match rest {
        [by, rest @ ..] if by.is_in(&["by"]) => rest,
        [mark, ..] if !matches!(mark.kind, Kind::Mark('(' | ':' | ',' | '.' | '!')) => return None,
        rest => rest,
    };
    let rest = match rest {
        [mark, rest @ ..] if mark.is('(') || mark.is(':') => rest,
        rest => rest,
    };
    (is_plain(cell) && !gives(rest, true)).then_some(Turn::Bad)
}

fn is_refusal(word: &str) -> bool {
    matches!(
        word,
        "deny"
            | "denies"
            | "block"
            | "blocks"
            | "reject"
            | "rejects"
            | "refuse"
            | "refuses"
            | "forbid"
            | "forbids"
    )
}

/// The words of a cell, if it has nothing else but marks that end or ask.
fn only_words(cell: &str) -> Option<Vec<String>> {
    let tokens = tokens(cell, &[]);
    let fits = |token: &Token| matches!(token.kind, Kind::Word(_) | Kind::Mark('?' | '.' | '!'));
    let words = tokens.iter().map(|token| token.word().to_owned()).filter(|word| !word.is_empty());
    tokens.iter().all(fits).then(|| words.collect())
}

fn is_one_of(cell: &str, fits: impl Fn(&[&str]) -> bool) -> bool {
    let words = only_words(cell).unwrap_or_default();
    fits(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What a column is headed that names commands.
fn names_commands(header: &str) -> bool {
    is_one_of(header, |words| match words {
        ["old" | "former" | "legacy", rest @ ..] => rest.is_empty() || is_noun_phrase(rest),
        words => is_noun_phrase(words),
    })
}

/// See [`super::leads_away`].
pub(super) fn leads_away(first: &str, header: &str) -> bool {
    const INSTEAD: [&str; 22] = [
        "use instead",
        "instead",
        "use this instead",
        "do this instead",
        "what to do instead",
        "what to use instead",
        "run instead",
        "safe alternative",
        "safe alternatives",
        "safer alternative",
        "safer alternatives",
        "alternative",
        "alternatives",
        "replacement",
        "replacements",
        "replaced by",
        "replace with",
        "risk",
        "risks",
        "danger",
        "dangers",
        "hazard",
    ];
    gives_reasons(header)
        || (names_commands(first)
            && is_one_of(header, |words| match words {
                ["why", rest @ .., danger] => {
                    rest.iter().all(|word| matches!(*word, "it's" | "it" | "is")) && is_danger(danger)
                }
                ["new" | "current", rest @ ..] => {
                    is_one_of(first, |words| {
                        matches!(words, ["old" | "former" | "legacy" | "deprecated", ..])
                    }) && (rest.is_empty() || is_noun_phrase(rest))
                }
                words => INSTEAD.contains(&words.join(" ").as_str()),
            }))
}

/// "Why not", "Why it is blocked".
fn gives_reasons(header: &str) -> bool {
    is_one_of(header, |words| match words {
        ["why", "not" | "never" | "avoid"] | ["why", "not", "to" | "use" | "run"] => true,
        ["why", stopped] | ["why", "it", "is", stopped] | ["why", "it's" | "is", stopped] => {
            STOPPED.contains(stopped)
        }
        ["why", "to", "avoid"] | ["why", "to", "avoid", "it"] | ["reason", "to", "avoid"] => true,
        _ => false,
    })
}

/// "Allowed?", "Safe to run".
pub(super) fn asks_leave(header: &str) -> bool {
    is_one_of(header, |words| {
        matches!(
            words,
            ["allowed" | "permitted" | "allow" | "approved"]
                | ["is", "it", "allowed" | "permitted"]
                | ["ok" | "okay" | "safe" | "allowed" | "permitted", "to", "run" | "use" | "execute"]
                | ["policy" | "permission" | "decision" | "rule" | "agent" | "agents" | "use" | "safe"]
                | ["allowed" | "permitted", "for", _]
                | ["may" | "can", _, "run" | "use" | "execute", "it" | "this" | "them"]
        )
    })
}

/// "Fix", "What to do": what such a column holds is done, whatever is wrong with the row. Behind a column that says how
/// things stand (`behind_state`), "Action" is one, too.
pub(super) fn remedies(header: &str, behind_state: bool) -> bool {
    is_one_of(header, |words| match words {
        [
            "fix" | "fixes" | "cure" | "cures" | "response" | "solution" | "solutions" | "resolution"
            | "remedy" | "recovery" | "mitigation" | "workaround" | "repair" | "next",
        ]
        | ["what", "to", "do"]
        | ["next", "step" | "steps" | "action" | "actions"]
        | ["how", "to", "fix" | "repair" | "resolve", ..]
        | ["to", "fix" | "repair" | "resolve", ..] => true,
        ["action" | "actions" | "command" | "commands" | "step" | "steps"] => behind_state,
        _ => false,
    })
}

/// "Status", "Alert": how things stand.
pub(super) fn is_state(header: &str) -> bool {
    const STATES: [&str; 16] = [
        "status",
        "state",
        "result",
        "condition",
        "symptom",
        "symptoms",
        "alert",
        "health",
        "error",
        "problem",
        "issue",
        "sign",
        "signs",
        "check",
        "alarm",
        "failure",
    ];
    is_one_of(header, |words| words.last().is_some_and(|word| STATES.contains(word)))
}

/// "No", "Never".
pub(super) fn denies_leave(cell: &str) -> bool {
    is_one_of(cell, |words| matches!(words, ["no" | "never" | "not" | "deny" | "denied"]))
}
