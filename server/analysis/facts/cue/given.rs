//! Words that give a command where a label forbids its block: behind the command, in a comment, on a line of prose.
//!
//! Each only ever ends what forbids or shows, so the lists are wide; a word that negates keeps those out that say the
//! opposite ("not allowed").

use std::ops::Range;

use super::phrase::is_good;
use super::verbs::{EFFECTS, NEGATIVES};
use super::words::GOOD_MARKS;
use crate::facts::ban::runs_what_was_named;
use crate::facts::ban::sentence::{Kind, Sentence, Token, lists, tokens, words};

/// Pieces behind a command, or in a comment, that are looked at.
const LOOK: usize = 60;

/// Words that make an exception, whatever stands around them.
const EXCEPTS: [&str; 13] = [
    "but",
    "except",
    "excepting",
    "excluding",
    "exception",
    "exceptions",
    "unless",
    "apart",
    "aside",
    "barring",
    "besides",
    "only",
    "however",
];

/// Words that give leave.
const LEAVE: [&str; 10] = [
    "allowed",
    "permitted",
    "ok",
    "okay",
    "fine",
    "approved",
    "encouraged",
    "recommended",
    "exempt",
    "exempted",
];

/// Words that ask for it.
const NEEDED: [&str; 6] = ["required", "needed", "necessary", "mandatory", "expected", "obligatory"];

/// See [`super::given_behind`].
pub(super) fn behind(entry: &str, at: usize) -> Option<Range<usize>> {
    if entry.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("[x]")) {
        return Some(0..entry.len());
    }
    let rest = entry.get(at..)?.trim_start_matches('`');
    let start = entry.len() - rest.len();
    let mut tokens = tokens(rest, &[]);
    tokens.truncate(LOOK);
    let words = words(&tokens);
    let copula = |word: &&str| {
        matches!(*word, "is" | "are" | "it's" | "this" | "one" | "it" | "always" | "still" | "and")
    };
    let first = words.iter().find(|word| !copula(word));
    let needed = first.is_some_and(|word| lists(&NEEDED, word));
    let negated = words.iter().any(|word| lists(NEGATIVES, word));
    let asked = words.windows(2).any(|pair| matches!(pair, ["do" | "run" | "execute", "instead"]))
        || words.windows(3).any(|three| {
            matches!(three, ["what", "you" | "we" | "to", "do" | "run" | "use"])
                || matches!(three, ["you" | "we", "should" | "must" | "may" | "can", "run" | "do" | "use"])
        });
    let gives = words.iter().any(|word| lists(&EXCEPTS, word))
        || (!negated
            && !is_replacement(&words)
            && (needed || asked || words.iter().any(|word| lists(&LEAVE, word))))
        || is_praise(&tokens)
        || runs_what_was_named(&Sentence { tokens: &tokens });
    (gives && !tokens.is_empty() && !is_loss(rest)).then_some(start..entry.len())
}

/// See [`super::excepts`].
pub(super) fn excepts(line: &str) -> bool {
    const WORDS: [&str; 4] = ["but", "however", "except", "unless"];
    let is_known = |word: &str| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known));
    let parts = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.' | '@' | ':'));
    line.split(parts).any(|piece| {
        let word = piece.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        if is_known(word) {
            return true;
        }
        if !word.split(|c: char| !c.is_ascii_alphanumeric()).any(is_known) {
            return false;
        }
        // Joined to others it is a part of a name only in code, and of an address.
        let before = &line[..piece.as_ptr() as usize - line.as_ptr() as usize];
        let told = before.contains('#')
            || before.contains("//")
            || (line.contains('`') && before.matches('`').count().is_multiple_of(2));
        let address =
            piece.contains("://") || piece.starts_with(['/', '.']) || piece.matches('/').count() > 1;
        let name = !piece.contains("--") && !piece.contains("..") && !piece.contains([':', '/']);
        told || !(address || name)
    })
}

