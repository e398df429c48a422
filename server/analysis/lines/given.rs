//! What code above a line has given a name to: a variable that holds a program, an alias, a file that was fetched.
//!
//! A name is given on one line and used on a later one, and in between the command stands nowhere in the text. So a state
//! carries what was given, newest first, as far as somebody who reads remembers it: over the rest of the fence, and into
//! the fences that follow. Only what may matter is carried, so that most states carry nothing.

use std::collections::HashMap;

use super::fetched::{checks, fetched, looks_into, may_fetch};
use super::state::{Leaf, LexState};
use super::value::{downloads, matters, without_prompt};
use super::{Lang, Lexed, LineKind, Sub};

/// For how many lines behind the last name that was given all of them are remembered.
const FAR: u8 = 120;

/// What a fence's marker costs of them: behind it, nothing is near any more.
const FENCE: u8 = NEAR + 1;

/// How many lines behind it a name is near: those who read on from the line that gives it see its use.
const NEAR: u8 = 8;

/// The most names at once, and the most bytes of a value.
const MOST: (u8, usize) = (12, 256);

/// The names given above a line, by their number in a document's [`Givens`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Given {
    /// The newest; 0 for none.
    list: u32,
    /// For how many more lines they are remembered; 0 without any.
    left: u8,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GivenKind {
    /// The value of a variable: a program, or options.
    Variable,
    /// An alias, a function that runs its arguments, or the copy of a program.
    Alias,
    /// A function that is being written: it may run its arguments.
    Function,
    /// A file that was fetched, or a variable that holds such a text: its value is the command that did.
    Fetched,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    before: u32,
    kind: GivenKind,
    name: Box<str>,
    value: Box<str>,
    /// How many lines lie between the one before and this.
    gap: u8,
    count: u8,
}

/// A name and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenName<'a> {
    /// What it is.
    pub kind: GivenKind,
    /// The name.
    pub name: &'a str,
    /// What it stands for; empty where something harmless took its place.
    pub value: &'a str,
    /// It was given a few lines above, in the same fence.
    pub near: bool,
}

/// A document's names, as cons lists: equal lists have equal numbers.
#[derive(Clone, Debug, Default)]
pub struct Givens {
    nodes: Vec<Node>,
    known: HashMap<Node, u32>,
}

impl Given {
    /// Whether nothing was given.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.list == 0
    }

    /// The same behind the end of a script.
    #[must_use]
    pub fn behind_block(self) -> Given {
        self.passed(FENCE)
    }

    /// The same, `lines` lines further down.
    fn passed(self, lines: u8) -> Given {
        let left = self.left.saturating_sub(lines);
        if left == 0 { Given::default() } else { Given { left, ..self } }
    }
}

