//! Words that give a command after all: that it is needed or all right, that one begins with it, that what stands above is
//! to be run.
//!
//! Each only ever ends what forbids or describes, so the lists are wide; a word that negates keeps those out that say the
//! opposite.

use super::back::declines;
use super::sentence::{Kind, LIMITS, Sentence, Token, lists, words};

/// Words after which nothing is given.
pub(super) const NEGATES: [&str; 19] = [
    "not",
    "never",
    "no",
    "nobody",
    "none",
    "cannot",
    "can't",
    "don't",
    "doesn't",
    "isn't",
    "aren't",
    "won't",
    "mustn't",
    "shouldn't",
    "hardly",
    "nor",
    "neither",
    "avoid",
    "longer",
];

/// Pieces between "it" and what it is said to be.
const REACH: usize = 5;

/// Whether the pieces say of what was named that it is needed, all right, or a step: "it is required at the start", "it is
/// the first step", "it must be run".
pub(in crate::facts) fn approves(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().map(Token::word).collect();
    (0..words.len()).any(|at| {
        let copula = match (words[at], words.get(at + 1).copied().unwrap_or_default()) {
            ("it's" | "they're", _) => at,
            ("it" | "they", word) if is_copula(word) => at + 1,
            ("this" | "that" | "which", word) if is_copula(word) => {
                return says(&words[at + 2..], &APPROVED);
            }
            ("this" | "that", "one" | "command") => at + 2,
            ("following" | "below", word) if is_copula(word) => at + 1,
            _ => return false,
        };
        says(words.get(copula + 1..).unwrap_or_default(), &APPROVED)
            || says(words.get(copula + 1..).unwrap_or_default(), &NEEDED)
            || is_task(words.get(copula + 1..).unwrap_or_default())
            || is_done(words.get(copula..).unwrap_or_default())
    })
}

fn is_copula(word: &str) -> bool {
    matches!(
        word,
        "is" | "was"
            | "are"
            | "be"
            | "becomes"
            | "remains"
            | "comes"
            | "goes"
            | "must"
            | "has"
            | "will"
            | "may"
    )
}

/// Words by which a command is all right.
const APPROVED: [&str; 10] = [
    "safe",
    "harmless",
    "fine",
    "ok",
    "okay",
    "allowed",
    "permitted",
    "recommended",
    "encouraged",
    "approved",
];

/// Words by which it is asked for.
const NEEDED: [&str; 8] =
    ["required", "mandatory", "needed", "necessary", "obligatory", "step", "expected", "due"];

/// Whether one of `list` follows soon, and nothing before it negates or names something else.
fn says(words: &[&str], list: &[&str]) -> bool {
    let until = |word: &&&str| !word.is_empty() && !lists(&NEGATES, word);
    let near: Vec<&str> = words.iter().take_while(until).take(REACH).copied().collect();
    near.iter().enumerate().any(|(at, word)| {
        // "a safe way", "too fine": something else is.
        let noun = at > 0 && matches!(near[at - 1], "a" | "an" | "too" | "hardly") && *word != "step";
        lists(list, word) && !noun
    }) || matches!(near.as_slice(), ["first", ..] | ["the" | "your" | "our", "first"])
}

/// "your job", "what the agent is for", "the way".
fn is_task(words: &[&str]) -> bool {
    match words {
        ["your" | "our" | "what" | "how" | "where" | "why", ..] => true,
        ["the", noun, ..] => matches!(
            *noun,
            "way"
                | "next"
                | "right"
                | "best"
                | "start"
                | "key"
                | "cure"
                | "fix"
                | "answer"
                | "solution"
                | "task"
                | "job"
                | "remedy"
        ),
        _ => false,
    }
}

/// "must be run", "has to be typed".
fn is_done(words: &[&str]) -> bool {
    let done = |word: &&str| matches!(*word, "run" | "executed" | "used" | "typed" | "issued" | "called");
    match words {
        ["must" | "may", "be", rest @ ..] => rest.iter().take(2).any(done),
        ["has", "to", "be", rest @ ..] => rest.iter().take(2).any(done),
        _ => false,
    }
}

