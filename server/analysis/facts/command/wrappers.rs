//! Programs that run other programs, and how to find the command that they run: a table, and one loop over it.

mod rules;

use rules::{RULES, Rule};

use super::dialect::Dialect;
use super::script::{Simple, Word, Wrapper};

/// A program's plain name: without directories and `.exe`, in lower case where the shell does not care.
pub(super) fn plain_name(value: &str, dialect: Dialect) -> String {
    let windows = dialect != Dialect::Posix;
    let value = looked_up(value).unwrap_or(value);
    let name = match value.rfind(|c| c == '/' || (c == '\\' && windows)) {
        Some(at) if !value[at + 1..].is_empty() => &value[at + 1..],
        _ => value,
    };
    // a recipe's `@` and `-` of make, the `@` of the command prompt
    let name = match name.trim_start_matches(['@', '+']) {
        bare if bare.starts_with('-') && !bare.starts_with("--") => bare[1..].trim_start_matches('@'),
        bare => bare,
    };
    let stem = name.len().checked_sub(4).filter(|len| *len > 0 && name.is_char_boundary(*len));
    let stem = stem
        .map(|len| name.split_at(len))
        .filter(|(_, suffix)| [".exe", ".cmd"].iter().any(|known| suffix.eq_ignore_ascii_case(known)));
    match stem {
        Some((stem, _)) => stem.to_ascii_lowercase(),
        None if windows => name.to_ascii_lowercase(),
        None => name.to_owned(),
    }
}

