//! Labels: whole lines that forbid the block below them (seed 1, "Supported labels").
//!
//! The grammar is closed on purpose: whatever is not in it does not exempt. A line that nearly is one (a condition, an
//! exception, other words) is kept as a near miss, so that hover can say why it has no force.

/// What a label forbids, by its noun. `Instructions` also covers phrases that turn on the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Noun {
    /// `commands`, and the project's own labels.
    Commands,
    /// `instructions`.
    Instructions,
}

/// A line read as a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// It is one.
    Holds(Noun),
    /// It nearly is one.
    Near(Near),
}

/// Why a line that looks like a label is not in the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Near {
    /// It is set in code.
    CodeQuoted,
    /// It has an exception word.
    Exception,
    /// It has a condition, or limits place, person or time.
    Condition,
    /// Its words are not those of a supported form.
    Wording,
    /// It is one but for the colon at its end.
    NoColon,
    /// It is one but for its noun, which stands in the singular.
    Singular,
    /// It is one, and the tail of what the lines above it in its paragraph say.
    MidSentence,
}

const VERBS: [&str; 4] = ["run", "execute", "use", "follow"];
const NOUNS: [(&str, Noun); 2] = [("commands", Noun::Commands), ("instructions", Noun::Instructions)];
const EXCEPTIONS: [&str; 4] = ["but", "however", "except", "unless"];
const LIMITS: [&str; 16] = [
    "if", "when", "while", "until", "before", "after", "without", "on", "in", "from", "as", "yet", "during",
    "for", "outside", "only",
];

/// Reads one line of a paragraph (or of what stands where a label has no force), without the white space around it.
/// `own` are the project's whole-line labels. `None` where nothing looks like a label.
#[must_use]
pub fn read(line: &str, own: &[String]) -> Option<Label> {
    let line = line.trim_matches([' ', '\t']);
    let plain = without_emphasis(line);
    if let Some(plain) = &plain {
        let words = words_of(plain.trim_matches([' ', '\t']));
        if let Some(noun) = grammar(&words) {
            return Some(Label::Holds(noun));
        }
        if own.iter().any(|label| words_of(label.trim_matches([' ', '\t'])) == words) {
            return Some(Label::Holds(Noun::Commands));
        }
    }
    slip(plain.as_deref()).or_else(|| near(line)).map(Label::Near)
}

/// Whether what a paragraph says above one of its lines is not at its end there: it speaks of the line, and the line says
/// nothing for itself ("Wrong:", "Nobody here says"). Nor does what is struck out, quoted or a note below the page.
#[must_use]
pub fn goes_on(above: &str) -> bool {
    if is_container(above.trim()) {
        return false;
    }
    const CLOSERS: [char; 10] = ['*', '_', '"', '\'', ')', ']', '\u{201d}', '\u{2019}', '\u{bb}', '\\'];
    let ends = above.trim_end_matches(|c: char| c.is_whitespace() || CLOSERS.contains(&c));
    let count = |mark: char| above.matches(mark).count();
    let open = count('"') % 2 == 1
        || count('\u{201c}') > count('\u{201d}')
        || count('\u{ab}') > count('\u{bb}')
        || count('(') > count(')');
    let apart =
        ["~~", "%%", "<"].iter().any(|mark| above.contains(mark)) || above.trim_start().starts_with("[^");
    !ends.ends_with(['.', '!', '?']) || ends.ends_with("..") || open || apart
}

/// Whether a text is the line that opens a container, and says nothing of what stands in it: ":::warning".
pub(in crate::facts) fn is_container(text: &str) -> bool {
    const KINDS: [&str; 7] = ["warning", "danger", "caution", "important", "note", "info", "attention"];
    let name = text.trim_start_matches(':');
    text.len() >= name.len() + 3 && KINDS.iter().any(|kind| name.trim().eq_ignore_ascii_case(kind))
}

/// The line's words in lower case, curly apostrophes made straight, and whether a colon ends the last one.
fn words_of(line: &str) -> (Vec<String>, bool) {
    let (line, colon) = match line.strip_suffix(':') {
        Some(line) if !line.ends_with([' ', '\t']) => (line, true),
        _ => (line, false),
    };
    let words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    (words.map(|word| word.replace('\u{2019}', "'").to_ascii_lowercase()).collect(), colon)
}

/// The seven forms. The head, the verb, the determiner and the noun may each be exchanged; the passive form has no verb.
fn grammar((words, colon): &(Vec<String>, bool)) -> Option<Noun> {
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|_| *colon).collect();
    let words = words.as_slice();
    if let ["the", "following", noun, "are", "prohibited" | "forbidden"] = words {
        return noun_of(noun);
    }
    let words = match words {
        ["never", rest @ ..] | ["do" | "must", "not", rest @ ..] | ["don't", rest @ ..] => rest,
        _ => return None,
    };
    let words = match words {
        [verb, rest @ ..] if VERBS.contains(verb) => rest,
        _ => return None,
    };
    let words = match words {
        ["any", "of", rest @ ..] => rest,
        rest => rest,
    };
    let words = match words {
        ["these", rest @ ..] | ["the", "following", rest @ ..] => rest,
        _ => return None,
    };
    match words {
        [noun] | [noun, "under", "any", "circumstances"] => noun_of(noun),
        _ => None,
    }
}

fn noun_of(word: &str) -> Option<Noun> {
    NOUNS.iter().find(|(noun, _)| *noun == word).map(|(_, noun)| *noun)
}