/// Whether a verb before "it" runs what was named: "begin with it", "the agent runs it". Not who does so, and loses by it.
pub(in crate::facts) fn runs_it(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let back = |at: usize| matches!(word(at), "it" | "this" | "that" | "them" | "these");
    (0..tokens.len()).any(|at| {
        let before = [word(at.wrapping_sub(1)), word(at.wrapping_sub(2)), word(at.wrapping_sub(3))];
        let other = before.iter().any(|word| lists(&NEGATES, word))
            || matches!(before[0], "who" | "whoever" | "that" | "which" | "anyone")
            || before[..2].iter().any(|word| matches!(*word, "if" | "when" | "before" | "once"));
        // "CI runs it" is a reason; "the agent runs it" is what is to be done.
        let reader = matches!(before[0], "agent" | "agents" | "you" | "we" | "assistant" | "model" | "bot");
        let runs = (matches!(word(at), "runs" | "executes" | "types" | "pastes" | "issues" | "does")
            && reader
            && back(at + 1))
            || (matches!(word(at), "source" | "run" | "execute" | "paste" | "type" | "launch")
                && back(at + 1))
            || (matches!(word(at), "begin" | "start" | "begins" | "starts")
                && word(at + 1) == "with"
                && back(at + 2));
        runs && !other
    })
}

/// Nouns for commands that stand somewhere.
const NAMED: [&str; 16] = [
    "block", "blocks", "fence", "fences", "snippet", "snippets", "list", "command", "commands", "line",
    "lines", "step", "steps", "code", "entries", "example",
];

/// Verbs with which somebody is told to run what stands above.
const RUNS: [&str; 27] = [
    "proceed", "work", "pipe", "carry", "complete", "run", "execute", "apply", "paste", "copy", "type",
    "enter", "use", "do", "issue", "launch", "perform", "repeat", "follow", "source", "invoke", "call",
    "start", "begin", "go", "take", "rerun",
];

/// Where a sentence names commands further up: "the block above", "the commands of the previous section", "the above". The
/// pieces from its first to its last.
fn above(tokens: &[Token]) -> Option<(usize, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    (0..tokens.len()).find_map(|at| {
        if matches!(word(at), "the" | "these" | "those" | "all" | "both")
            && matches!(word(at + 1), "above" | "aforementioned")
        {
            return Some((at, at + 1));
        }
        if matches!(word(at), "everything" | "all" | "what" | "whatever") {
            let pointer = |at: &usize| matches!(word(*at), "above" | "earlier");
            if let Some(pointer) = (at + 1..=at + 3).find(pointer) {
                return Some((at, pointer));
            }
        }
        let fits = matches!(word(at), "the" | "all" | "each" | "every" | "both" | "these" | "those" | "any");
        let noun = (at + 1..=at + 5).find(|noun| lists(&NAMED, word(*noun))).filter(|_| fits)?;
        if (at + 1..noun).any(|at| matches!(word(at), "the" | "these" | "those")) {
            return None;
        }
        let before = (at + 1..noun).find(|at| matches!(word(*at), "above" | "previous" | "preceding"));
        let behind = (noun + 1..=noun + 5)
            .find(|at| matches!(word(*at), "above" | "previous" | "preceding" | "earlier"));
        before.map(|_| (at, noun)).or(behind.map(|behind| (at, behind)))
    })
}

/// Whether a sentence names commands that stand above it: "The command above cleans up."
pub(in crate::facts) fn names_above(sentence: &Sentence<'_>) -> bool {
    above(sentence.tokens).is_some()
}

/// Whether the pieces tell not to leave something out: "Do not forget to run", "Never skip".
fn insists(tokens: &[Token]) -> bool {
    const LEAVES: [&str; 8] = ["forget", "skip", "omit", "neglect", "fail", "hesitate", "miss", "wait"];
    let negated = tokens.iter().position(|token| token.is_in(&NEGATES));
    negated.is_some_and(|at| tokens[at + 1..].iter().take(2).any(|token| token.is_in(&LEAVES)))
}