impl Givens {
    /// What was given, newest first.
    pub fn names(&self, given: Given) -> impl Iterator<Item = GivenName<'_>> {
        let (mut at, mut age) = (given.list, FAR - given.left);
        std::iter::from_fn(move || {
            let node = self.node(at)?;
            let near = age <= NEAR;
            (at, age) = (node.before, age.saturating_add(node.gap));
            Some(GivenName { kind: node.kind, name: &node.name, value: &node.value, near })
        })
    }

    /// The names behind a line of a Markdown document or a program that was read as `lexed` in the state `entry`.
    pub(super) fn behind(&mut self, entry: &LexState, lexed: &Lexed, line: &str) -> Given {
        let given = entry.given;
        match lexed.kind {
            LineKind::Code => {
                let (lang, sub) = match entry.leaf {
                    Leaf::Fence { lang, sub, .. } | Leaf::Script { lang, sub } => (lang, sub),
                    _ => (Lang::Unknown, Sub::Fresh),
                };
                let text = &line[lexed.content as usize..];
                if matches!(sub, Sub::Fresh | Sub::Continued { .. }) {
                    return self.behind_code(given, lang, text);
                }
                given.passed(1)
            }
            LineKind::Prose | LineKind::Item | LineKind::Table if line.contains("://") && may_fetch(line) => {
                let mut given = given.passed(1);
                for span in line.split('`').skip(1).step_by(2).take(4) {
                    if let Some(name) = fetched(span) {
                        given = self.push(given, GivenKind::Fetched, &name, span);
                    }
                }
                given
            }
            _ if given.is_empty() => given,
            LineKind::Fence => given.passed(FENCE),
            LineKind::Prose | LineKind::Item if self.any_fetched(given) && looks_into(line) => {
                self.without_fetched(given).passed(1)
            }
            _ => given.passed(1),
        }
    }

    /// The names behind `line`, a line of code in `lang`.
    pub fn behind_code(&mut self, given: Given, lang: Lang, line: &str) -> Given {
        let mut given = given.passed(1);
        if lang == Lang::Makefile {
            return if line.contains('=') { self.made(given, line) } else { given };
        }
        if !matches!(lang, Lang::Shell | Lang::Unknown | Lang::Console | Lang::PowerShell | Lang::Cmd) {
            return given;
        }
        if !given.is_empty()
            && let Some(function) = self.node(given.list).filter(|node| node.kind == GivenKind::Function)
        {
            let (name, outside) = (function.name.clone(), self.without_function(given));
            if line.starts_with('}') {
                return outside;
            }
            return match runs_arguments(line) {
                Some(before) => self.alias(outside, &name, before),
                None => given,
            };
        }
        if !given.is_empty() && self.any_fetched(given) && checks(line) {
            given = self.without_fetched(given);
        }
        let line = without_prompt(line);
        // Most lines give no name: one look tells.
        if !line.contains(['=', ' ']) || line.len() > 4 * MOST.1 {
            return given;
        }
        if let Some(name) = fetched(line) {
            return self.push(given, GivenKind::Fetched, &name, line);
        }
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "alias" => match rest.split_once('=') {
                Some((name, value)) => self.alias(given, name, unquoted(value)),
                None => given,
            },
            "Set-Alias" | "New-Alias" | "sal" | "nal" => {
                let mut words = rest.split_whitespace().filter(|word| !word.starts_with('-'));
                match (words.next(), words.next()) {
                    (Some(name), Some(value)) => self.alias(given, name, value),
                    _ => given,
                }
            }
            "cp" | "ln" | "mv" | "install" => {
                let mut words = rest.split_whitespace().filter(|word| !word.starts_with('-'));
                match (words.next(), words.next()) {
                    (Some(from), Some(to)) if is_program_file(from) && to.contains('/') => {
                        self.alias(given, to, from)
                    }
                    _ => given,
                }
            }
            "set" if !rest.contains('=') && !rest.starts_with(['-', '+']) && lang == Lang::Shell => {
                match rest.trim().split_once(' ') {
                    Some((name, value)) => self.variable(given, name, unquoted(value.trim())),
                    None => given,
                }
            }
            "set" if rest.starts_with("-- ") => self.variable(given, "@", rest[3..].trim()),
            "printf" if rest.starts_with("-v ") => match rest[3..].trim().split_once(' ') {
                Some((name, value)) => self.variable(given, name, unquoted(value)),
                None => given,
            },
            _ => match wrapper(line) {
                Some((name, value)) => self.alias(given, name, value),
                None => match line.split_once("()") {
                    Some((name, body)) if body.trim() == "{" || body.trim().is_empty() => {
                        let name = name.strip_prefix("function ").unwrap_or(name).trim();
                        let plain = !name.is_empty() && name.len() <= 32 && !name.contains(' ');
                        if plain { self.push(given, GivenKind::Function, name, "") } else { given }
                    }
                    _ => self.assignments(given, lang, line),
                },
            },
        }
    }

    /// A variable of a Makefile: `X := rm`.
    fn made(&mut self, given: Given, line: &str) -> Given {
        let Some((name, value)) = line.split_once('=') else { return given };
        let name = name.trim_end_matches([':', '?', '+']).trim();
        let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if plain && !line.starts_with('\t') { self.variable(given, name, value.trim()) } else { given }
    }

    /// The names without the function that is being written: what was known before it is known as if it had not begun.
    fn without_function(&self, given: Given) -> Given {
        let Some(node) = self.node(given.list) else { return given };
        let left = given.left.saturating_sub(node.gap);
        if node.before == 0 || left == 0 { Given::default() } else { Given { list: node.before, left } }
    }

    /// Names that are given values one behind the other: `a=rm b=-rf`, `$a = "rm"`, `set A=rd`.
    fn assignments(&mut self, mut given: Given, lang: Lang, line: &str) -> Given {
        let mut rest = line;
        for word in
            ["export ", "declare ", "local ", "readonly ", "typeset ", "set ", "-x ", "-g ", "$env:", "$"]
        {
            rest = rest.strip_prefix(word).unwrap_or(rest);
        }
        for _ in 0..MOST.0 {
            let name =
                rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
            let (name, behind) = rest.split_at(name);
            let behind = if lang == Lang::PowerShell { behind.trim_start() } else { behind };
            let Some(behind) = behind.strip_prefix('=').filter(|_| !name.is_empty()) else { break };
            let behind = if lang == Lang::PowerShell { behind.trim_start() } else { behind };
            let (value, behind) = match behind.chars().next() {
                _ if lang == Lang::PowerShell && downloads(behind) => (behind, ""),
                Some(quote @ ('"' | '\'')) => behind[1..].split_once(quote).unwrap_or((&behind[1..], "")),
                Some('(') => behind[1..].split_once(')').unwrap_or((&behind[1..], "")),
                _ if lang == Lang::Cmd => (behind, ""),
                _ => behind.split_at(behind.find([' ', '\t', ';', '&', '|']).unwrap_or(behind.len())),
            };
            given = self.variable(given, name, value.trim());
            rest = behind.trim_start_matches([' ', '\t', ';', '&']);
        }
        given
    }

    fn alias(&mut self, given: Given, name: &str, value: &str) -> Given {
        let short = !name.is_empty() && name.len() <= 32 && !name.contains(char::is_whitespace);
        if !short || !(value.is_empty() || matters(value)) {
            return given;
        }
        self.push(given, GivenKind::Alias, name, value)
    }

    fn variable(&mut self, given: Given, name: &str, value: &str) -> Given {
        // What it names may be made of names itself.
        let value = match value.contains('$') {
            true => self.replaced(given, value),
            false => value.into(),
        };
        let known = self.names(given).find(|known| known.kind == GivenKind::Variable && known.name == name);
        match known {
            Some(known) if *known.value == *value => given,
            None if !matters(&value) => given,
            _ => {
                let value: Box<str> = if matters(&value) { value } else { "".into() };
                self.push(given, GivenKind::Variable, name, &value)
            }
        }
    }

    /// `value` with the variables that are known in place of their names.
    fn replaced(&self, given: Given, value: &str) -> Box<str> {
        let (mut text, mut rest) = (String::new(), value);
        while let Some(sign) = rest.find('$').filter(|_| text.len() < MOST.1) {
            text.push_str(&rest[..sign]);
            let len = reference(&rest[sign..]).map_or(1, |(_, len)| len);
            let known = reference(&rest[sign..]).and_then(|(name, _)| self.variable_of(given, name));
            text.push_str(known.unwrap_or(&rest[sign..sign + len]));
            rest = &rest[sign + len..];
        }
        text.push_str(rest);
        text.into()
    }

    /// The value of the variable `name`, as far as it matters.
    #[must_use]
    pub fn variable_of(&self, given: Given, name: &str) -> Option<&str> {
        let mut names = self.names(given);
        let known = names.find(|known| known.kind == GivenKind::Variable && known.name == name)?;
        Some(known.value).filter(|value| !value.is_empty())
    }

    fn push(&mut self, given: Given, kind: GivenKind, name: &str, value: &str) -> Given {
        let cut = |text: &str| -> Box<str> {
            let mut end = text.len().min(MOST.1);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text[..end].into()
        };
        let (name, value) = (cut(name), cut(value));
        let mut before = given.list;
        if self.node(before).is_some_and(|node| node.count >= MOST.0) {
            before = self.kept(given, |at, _| at + 1 < usize::from(MOST.0));
        }
        let gap = if before == 0 { 0 } else { FAR - given.left };
        let list = self.intern(before, kind, name, value, gap);
        Given { list, left: FAR }
    }

    fn intern(&mut self, before: u32, kind: GivenKind, name: Box<str>, value: Box<str>, gap: u8) -> u32 {
        let count = self.node(before).map_or(0, |node| node.count) + 1;
        let node = Node { before, kind, name, value, gap, count };
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        self.nodes.push(node.clone());
        let number = self.nodes.len() as u32;
        self.known.insert(node, number);
        number
    }

    /// The list of those that `keep` says, by their place from the newest on.
    fn kept(&mut self, given: Given, keep: impl Fn(usize, &Node) -> bool) -> u32 {
        let mut nodes = Vec::new();
        let mut at = given.list;
        while let Some(node) = self.node(at) {
            nodes.push(node.clone());
            at = node.before;
        }
        let mut list = 0;
        for (_, node) in nodes
            .into_iter()
            .enumerate()
            .filter(|(at, node)| keep(*at, node))
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
        {
            list = self.intern(list, node.kind, node.name, node.value, node.gap);
        }
        list
    }

    fn any_fetched(&self, given: Given) -> bool {
        self.names(given).any(|known| known.kind == GivenKind::Fetched)
    }

    fn without_fetched(&mut self, given: Given) -> Given {
        let list = self.kept(given, |_, node| node.kind != GivenKind::Fetched);
        if list == 0 { Given::default() } else { Given { list, ..given } }
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get((at as usize).checked_sub(1)?)
    }
}

