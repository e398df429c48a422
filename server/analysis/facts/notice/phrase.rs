//! The phrases of prompt control, of external actions and of the second person.
//!
//! Each function takes a window and a word of its first line, and gives the phrase that begins with that word.

use super::read::{Cursor, is_end, is_space};
use super::{Found, Mark, Word};

/// What an instruction is called where somebody else gave it.
const SAYINGS: &[&str] =
    &["instruction", "instructions", "prompt", "prompts", "message", "messages", "rule", "rules"];

/// Text that takes the reader's instructions away, names them, or gives others.
pub(super) fn prompt_control(window: &str, mark: &Mark) -> Option<Found> {
    let behind = Cursor::new(window, mark.range.end);
    let (end, pattern) = match mark.word {
        Word::Override => (behind.words_within(80).find_map(earlier)?, "override"),
        Word::Author => {
            (behind.word(&["message", "prompt", "instruction", "instructions"])?, "prompt-reference")
        }
        Word::You => (role(behind.word(&["are"])?)?, "role"),
        Word::Act => (role(behind.word(&["as"])?)?, "role"),
        Word::Pretend => (role(behind.word(&["to"])?.word(&["be"])?)?, "role"),
        Word::Follow => {
            let whose = behind.maybe(&["only"]);
            let whose = whose
                .word(&["these", "my", "this"])
                .or_else(|| whose.word(&["the"]).and_then(|the| the.word(&["following"])))?;
            (whose.word(&["instruction", "instructions", "prompt"])?, "obey")
        }
        Word::Do => (kept(behind.word(&["not"])?)?, "conceal"),
        Word::Never => (kept(behind)?, "conceal"),
        _ => return None,
    };
    Some((mark.range.start..end.at, pattern))
}

/// `previous`, up to three words, `instructions`; or `system prompt`.
fn earlier(start: Cursor<'_>) -> Option<Cursor<'_>> {
    if let Some(author) = start.this(&["system", "developer", "user"]) {
        return author.word(SAYINGS);
    }
    let mut place = start.this(&["previous", "prior", "earlier", "above"])?;
    for _ in 0..=3 {
        if let Some(end) = place.word(SAYINGS) {
            return Some(end);
        }
        let next = place.space()?;
        let length = next.rest().find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
        let length = length.unwrap_or(next.rest().len());
        place = next.to(next.at + length);
        if length == 0 {
            return None;
        }
    }
    None
}

/// Who the reader is to be.
fn role(behind: Cursor<'_>) -> Option<Cursor<'_>> {
    if let Some(name) = behind.word(&["chatgpt"]) {
        return Some(name);
    }
    if let Some(article) = behind.word(&["a", "an"]) {
        let model = || article.word(&["language"])?.word(&["model"]);
        return article.word(&["ai", "assistant", "agent"]).or_else(model);
    }
    behind.word(&["the"])?.word(&["assistant", "agent", "model"])
}

/// What is not to be told.
fn kept(behind: Cursor<'_>) -> Option<Cursor<'_>> {
    let verb = behind.word(&["mention", "reveal", "disclose", "report"])?;
    verb.words_within(60).find_map(|word| word.this(&["instruction", "instructions", "prompt", "message"]))
}

const ARTICLES: &[&str] = &["this", "the", "a", "following"];

/// A request to run something or to fetch something, or a command that does.
pub(super) fn external_action(window: &str, mark: &Mark) -> Option<Found> {
    let behind = Cursor::new(window, mark.range.end);
    let (end, pattern) = match mark.word {
        Word::Run => {
            const WHAT: &[&str] = &[
                "command",
                "script",
                "shell",
                "terminal",
                "powershell",
                "cmd",
                "bash",
                "executable",
                "program",
            ];
            (behind.maybe(ARTICLES).word(WHAT)?, "run")
        }
        Word::Fetch => (target(behind)?, "fetch"),
        Word::Navigate => (behind.word(&["to"]).and_then(target).or_else(|| target(behind))?, "fetch"),
        Word::Fetcher | Word::Tool => (behind, "tool"),
        Word::Npm => (behind.word(&["install", "exec"])?, "tool"),
        Word::Pip => (behind.word(&["install"])?, "tool"),
        Word::PowerShell => (exe(behind).space()?.literal("-").filter(|end| option(*end))?, "tool"),
        Word::Cmd => (exe(behind).space()?.literal("/c").filter(|end| is_end(window, end.at))?, "tool"),
        Word::Shell => (behind.space()?.literal("-c").filter(|end| is_end(window, end.at))?, "tool"),
        _ => return None,
    };
    Some((mark.range.start..end.at, pattern))
}

fn exe(name: Cursor<'_>) -> Cursor<'_> {
    name.literal(".exe").unwrap_or(name)
}

/// Whether an option's name begins here.
fn option(dash: Cursor<'_>) -> bool {
    dash.rest().bytes().next().is_some_and(super::read::is_word)
}

/// What is fetched, visited or sent to; a longer word will do (`links`).
fn target(behind: Cursor<'_>) -> Option<Cursor<'_>> {
    const TARGETS: &[&str] = &["url", "uri", "link", "endpoint", "http://", "https://", "www."];
    let begins = |place: Cursor<'_>| {
        let next = place.space()?;
        let end = TARGETS.iter().find_map(|target| next.literal(target))?;
        Some(end.at)
    };
    let article = behind.word(ARTICLES);
    let end = article.and_then(begins).or_else(|| begins(behind))?;
    Some(behind.to(end))
}

/// A duty of whoever reads.
pub(super) fn second_person(window: &str, mark: &Mark) -> Option<Found> {
    let behind = Cursor::new(window, mark.range.end);
    let end = match mark.word {
        Word::You => {
            let plain = behind.word(&["must", "should"]);
            let need = || behind.word(&["need"])?.word(&["to"]);
            let are = || behind.word(&["are"])?.word(&["required", "expected", "instructed"])?.word(&["to"]);
            let will = || behind.word(&["will"])?.word(&["now"]);
            plain.or_else(need).or_else(are).or_else(will)?
        }
        Word::Make => behind.word(&["sure"])?.maybe(&["that"]).word(&["you"])?,
        Word::Ensure => behind.maybe(&["that"]).word(&["you"])?,
        Word::Your => behind.word(&["task", "job", "goal", "instruction", "instructions"])?.word(&["is"])?,
        _ => return None,
    };
    Some((mark.range.start..end.at, "second-person"))
}

/// Whether a line has nothing in it.
pub(super) fn is_blank(line: &str) -> bool {
    line.chars().all(is_space)
}