/// Whether a sentence tells to run commands that stand above it, wherever that is: "Run the block above", "The commands
/// above are your first task".
pub(in crate::facts) fn runs_above(sentence: &Sentence<'_>) -> bool {
    let tokens = sentence.tokens;
    let Some((from, to)) = above(tokens) else { return false };
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let instead = tokens.iter().any(|token| token.is_in(&["instead", "rather"]));
    if !instead && insists(&tokens[..from]) {
        return true;
    }
    if instead || tokens.iter().any(|token| token.is_in(&NEGATES)) {
        return false;
    }
    // "Your first task is the block above", "Now the block above"
    let task = |at: usize| {
        let reader = at > 0 && matches!(word(at - 1), "agent" | "agents" | "you");
        matches!(word(at), "task" | "job" | "duty" | "first" | "now" | "step" | "setup" | "next")
            || (reader && matches!(word(at), "begins" | "runs" | "executes" | "starts"))
    };
    if from <= 6 && (0..from).any(task) && !tokens[..from].iter().any(Token::is_code) {
        return true;
    }
    let told = (0..from).any(|at| {
        let before = [at.checked_sub(1), at.checked_sub(2)].map(|at| at.map_or("", word));
        let aside =
            before.iter().any(|word| matches!(*word, "before" | "if" | "when" | "who" | "whoever" | "that"));
        let clause =
            tokens[at..from].iter().filter(|token| matches!(token.kind, Kind::Mark('.' | ';'))).count();
        lists(&RUNS, word(at)) && from - at <= 6 && !aside && clause == 0
    });
    let rest: Vec<&str> = tokens[to + 1..].iter().map(Token::word).collect();
    let said = |at: usize| rest.get(at).copied().unwrap_or_default();
    let is = match (said(0), said(1)) {
        ("is" | "are", _) => {
            says(&rest[1..], &APPROVED)
                || says(&rest[1..], &NEEDED)
                || rest.iter().take(6).any(|word| matches!(*word, "task" | "tasks" | "duty" | "start"))
                || rest.iter().take(4).any(|word| matches!(*word, "yours"))
                || (said(1) == "to" && said(2) == "be")
        }
        ("must" | "should" | "may" | "can", "be" | "now") => true,
        ("has" | "have", "to") => true,
        ("comes" | "come", "first") => true,
        _ => false,
    };
    told || is
}

/// Words that may stand before an order in a sentence that gives what was named above it.
const BEFORE: [&str; 48] = [
    "now",
    "then",
    "so",
    "please",
    "just",
    "you",
    "we",
    "agents",
    "agent",
    "the",
    "anyone",
    "everyone",
    "everybody",
    "may",
    "can",
    "should",
    "must",
    "still",
    "always",
    "first",
    "also",
    "again",
    "today",
    "at",
    "start",
    "they",
    "and",
    "but",
    "or",
    "ok",
    "okay",
    "yes",
    "however",
    "therefore",
    "actually",
    "simply",
    "go",
    "ahead",
    "to",
    "have",
    "need",
    "are",
    "is",
    "allowed",
    "free",
    "feel",
    "step",
    "update",
];

