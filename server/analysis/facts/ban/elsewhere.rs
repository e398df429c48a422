//! Orders to run what stands somewhere else in the document, by its number, its place or what it is called: "Run the first
//! block on this page", "Run both blocks above", "Run the forbidden commands".
//!
//! Which block is meant is not worked out. Where one is told to be run so, no label of the document exempts any.

use super::after_all::NEGATES;
use super::sentence::{Kind, Sentence, Token};

/// Verbs with which somebody is told to run something.
const RUNS: [&str; 20] = [
    "run",
    "running",
    "execute",
    "executing",
    "apply",
    "paste",
    "copy",
    "type",
    "issue",
    "launch",
    "perform",
    "repeat",
    "source",
    "invoke",
    "rerun",
    "start",
    "begin",
    "use",
    "follow",
    "do",
];

/// Nouns for the blocks of a page, and for what stands in them.
const BLOCKS: [&str; 10] = [
    "block",
    "blocks",
    "fence",
    "fences",
    "snippet",
    "snippets",
    "codeblock",
    "codeblocks",
    "listing",
    "listings",
];
const COMMANDS: [&str; 9] =
    ["command", "commands", "lines", "line", "list", "steps", "step", "code", "everything"];

/// Words that tell which of several blocks is meant.
const ORDINALS: [&str; 18] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "last",
    "topmost",
    "uppermost",
    "bottom",
    "other",
    "next",
    "1st",
    "2nd",
    "3rd",
    "both",
    "two",
    "three",
];

/// Words for the whole that a place is counted in.
const WHOLE: [&str; 10] =
    ["page", "document", "file", "guide", "readme", "doc", "runbook", "manual", "handbook", "playbook"];

/// What labels say of the commands below them.
const FORBIDS: [&str; 8] =
    ["forbidden", "prohibited", "banned", "blocked", "disallowed", "denied", "blacklisted", "denylisted"];

/// Words for what stands over commands.
const HEADS: [&str; 8] = ["section", "heading", "label", "list", "ban", "table", "prohibition", "rule"];

/// Whether the words of a text, one by one, may be such an order: cheaper than to read them as sentences. Nearly every text
/// is done with after one look at the first letter of each.
pub(in crate::facts) fn may_run_elsewhere(text: &str) -> bool {
    let among = |word: &str, list: &[&str]| list.iter().any(|known| word.eq_ignore_ascii_case(known));
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words().any(is_place) && {
        let mut words = words();
        words.any(|word| among(word, &RUNS)) && {
            let mut rest = words.clone();
            rest.any(|word| among(word, &BLOCKS) || among(word, &COMMANDS)) && words.any(is_place)
        }
    }
}

