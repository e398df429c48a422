//! What is fetched first and run further on: the file of `curl -o`, the variable of `X=$(curl …)`.
//!
//! A pipe is not the only way from a server into a shell. What looks into the file between the two, or holds it against a
//! digest, is what the rule's remedy asks for, and ends the search.

use std::ops::Range;

use super::super::command::{Feed, RedirectOp, Script, Simple, Via, Word};
use super::flow;
use crate::lines::CHECKS;

/// How many commands further on a run is looked for: what is fetched is run nearby, and many fetches must not cost their
/// square.
const FAR: usize = 32;

/// If a command behind the one at `at` runs the file that this one, a fetcher, writes: the range of both.
pub(super) fn file_run(script: &Script, at: usize) -> Option<Range<usize>> {
    let files = files(script, at);
    if files.is_empty() {
        return None;
    }
    for later in (at + 1..script.commands.len()).take(FAR) {
        let command = &script.commands[later];
        let names = |word: &Word| files.iter().any(|file| same(&word.value, file));
        if runs_file(script, later, &names) {
            return Some(from_to(script, at, later));
        }
        if CHECKS.contains(&command.program.as_str()) && flow::into_interpreter(script, later).is_none() {
            return None;
        }
    }
    None
}

/// If a command behind the one at `at` runs the text of the variable that this one, a fetcher, fills: the range of both.
pub(super) fn text_run(script: &Script, at: usize) -> Option<Range<usize>> {
    let parent = script.commands[at].parent.filter(|parent| parent.via == Via::Substitution)?;
    let (fetch, outer) = (&script.commands[at], &script.commands[parent.command]);
    let declared = matches!(outer.program.as_str(), "export" | "declare" | "local" | "readonly" | "typeset");
    let words = outer.assignments.iter().chain(if declared { outer.args() } else { &[] });
    let mut names = words
        .filter(|word| word.span.start <= fetch.span.start && fetch.span.end <= word.span.end)
        .filter_map(|word| word.value.split_once('='))
        .map(|(name, _)| name);
    let name = names.next().filter(|name| !name.is_empty())?;
    let refers = |word: &Word| refers(&word.value, name);
    let mut later = (at + 1..script.commands.len()).take(FAR);
    let later = later.find(|later| runs_text(script, *later, &refers))?;
    Some(from_to(script, parent.command, later))
}

fn from_to(script: &Script, from: usize, to: usize) -> Range<usize> {
    let start = script.commands[from].span.start;
    start..flow::range(script, to).end.max(script.commands[from].span.end)
}

/// The files that a fetcher writes: by an option, by a redirection, through `tee`, or under the last name of its address.
fn files(script: &Script, at: usize) -> Vec<String> {
    const MOST: usize = 8;
    let command = &script.commands[at];
    let mut files: Vec<String> = named(command);
    let stages = script.pipeline_of(at).map(|pipeline| pipeline.stages.as_slice()).unwrap_or_default();
    let first = stages.partition_point(|stage| *stage < at);
    for stage in stages[first..].iter().take(MOST) {
        let stage = &script.commands[*stage];
        let writes = |op: RedirectOp| {
            matches!(op, RedirectOp::Write | RedirectOp::Append | RedirectOp::Both | RedirectOp::AppendBoth)
        };
        let targets = stage.redirects.iter().filter(|redirect| writes(redirect.op));
        files.extend(targets.map(|redirect| redirect.target.value.clone()));
        if stage.program == "tee" {
            files.extend(stage.args().iter().map(|word| word.value.clone()));
        }
    }
    files.retain(|file| !file.is_empty() && !file.starts_with('-') && !file.starts_with("/dev/"));
    files.truncate(MOST);
    files
}

/// The files that a fetcher's own words name.
fn named(command: &Simple) -> Vec<String> {
    let wget = command.program.starts_with("wget");
    let (letter, long) = if wget { ('O', "--output-document") } else { ('o', "--output") };
    let (mut files, mut addresses) = (Vec::new(), Vec::new());
    let mut remote = wget || command.program.starts_with("aria");
    let mut words = command.args().iter();
    while let Some(word) = words.next() {
        let value = word.value.as_str();
        let mut name = None;
        if value == long {
            name = words.next().map(|word| word.value.as_str());
        } else if let Some(rest) = value.strip_prefix(long).and_then(|rest| rest.strip_prefix('=')) {
            name = Some(rest);
        } else if value.starts_with("--") {
            remote |= value.starts_with("--remote-name");
        } else if let Some(letters) = value.strip_prefix('-') {
            remote |=
                !wget && letters.contains('O') && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
            if let Some(found) = letters.find(letter) {
                let rest = &letters[found + 1..];
                name =
                    if rest.is_empty() { words.next().map(|word| word.value.as_str()) } else { Some(rest) };
            }
        } else if value.contains('/') {
            addresses.push(value);
        }
        files.extend(name.map(str::to_owned));
    }
    if files.is_empty() && remote {
        let last = |address: &&str| {
            let path = address.split(['?', '#']).next().unwrap_or_default();
            path.rsplit('/').next().unwrap_or_default().to_owned()
        };
        files.extend(addresses.iter().map(last));
    }
    files
}

/// Whether two words name one file: the same path, or one of them a bare name that the other ends in.
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.strip_prefix("./").unwrap_or(a), b.strip_prefix("./").unwrap_or(b));
    let ends = |path: &str, name: &str| {
        !name.contains('/') && path.strip_suffix(name).is_some_and(|before| before.ends_with('/'))
    };
    !a.is_empty() && (a == b || ends(a, b) || ends(b, a))
}

/// Whether the command `at` runs the file that `names` tells.
fn runs_file(script: &Script, at: usize, names: &impl Fn(&Word) -> bool) -> bool {
    let command = &script.commands[at];
    // a bare name is looked for in the path, not here
    let itself = command.words.first().is_some_and(|word| word.value.contains('/') && names(word));
    let fed = matches!(&command.feed, Feed::File(file) if names(file)) && flow::fed_a_file(command);
    let printed = command.program == "cat"
        && command.args().iter().any(names)
        && flow::into_interpreter(script, at).is_some();
    itself || fed || printed || flow::takes_file(command, names)
}

/// Whether the command `at` runs a text in which the words that `refers` tells stand.
fn runs_text(script: &Script, at: usize, refers: &impl Fn(&Word) -> bool) -> bool {
    let command = &script.commands[at];
    let evaluated = matches!(command.program.as_str(), "eval" | "iex" | "invoke-expression");
    let printed = matches!(command.program.as_str(), "echo" | "printf" | "print")
        && command.args().iter().any(refers)
        && flow::into_interpreter(script, at).is_some();
    let fed = matches!(&command.feed, Feed::HereString(text) if refers(text)) && flow::reads_program(command);
    (evaluated && command.args().iter().any(refers)) || printed || fed || flow::takes_text(command, refers)
}

/// Whether a word holds `$name` or `${name}`.
fn refers(value: &str, name: &str) -> bool {
    value.match_indices('$').any(|(at, _)| {
        let rest = &value[at + 1..];
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        rest.strip_prefix(name)
            .is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    })
}