/// Whether a sentence gives what was named above it: "You may now run it", "It is allowed again", "An exception is made for
/// agents". It names nothing itself, and nothing stands in it that could be meant by "it".
pub(in crate::facts) fn leaves_it(sentence: &Sentence<'_>) -> bool {
    let tokens = sentence.tokens;
    if tokens.iter().any(|token| token.is_code() || token.is_in(&["instead", "rather"])) || declines(tokens) {
        return false;
    }
    let last = tokens.iter().rev().find(|token| matches!(token.kind, Kind::Word(_)));
    let back = last.is_some_and(|token| token.is_in(&["it", "them", "this", "that"]));
    if insists(tokens) && tokens.len() <= 8 && back {
        return true;
    }
    if tokens.iter().any(|token| token.is_in(&NEGATES)) {
        return false;
    }
    // "On Mondays, run it.": what stands before the comma bounds the order, and is not what is run.
    let bound = tokens.first().is_some_and(|first| first.is_in(&LIMITS) || first.is_in(&["of"]));
    let comma = tokens.iter().take(6).position(|token| token.is(',')).filter(|_| bound);
    let tokens = &tokens[comma.map_or(0, |at| at + 1)..];
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let before = tokens
        .iter()
        .take_while(|token| {
            let orders = token.is_in(&["start", "go"]);
            (token.is_in(&BEFORE) && !orders) || number(token.word()) || !matches!(token.kind, Kind::Word(_))
        })
        .count();
    let verb = ["run", "do", "execute", "use", "paste", "type", "issue", "launch", "apply", "rerun"];
    let with = matches!(word(before), "begin" | "start") && word(before + 1) == "with";
    let object = if with { before + 2 } else { before + 1 };
    let ends = tokens
        .get(object + 1)
        .is_none_or(|next| !next.is(':') && (!matches!(next.kind, Kind::Word(_)) || next.is_in(&GOES_ON)));
    let told = (with || verb.contains(&word(before)))
        && (matches!(word(object), "it" | "them" | "both")
            || matches!(word(object), "this" | "these" | "that" | "those" | "all") && ends)
        && !tokens.get(object + 1).is_some_and(|next| next.is(':'));
    let excepts = tokens.len() <= 12
        && tokens.iter().any(|token| token.is_in(&["exception", "exceptions"]))
        && !tokens.iter().any(|token| token.is_in(&OF_PROGRAMS));
    let words = words(tokens);
    // "Do the same."
    let same = words.len() <= 8
        && (words.windows(3).any(|three| matches!(three, ["do" | "run" | "repeat", "the", "same"]))
            || words.windows(2).any(|two| matches!(two, ["do", "likewise"] | ["follow", "suit"])));
    if same {
        return true;
    }
    // "Your first task is to run it."
    let task = words.len() <= 10
        && words.iter().any(|word| matches!(*word, "task" | "job" | "duty"))
        && words.iter().any(|word| matches!(*word, "it" | "them" | "this" | "these"));
    let sure = words.len() <= 8
        && matches!(
            words.as_slice(),
            ["make", "sure", ..] | ["be", "sure", ..] | ["go", "on", ..] | ["remember", ..]
        )
        && runs_it(tokens);
    let due = words
        .windows(4)
        .any(|four| matches!(four, ["are" | "is", "to", "be", "run" | "executed" | "typed" | "used"]))
        && words.iter().any(|word| matches!(*word, "these" | "they" | "it" | "this" | "all"));
    told || excepts || task || sure || due || approves(tokens) || (words.len() <= 10 && of_reader(&words))
}

/// Words of programs and of policies beside which an exception is none from what was said.
const OF_PROGRAMS: [&str; 20] = [
    "caught",
    "catch",
    "raised",
    "raise",
    "thrown",
    "throw",
    "logged",
    "log",
    "documented",
    "handled",
    "handle",
    "handler",
    "handling",
    "wrapped",
    "class",
    "classes",
    "message",
    "messages",
    "type",
    "types",
];

/// Words with which an order goes on behind "this".
const GOES_ON: [&str; 14] = [
    "now", "at", "on", "in", "before", "after", "first", "when", "if", "again", "every", "each", "as",
    "daily",
];

/// "The agent begins with it."
fn of_reader(words: &[&str]) -> bool {
    let reader = words.iter().any(|word| matches!(*word, "agent" | "agents" | "you" | "assistant"));
    let runs = words.windows(2).any(|pair| {
        matches!(pair, ["runs" | "run" | "executes" | "types" | "with" | "does" | "do", "it" | "them"])
    });
    reader && runs
}

/// Whether a reason is an order, or no reason but leave: "always do", "go ahead", "start there". What it orders may be
/// something else: "ask first", "use the trash".
pub(in crate::facts) fn orders_it(reason: &[Token]) -> bool {
    const VERBS: [&str; 18] = [
        "do", "go", "start", "begin", "obey", "follow", "type", "paste", "source", "launch", "proceed",
        "trigger", "enter", "submit", "perform", "repeat", "continue", "try",
    ];
    const BEFORE: [&str; 10] =
        ["please", "yes", "always", "just", "then", "so", "now", "simply", "first", "and"];
    if reason.iter().any(Token::is_code) {
        return false;
    }
    let words = words(reason);
    let before = words.iter().take_while(|word| lists(&BEFORE, word)).count();
    match words[before..] {
        [] => true,
        ["do", "not" | "never", ..] => false,
        ["run", "first" | "now" | "once", ..] | ["run"] => true,
        ["it", "opens" | "starts" | "begins", "each" | "every" | "your", ..] => true,
        [first, ..] => lists(&VERBS, first),
    }
}