/// Whether a comment says what is lost or wrong with the words of one that gives: "always fatal", "required data is lost",
/// "skips the required checks".
pub(super) fn is_loss(text: &str) -> bool {
    const FATAL: [&str; 8] =
        ["fatal", "wrong", "dangerous", "destructive", "bad", "forbidden", "blocked", "harmful"];
    const LOST: [&str; 7] = ["lost", "deleted", "gone", "removed", "wiped", "destroyed", "overwritten"];
    // A look, before every comment is cut into words once more.
    const LONGEST: usize = 60;
    let text = text.trim();
    let opens = |word: &str| {
        text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    if text.len() > LONGEST || !["always", "required", "needed", "necessary"].into_iter().any(opens) {
        return false;
    }
    let tokens = tokens(text, &[]);
    let words = words(&tokens);
    let needed = |word: &str| matches!(word, "required" | "needed" | "necessary");
    match words.as_slice() {
        ["always", fatal] => FATAL.contains(fatal),
        [a, _, "is" | "are" | "gets" | "get", lost] => needed(a) && LOST.contains(lost),
        [verb, "the" | "all", a, _] => needed(a) && EFFECTS.contains(verb),
        _ => false,
    }
}

/// Whether what stands behind a command is no more than a word of praise, or has a check mark: "(safe)", "// good", "[x]".
fn is_praise(tokens: &[Token]) -> bool {
    let words = words(tokens);
    let marked = tokens.iter().any(|token| matches!(token.kind, Kind::Mark(c) if GOOD_MARKS.contains(&c)));
    let mut opens = tokens.windows(3);
    let checked = opens.any(|three| three[0].is('[') && three[1].is_in(&["x"]) && three[2].is(']'));
    // "use `make clean`" names another command.
    let praised = words.len() <= 3 && is_good(&words) && !tokens.iter().any(Token::is_code);
    marked || checked || praised
}

/// Whether a comment says what to run in the place of what it stands beside, and no more: "use make clean instead".
fn is_replacement(words: &[&str]) -> bool {
    const BACK: [&str; 12] = [
        "this",
        "that",
        "it",
        "them",
        "these",
        "those",
        "following",
        "below",
        "line",
        "lines",
        "command",
        "commands",
    ];
    matches!(words, ["use" | "run" | "prefer" | "call" | "try", first, .., "instead"] if !lists(&BACK, first))
        && !words.iter().any(|word| lists(&BACK, word) || lists(&EXCEPTS, word))
}

/// Whether a comment behind a command says what to run in its place.
pub(super) fn replaces(text: &str) -> bool {
    let tokens = tokens(text, &[]);
    is_replacement(&words(&tokens)) && tokens.len() <= LOOK
}

/// Whether a comment gives the lines that it stands above or behind.
pub(super) fn by_comment(text: &str) -> bool {
    let mut tokens = tokens(text, &[]);
    tokens.truncate(LOOK);
    let words = words(&tokens);
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let opens =
        matches!(
            (word(0), word(1)),
            ("please" | "step" | "setup" | "install" | "installation" | "usage", _)
                | ("start" | "begin" | "finish", "with" | "by" | "here")
                | ("first", "step" | "task" | "thing")
        ) || words.windows(4).any(|four| matches!(four, ["what", "you" | "we", "want" | "need" | "do", ..]))
            || words.ends_with(&["what", "you", "want"]);
    let negated = words.iter().any(|word| lists(NEGATIVES, word));
    words.iter().any(|word| lists(&EXCEPTS, word))
        || (!negated && (opens || words.iter().any(|word| lists(&LEAVE, word) || lists(&NEEDED, word))))
        || runs_what_was_named(&Sentence { tokens: &tokens })
}

/// See [`super::orders_below`].
pub(super) fn orders(line: &str) -> Option<Range<usize>> {
    let text = line.trim_start();
    let first = text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default();
    // Most lines of code begin with none of these.
    const FIRST: [&str; 18] = [
        "you", "we", "please", "instead", "ok", "okay", "start", "begin", "first", "next", "now", "finally",
        "step", "always", "only", "except", "unless", "but",
    ];
    if !FIRST.iter().any(|word| first.eq_ignore_ascii_case(word)) {
        return None;
    }
    let mut tokens = tokens(text, &[]);
    tokens.truncate(LOOK);
    let words = words(&tokens);
    let word = words.get(1).copied().unwrap_or_default();
    let mark = tokens.get(1).is_some_and(|token| token.is(',') || token.is(':'));
    let negated = words.iter().any(|word| lists(NEGATIVES, word));
    let fits = match words.first().copied().unwrap_or_default() {
        "you" | "we" => matches!(word, "should" | "must" | "may" | "can" | "need" | "run" | "do" | "have"),
        "start" | "begin" => matches!(word, "with" | "by" | "here"),
        "please" | "instead" | "ok" | "okay" => tokens.len() > 1,
        "only" | "except" | "unless" | "but" => true,
        "step" => mark || word.bytes().all(|byte| byte.is_ascii_digit()),
        // Programs have these names: only where a sentence goes on behind them.
        _ => mark,
    };
    let start = line.len() - text.len();
    (fits && !negated).then(|| start..line.trim_end().len())
}

/// The text's words in lower case, if it is a short one.
fn short(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    (text.len() <= 60).then(|| text.replace('\u{2019}', "'").to_ascii_lowercase())
}

/// Whether a heading's section tells how something is done.
pub(super) fn is_procedure(heading: &str) -> bool {
    let procedures = [
        "setup",
        "set up",
        "install",
        "installation",
        "installing",
        "usage",
        "quickstart",
        "quick start",
        "getting started",
    ];
    short(heading).is_some_and(|text| procedures.contains(&text.as_str()))
}

/// See [`super::is_myth`].
pub(super) fn is_myth(heading: &str) -> bool {
    const MYTHS: [&str; 24] = [
        "myth",
        "myths",
        "misconception",
        "misconceptions",
        "superstition",
        "superstitions",
        "fiction",
        "jokes",
        "joke",
        "satire",
        "falsehoods",
        "debunked",
        "obsolete",
        "outdated",
        "superseded",
        "withdrawn",
        "revoked",
        "rescinded",
        "repealed",
        "lifted",
        "void",
        "historical",
        "overruled",
        "invalidated",
    ];
    // Of commands these say that they are not to be run any more; of rules, that those do not hold.
    const PAST: [&str; 8] =
        ["old", "former", "deprecated", "previous", "past", "retired", "expired", "earlier"];
    const RULES: [&str; 12] = [
        "rule",
        "rules",
        "policy",
        "policies",
        "label",
        "labels",
        "ban",
        "bans",
        "guideline",
        "guidelines",
        "restrictions",
        "prohibitions",
    ];
    let Some(text) = short(heading) else { return false };
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let has = |list: &[&str]| words.iter().any(|word| lists(list, word));
    has(&MYTHS) || (has(&PAST) && has(&RULES)) || words.windows(2).any(|two| two == ["used", "to"])
}

/// See [`super::is_nothing`].
pub(super) fn is_nothing(text: &str) -> bool {
    let nothing = [
        "none",
        "nothing",
        "n/a",
        "none yet",
        "nothing yet",
        "none so far",
        "nothing so far",
        "empty",
        "no commands",
    ];
    short(text).is_some_and(|text| nothing.contains(&text.as_str()))
}
