//! Commands as values: Dockerfiles, YAML, JSON, TOML, front matter.

use std::ops::Range;

use super::fence::push;
use super::{guess, prose, strings};
use crate::facts::command::Dialect;
use crate::facts::command::keys::Holds;
use crate::facts::command::read::{read, read_part};
use crate::facts::command::script::Candidate;

/// A logical line of a Dockerfile: `RUN`, `CMD`, `ENTRYPOINT`, also after `ONBUILD` and `HEALTHCHECK`.
pub(super) fn dockerfile(unit: &str, found: &mut Vec<Candidate>) {
    let mut at = unit.len() - unit.trim_start().len();
    loop {
        let rest = &unit[at..];
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = rest[..len].to_ascii_uppercase();
        at += len;
        at += unit[at..].len() - unit[at..].trim_start().len();
        match word.as_str() {
            "ONBUILD" | "HEALTHCHECK" => {}
            _ if word.starts_with("--") => {}
            "RUN" | "CMD" | "ENTRYPOINT" | "SHELL" => break,
            _ => return,
        }
    }
    while unit[at..].starts_with("--") {
        let rest = &unit[at..];
        at += rest.find(char::is_whitespace).unwrap_or(rest.len());
        at += unit[at..].len() - unit[at..].trim_start().len();
    }
    if unit[at..].starts_with('[') {
        return list(unit, at..unit.len(), found);
    }
    push(found, read_part(unit, at..unit.len(), Dialect::Posix, false), false);
}

/// A list of strings that are a command's words: `["rm", "-rf", "x"]`.
fn list(unit: &str, range: Range<usize>, found: &mut Vec<Candidate>) {
    let literals = strings::literals(&unit[..range.end], range.start);
    // the arguments of a shell that the image or another key names
    if let [option, command, ..] = literals.as_slice() {
        let option = &unit[option.clone()];
        if option.starts_with('-') && option.ends_with('c') && option.len() <= 4 {
            return push(found, read_part(unit, command.clone(), Dialect::Posix, true), false);
        }
    }
    let (text, origin) = strings::joined(unit, literals.into_iter());
    push(found, read(&text, Some(&origin), Dialect::Posix, true), false);
}

/// A line of YAML: the value of a key that holds a command, an entry of a list, or a line of a block scalar.
pub(super) fn yaml(unit: &str, found: &mut Vec<Candidate>) {
    let mut at = 0;
    for line in unit.split_inclusive('\n') {
        yaml_line(unit, at..at + line.trim_end().len(), found);
        at += line.len();
    }
}

/// The values of keys that hold commands in flow collections (YAML 1.2, 7.4), in whatever brackets they stand: what
/// nests too deep for a reader of records is read here.
fn flow(unit: &str, range: Range<usize>, found: &mut Vec<Candidate>) {
    let text = &unit[range.clone()];
    let mut at = 0;
    while let Some(brace) = text[at..].find(['{', ',']) {
        at += brace + 1;
        let Some((key, value)) = pair(unit, range.start + at..range.end) else { continue };
        if matches!(Holds::of(&unit[key]), Holds::Nothing | Holds::Perhaps) {
            continue;
        }
        let rest = &unit[value.clone()];
        let value = match strings::literals(rest, 0).into_iter().next() {
            Some(literal) if literal.start == 1 => value.start + 1..value.start + literal.end,
            _ => value.start..value.start + rest.find([',', '}', ']']).unwrap_or(rest.len()),
        };
        at = value.end - range.start;
        push(found, read_part(unit, value, Dialect::Posix, true), false);
    }
}

fn yaml_line(unit: &str, range: Range<usize>, found: &mut Vec<Candidate>) {
    if unit[range.clone()].contains('{') {
        flow(unit, range.clone(), found);
    }
    let mut start = range.start + (unit[range.clone()].len() - unit[range.clone()].trim_start().len());
    if unit[start..range.end].starts_with('#') {
        return;
    }
    while unit[start..range.end].starts_with("- ") {
        start += 2;
        start += unit[start..range.end].len() - unit[start..range.end].trim_start().len();
    }
    if let Some((key, value)) = pair(unit, start..range.end) {
        if Holds::of(&unit[key]) == Holds::Nothing {
            return;
        }
        start = value.start;
    }
    let mut value = start..range.end;
    if unit[value.clone()].starts_with('{') && !unit[value.clone()].starts_with("{{") {
        return;
    }
    if unit[value.clone()].starts_with('[') {
        return list(unit, value, found);
    }
    value = unquoted(unit, value);
    let dialect = guess::dialect(&unit[value.clone()], Dialect::Posix);
    push(found, read_part(unit, value, dialect, true), false);
}

/// `key: value`: the ranges of both, if the line is one.
fn pair(unit: &str, range: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let text = &unit[range.clone()];
    let colon = text.find(':')?;
    let after = &text[colon + 1..];
    let key = text[..colon].trim().trim_matches(['"', '\'']);
    let named =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./$@".contains(&byte));
    if !named || !(after.is_empty() || after.starts_with([' ', '\t'])) {
        return None;
    }
    let start = range.start + text.find(key)?;
    let value = range.start + colon + 1 + (after.len() - after.trim_start().len());
    Some((start..start + key.len(), value..range.end))
}

/// The range without the quotes around the whole.
fn unquoted(unit: &str, range: Range<usize>) -> Range<usize> {
    let text = unit[range.clone()].trim_end().trim_end_matches(',');
    let range = range.start..range.start + text.len();
    for quote in ['"', '\''] {
        if text.len() >= 2 && text.starts_with(quote) && text.ends_with(quote) {
            return range.start + 1..range.end - 1;
        }
    }
    range
}

/// Lines of JSON or TOML: the string value of a key (a script of package.json). Entries of arrays are left alone: most
/// often they are patterns of a permission list.
pub(super) fn pairs(unit: &str, found: &mut Vec<Candidate>) {
    let mut at = 0;
    for line in unit.split_inclusive('\n') {
        let literals = strings::literals(&unit[..at + line.len()], at);
        let code = line.trim_start();
        let bare_key = !code.starts_with(['"', '[', '{']) && code.contains('=');
        for (index, value) in literals.iter().enumerate() {
            let named = match index.checked_sub(1) {
                Some(before) => matches!(unit[literals[before].end + 1..value.start - 1].trim(), ":" | "="),
                None => bare_key && literals.len() == 1,
            };
            if named && unit[value.clone()].contains(' ') {
                push(found, read_part(unit, value.clone(), Dialect::Posix, true), false);
            }
        }
        // `"command": ["rm", "-rf", "x"]`
        if let [key, ..] = literals.as_slice()
            && Holds::of(&unit[key.clone()]) != Holds::Nothing
            && let Some(rest) = unit.get(key.end + 1..at + line.len())
            && rest.trim_start().strip_prefix(':').is_some_and(|rest| rest.trim_start().starts_with('['))
        {
            list(unit, key.end + 1..at + line.len(), found);
        }
        at += line.len();
    }
}

/// A line of front matter: its value is read as prose.
pub(super) fn front_matter(unit: &str, found: &mut Vec<Candidate>) {
    let start = pair(unit, 0..unit.len()).map_or(0, |(_, value)| value.start);
    prose::prose(unit, start..unit.len(), false, found);
}