/// The name in a reference at the start of `text`, and the reference's length: `$a`, `${a}`, `${a[@]}`, `$@`.
#[must_use]
pub fn reference(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('$')?;
    let name = |text: &str| {
        text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len()
    };
    if let Some(inner) = inner.strip_prefix('{') {
        let close = inner.find('}')?;
        let whole = inner[..close].trim_end_matches(|c: char| "[@*]".contains(c));
        return (!whole.is_empty() && name(whole) == whole.len()).then_some((whole, close + 3));
    }
    if inner.starts_with(['@', '*']) {
        return Some(("@", 2));
    }
    let len = name(inner);
    (len > 0).then(|| (&inner[..len], len + 1))
}

/// Whether a word names a program's own file, or has it looked up.
fn is_program_file(word: &str) -> bool {
    let folder = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/"]
        .iter()
        .any(|folder| word.starts_with(folder));
    folder && matters(word)
}

/// What a line of a function runs its arguments with, if it does: nothing, `sudo`, `command rm`.
fn runs_arguments(line: &str) -> Option<&str> {
    let at = ["\"$@\"", "$@", "$*"].iter().find_map(|all| line.find(all))?;
    let before = line[..at].rsplit([';', '&', '|', '{']).next()?.trim();
    // `"$1"`, or what was kept of it, is the first of them.
    let bare = before.starts_with("\"$") && !before.contains(' ');
    Some(if bare { "" } else { before })
}

/// A function on one line that runs its arguments: its name, and what it runs them with.
fn wrapper(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("function ").unwrap_or(line);
    let (name, body) = line.split_once("()")?;
    let name = name.trim().rsplit([' ', ';', '&', '|']).next()?;
    let body = body.trim_start().strip_prefix('{')?;
    let (before, behind) =
        body.split_once("\"$@\"").or_else(|| body.split_once("$@")).or_else(|| body.split_once("$*"))?;
    let before = before.rsplit([';', '&', '|']).next()?.trim();
    let whole =
        behind.trim_start().starts_with([';', '}']) && name.bytes().all(|byte| byte.is_ascii_graphic());
    whole.then_some((name.trim(), before))
}

fn unquoted(value: &str) -> &str {
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value[1..].split(quote).next().unwrap_or_default(),
        _ => value,
    }
}

#[cfg(test)]
mod tests;