/// The program that a substitution in a program's place names: `$(which rm)`, `$(command -v rm)`, `$(echo rm)`.
fn looked_up(value: &str) -> Option<&str> {
    let inner = value.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.or_else(|| value.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')))?;
    let mut words = inner.split_whitespace();
    let known = match words.next()? {
        "which" | "echo" | "printf" => true,
        "command" | "type" | "whence" => words.next()?.starts_with('-'),
        _ => false,
    };
    let name = words.next().filter(|_| known)?.trim_matches(['\'', '"']);
    words.next().is_none().then_some(name)
}

/// Whether a word is `NAME=value` (POSIX 2.10.2, rule 7).
fn is_assignment(word: &Word) -> bool {
    let Some(sign) = word.value.find('=') else { return false };
    let name = word.value[..sign].trim_end_matches('+');
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Takes leading assignments and wrappers off `simple.words`, however many: each word is looked at a bounded number of
/// times, and the words are moved once, at the end.
pub(super) fn unwind(simple: &mut Simple) {
    let mut from = 0;
    let mut unfit = None;
    loop {
        let count = match simple.dialect {
            Dialect::Posix => simple.words[from..].iter().take_while(|word| is_assignment(word)).count(),
            Dialect::PowerShell if is_variable_assignment(&simple.words[from..]) => 2,
            _ => 0,
        };
        simple.assignments.extend(simple.words[from..from + count].iter_mut().map(std::mem::take));
        from += count;
        if simple.dialect == Dialect::Cmd {
            from += batch_head(&simple.words[from..]);
            from = split_switches(&mut simple.words, from);
        }
        let rest = &simple.words[from..];
        let Some((rule, name_words)) = rule_of(rest, simple.dialect) else { break };
        // only words that stay what they are when they are read once more
        if rule.name == "eval" {
            let last = unfit.get_or_insert_with(|| {
                let fit = |word: &Word| word.literal() && !word.value.contains(is_sign);
                simple.words.iter().rposition(|word| !fit(word))
            });
            if last.is_some_and(|last| last >= from) {
                break;
            }
        }
        let Some((at, assigned)) = command_at(rule, rest, name_words) else { break };
        let span = rest[0].span.start..rest[at - 1].span.end;
        simple.wrappers.push(Wrapper { name: rule.name, span });
        from += at;
        simple.assignments.extend(simple.words[from - assigned..from].iter_mut().map(std::mem::take));
    }
    let taken = simple.words.drain(..from);
    if !simple.wrappers.is_empty() {
        simple.outer.extend(taken);
    }
}

fn is_sign(c: char) -> bool {
    c.is_whitespace() || ";|&<>()'\"\\#".contains(c)
}

/// How many words stand before the command of a conditional line of the command prompt: `if exist x`, `do`, `else`.
fn batch_head(words: &[Word]) -> usize {
    let is = |at: usize, names: &[&str]| {
        words.get(at).is_some_and(|word| names.iter().any(|name| word.value.eq_ignore_ascii_case(name)))
    };
    if is(0, &["do", "else"]) {
        return 1;
    }
    if !is(0, &["if"]) {
        return 0;
    }
    let mut at = 1;
    while is(at, &["/i", "not"]) {
        at += 1;
    }
    at += match words.get(at) {
        _ if is(at, &["exist", "defined", "errorlevel", "cmdextversion"]) => 2,
        Some(word) if word.value.contains("==") => 1,
        _ => 3,
    };
    if at < words.len() { at } else { 0 }
}

/// `rd/s/q` of the command prompt: switches need no blank before them. Splits the word at `from`, before which all are
/// done with, and says where it begins then.
fn split_switches(words: &mut Vec<Word>, from: usize) -> usize {
    let Some(first) = words.get(from) else { return from };
    let Some(slash) = first.value.find('/').filter(|at| *at > 0) else { return from };
    if first.quoted || !first.value.bytes().take(slash).all(|byte| byte.is_ascii_alphabetic()) {
        return from;
    }
    let part = |range: std::ops::Range<usize>| {
        let mut origin = super::origin::Origin::default();
        first.origin.copy(range.start, range.end, 0, &mut origin);
        Word {
            value: first.value[range.clone()].to_owned(),
            span: first.locate(range),
            origin,
            ..first.clone()
        }
    };
    let parts = [part(0..slash), part(slash..first.value.len())];
    // the place of a word that is done with spares moving all those behind
    let start = from.saturating_sub(1);
    words.splice(start..=from, parts);
    start
}

fn is_variable_assignment(words: &[Word]) -> bool {
    words.len() > 2 && words[0].value.starts_with('$') && words[1].value == "="
}

/// Whether a wrapper of the table has this name, without a subcommand.
pub(super) fn is_wrapper(program: &str) -> bool {
    RULES.iter().any(|rule| rule.name == program)
}

/// The wrapper that a command's first words name, and how many words that takes.
fn rule_of(words: &[Word], dialect: Dialect) -> Option<(&'static Rule, usize)> {
    let first = plain_name(&words.first()?.value, dialect);
    let initial = *first.as_bytes().first()?;
    RULES.iter().filter(|rule| rule.name.as_bytes()[0] == initial).find_map(|rule| {
        let mut names = rule.name.split(' ');
        if names.next() != Some(first.as_str()) {
            return None;
        }
        let mut count = 1;
        for name in names {
            // options of the main program may stand between: `docker -H host exec`
            let found = words[count..].iter().take(4).position(|word| word.value == name)?;
            let between = &words[count..count + found];
            if between.first().is_some_and(|word| !word.value.starts_with('-')) {
                return None;
            }
            count += found + 1;
        }
        Some((rule, count))
    })
}

/// The index of the first word of the command behind a wrapper, and how many assignments stand right before it.
fn command_at(rule: &Rule, words: &[Word], name_words: usize) -> Option<(usize, usize)> {
    let mut at = name_words;
    if rule.dashes {
        at += words.get(at..)?.iter().position(|word| word.value == "--")? + 1;
        return (at < words.len()).then_some((at, 0));
    }
    let mut operands = rule.operands;
    let mut assigned = 0;
    loop {
        let word = words.get(at)?;
        let value = word.value.as_str();
        if value == "--" {
            at += 1;
            if operands > 0 && words.len() > at + operands {
                at += operands;
            }
            return (at < words.len()).then_some((at, 0));
        }
        if let Some(long) = value.strip_prefix("--") {
            if matches!(long, "help" | "version") {
                return None;
            }
            at += if rule.longs.contains(&long) { 2 } else { 1 };
        } else if value == "-" && rule.name == "env" {
            // the old spelling of `-i`
            at += 1;
        } else if let Some(short) = value.strip_prefix('-').filter(|short| !short.is_empty()) {
            if short.starts_with(|c| rule.stops.contains(c)) {
                return None;
            }
            // the first letter that takes a value takes the rest of the word, or the next one
            let takes = short.find(|c| rule.values.contains(c)).is_some_and(|at| at + 1 == short.len());
            at += if takes { 2 } else { 1 };
        } else if rule.assigns && is_assignment(word) {
            at += 1;
            assigned += 1;
            continue;
        } else if operands > 0 {
            operands -= 1;
            at += 1;
            if operands == 0
                && words.get(at).is_some_and(|word| word.value != "--" && !word.value.starts_with('-'))
            {
                return Some((at, 0));
            }
        } else {
            return Some((at, assigned));
        }
        assigned = 0;
    }
}