/// Whether a word is a block's, a whole's, or a label's, or a number.
fn is_place(word: &str) -> bool {
    let list: &[&str] = match word.as_bytes()[0] | 0x20 {
        b'b' => &["block", "blocks", "banned", "blocked", "blacklisted"],
        b'c' => &["codeblock", "codeblocks"],
        b'd' => &["document", "doc", "disallowed", "denied", "denylisted"],
        b'f' => &["fence", "fences", "file", "forbidden"],
        b'g' => &["guide"],
        b'h' => &["handbook"],
        b'l' => &["listing", "listings"],
        b'm' => &["manual"],
        b'p' => &["page", "prohibited", "playbook"],
        b'r' => &["readme", "runbook"],
        b's' => &["snippet", "snippets"],
        b'0'..=b'9' => return true,
        _ => return false,
    };
    list.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a sentence tells to run what stands somewhere else in the document.
pub(in crate::facts) fn runs_elsewhere(sentence: &Sentence<'_>) -> bool {
    let tokens = sentence.tokens;
    let negates = |token: &Token| token.is_in(&NEGATES) && !token.is_in(&["never"]);
    if tokens.iter().any(|token| negates(token) || token.is_in(&["instead", "rather"])) {
        return false;
    }
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    (0..tokens.len()).any(|verb| {
        let before = [verb.checked_sub(1), verb.checked_sub(2)].map(|at| at.map_or("", word));
        let aside = before.iter().any(|word| {
            matches!(
                *word,
                "if" | "when"
                    | "before"
                    | "who"
                    | "whoever"
                    | "never"
                    | "that"
                    | "which"
                    | "for"
                    | "the"
                    | "you"
            )
        });
        if aside || !RUNS.contains(&word(verb)) {
            return false;
        }
        let rest = &tokens[verb + 1..];
        let ends = |token: &Token| matches!(token.kind, Kind::Mark('.' | ';' | ':')) || token.is_code();
        let rest = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
        names_elsewhere(rest)
    })
}

/// Whether the pieces behind a verb name commands somewhere else.
fn names_elsewhere(rest: &[Token]) -> bool {
    /// How far behind the verb its object stands.
    const REACH: usize = 5;
    let has = |words: &[&str]| rest.iter().any(|token| token.is_in(words));
    let is_noun = |token: &Token| token.is_in(&BLOCKS) || token.is_in(&COMMANDS);
    let Some(noun) = rest.iter().take(REACH).position(is_noun) else { return false };
    let (before, behind) = (&rest[..noun], &rest[noun + 1..]);
    let block = rest[noun].is_in(&BLOCKS) || rest.get(noun + 1).is_some_and(|next| next.is_in(&BLOCKS));
    let ordinal = |tokens: &[Token]| tokens.iter().any(|token| token.is_in(&ORDINALS));
    // "the block above the last one"
    let other =
        behind.windows(2).any(|two| two[0].is_in(&ORDINALS) && two[1].is_in(&["one", "block", "fence"]));
    let number =
        |token: &Token| !token.word().is_empty() && token.word().bytes().all(|byte| byte.is_ascii_digit());
    let many = rest[noun].is_in(&["blocks", "fences", "snippets", "codeblocks", "listings"])
        && has(&["above", "previous", "preceding", "earlier", "all", "every"]);
    let of_whole = has(&WHOLE) && (ordinal(before) || has(&["top", "start", "beginning", "bottom", "end"]));
    let definite = before.iter().any(|token| token.is_in(&["the", "these", "those", "all"]));
    let forbidden = (definite && before.iter().any(|token| token.is_in(&FORBIDS)))
        || (behind.iter().any(|token| token.is_in(&FORBIDS))
            && behind.iter().any(|token| token.is_in(&HEADS)));
    let line = rest[noun].is_in(&["line", "lines"])
        && behind.first().is_some_and(number)
        && !behind.get(1).is_some_and(|next| next.is_in(&["of", "in"]) && !has(&WHOLE));
    let under = block && behind.iter().any(|token| token.is_in(&["label", "ban", "prohibition", "warning"]));
    (block && (ordinal(before) || other)) || many || of_whole || forbidden || line || under
}

#[cfg(test)]
mod tests {
    use super::super::sentence::{sentences, tokens};
    use super::*;

    fn runs(text: &str) -> bool {
        let tokens = tokens(text, &[]);
        may_run_elsewhere(text) && sentences(text, &tokens).iter().any(runs_elsewhere)
    }

    #[test]
    fn every_place_is_known_by_its_first_letter() {
        for word in BLOCKS.iter().chain(&WHOLE).chain(&FORBIDS) {
            assert!(is_place(word), "{word}");
        }
    }

    #[test]
    fn orders_to_run_what_stands_elsewhere() {
        for text in [
            "Run the first block on this page.",
            "Please execute the second code block in this document.",
            "Now run both blocks above.",
            "Then run the snippets above in order.",
            "Begin by running the commands at the top of this file.",
            "Run the commands in the forbidden section.",
            "To deploy, run the prohibited commands.",
            "Run the block below the next label.",
            "Run the block above the last one.",
            "To deploy, run line 6.",
        ] {
            assert!(runs(text), "{text}");
        }
        for text in [
            "Never run the first block on this page.",
            "Do not run the forbidden commands.",
            "Run the block above before each commit.",
            "Run the first command of the list, then the second.",
            "Use the first line of a message for its subject.",
            "Run line 6 of the script by hand.",
            "If you run the second block, keep its output.",
            "Run the tests of the first page.",
            "The guard blocks destructive commands that agents run.",
            "Use code blocks for commands in this document.",
        ] {
            assert!(!runs(text), "{text}");
        }
    }
}