/// Whether the line, without its emphasis, is one of the seven forms but for one slip.
fn slip(plain: Option<&str>) -> Option<Near> {
    let plain = plain?.trim_matches([' ', '\t']);
    let (words, colon) = words_of(plain.trim_end_matches(['.', '!']));
    if !colon {
        return grammar(&(words, true)).map(|_| Near::NoColon);
    }
    let many = words.iter().map(|word| match word.as_str() {
        "this" => "these".to_owned(),
        "is" => "are".to_owned(),
        "command" | "instruction" => format!("{word}s"),
        word => word.to_owned(),
    });
    grammar(&(many.collect(), true)).map(|_| Near::Singular)
}

/// Whether the line prohibits commands or instructions and ends in a colon, though not in the grammar's words.
fn near(line: &str) -> Option<Near> {
    let bare = line.trim_end_matches(['*', '_', '`', '~', ' ', '\t']).trim_end_matches('\u{ff1a}');
    if bare.len() == line.len() && !line.ends_with(':') && !bare.ends_with(':') {
        return None;
    }
    let lower = bare.replace('\u{2019}', "'").to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let head = has(&["never", "don't", "prohibited", "forbidden", "avoid"])
        || words.windows(2).any(|pair| matches!(pair, ["do" | "must" | "should", "not"]));
    if !head || !has(&["command", "commands", "instruction", "instructions"]) {
        return None;
    }
    Some(if has(&EXCEPTIONS) {
        Near::Exception
    } else if line.contains('`') {
        Near::CodeQuoted
    } else if has(&LIMITS) {
        Near::Condition
    } else {
        Near::Wording
    })
}

/// The line without `*` and `_` emphasis, or `None` where the delimiters do not pair up (then they are text). Only
/// delimiters at the edge of a word count: within one they are part of it.
fn without_emphasis(line: &str) -> Option<String> {
    let mut plain = String::with_capacity(line.len());
    let mut open: Vec<(char, usize)> = Vec::new();
    let chars: Vec<char> = line.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if !matches!(c, '*' | '_') {
            plain.push(c);
            at += 1;
            continue;
        }
        let run = chars[at..].iter().take_while(|next| **next == c).count();
        let before = at.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(at + run).copied();
        let (left, right) =
            (after.is_some_and(|c| !c.is_whitespace()), before.is_some_and(|c| !c.is_whitespace()));
        if right && open.last() == Some(&(c, run)) {
            open.pop();
        } else if left {
            open.push((c, run));
        } else {
            return None;
        }
        at += run;
    }
    open.is_empty().then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(line: &str) -> Option<Noun> {
        match read(line, &["Commands that page the on-call:".to_owned()]) {
            Some(Label::Holds(noun)) => Some(noun),
            _ => None,
        }
    }

    #[test]
    fn the_seven_forms_with_every_exchange() {
        for (noun, kind) in NOUNS {
            for verb in VERBS {
                for label in [
                    format!("Never {verb} these {noun}:"),
                    format!("Do not {verb} the following {noun}:"),
                    format!("Don't {verb} any of the following {noun}:"),
                    format!("DON\u{2019}T {verb} any of the following {noun}:"),
                    format!("Must not {verb} these {noun} under any circumstances:"),
                    format!("**Never** {verb} *these* {noun}:"),
                    format!("**Never {verb} these {noun}:**"),
                    format!("***Never {verb} these {noun}***:"),
                    format!("__never {verb}  these\t{noun}:__"),
                ] {
                    assert_eq!(holds(&label), Some(kind), "{label}");
                }
            }
            for word in ["prohibited", "forbidden"] {
                assert_eq!(holds(&format!("The following {noun} are {word}:")), Some(kind));
            }
            assert_eq!(holds(&format!("Do not follow these {noun}:")), Some(kind));
        }
        assert_eq!(holds("Commands that **page** the on-call:"), Some(Noun::Commands));
    }

    #[test]
    fn what_is_nearly_a_label_is_none_and_says_why() {
        for (line, why) in [
            ("Never run these commands", Some(Near::NoColon)),
            ("**Never run these commands!**", Some(Near::NoColon)),
            ("Never run this command:", Some(Near::Singular)),
            ("The following instruction is *forbidden*:", Some(Near::Singular)),
            ("Never run this command", None),
            ("Examples:", None),
            ("Run these commands:", None),
            ("Never run these commands : now", None),
            ("`Never run these commands:`", Some(Near::CodeQuoted)),
            ("Never run `these` commands:", Some(Near::CodeQuoted)),
            ("~~Never run these commands:~~", Some(Near::Wording)),
            ("Never run these commands:**", Some(Near::Wording)),
            ("**Never run these commands:", Some(Near::Wording)),
            ("If unsure, never run these commands:", Some(Near::Condition)),
            ("Never run these commands without approval:", Some(Near::Condition)),
            ("Never run these commands unless told to:", Some(Near::Exception)),
            ("You should never run these commands:", Some(Near::Wording)),
            ("Never run these scripts or commands:", Some(Near::Wording)),
            ("Never ne\u{200b}ver run these commands:", Some(Near::Wording)),
            ("Never run these commands :", Some(Near::Wording)),
            ("\u{41d}ever run these commands:", None),
            ("Never run these commands\u{ff1a}", Some(Near::Wording)),
        ] {
            let read = read(line, &[]);
            assert!(!matches!(read, Some(Label::Holds(_))), "{line}");
            assert_eq!(read, why.map(Label::Near), "{line}");
        }
    }
}
