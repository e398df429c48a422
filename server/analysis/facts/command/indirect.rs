//! Commands that stand in the text and run in a roundabout way: under a name given to them before, printed into a
//! shell, or out of a string of another language. Who reads the text sees the command; so must we.

use std::ops::Range;

use super::dialect::Dialect;
use super::origin::Origin;
use super::places::called;
use super::read::Reader;
use super::script::{Feed, Simple, Via, Word};
use super::words::DEPTH;

/// How many commands back a variable's value is looked for: a name that is used is given nearby, and many uses of many
/// names must not cost their product.
const NEARBY: usize = 16;

/// Variables whose value is a command.
const HANDED_DOWN: &[&str] = &[
    "EDITOR",
    "VISUAL",
    "PAGER",
    "BROWSER",
    "SHELL",
    "MANPAGER",
    "LESSOPEN",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_ASKPASS",
    "GIT_EXTERNAL_DIFF",
    "GIT_SEQUENCE_EDITOR",
    "GIT_PROXY_COMMAND",
    "RSYNC_RSH",
    "PROMPT_COMMAND",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
];

/// Settings of git whose value is a command, in lower case as git compares them.
const GIT_COMMANDS: &[&str] = &[
    "core.pager",
    "core.sshcommand",
    "core.editor",
    "core.fsmonitor",
    "core.gitproxy",
    "core.askpass",
    "sequence.editor",
    "diff.external",
    "credential.helper",
    "gpg.program",
    "init.templatedir",
];

impl Reader<'_> {
    /// Reads what the command at `index` runs under another name, out of what others print, or in another language.
    pub(super) fn indirect(&mut self, index: usize) {
        let simple = &self.out.script.commands[index];
        if simple.dialect != Dialect::Posix {
            return;
        }
        self.handed_down(index);
        let simple = &self.out.script.commands[index];
        match simple.program.as_str() {
            "alias" => self.parts(index, aliases(simple)),
            "git" => self.parts(index, git_aliases(simple)),
            "awk" | "gawk" | "mawk" | "python" | "python2" | "python3" | "perl" | "ruby" | "node" | "php"
            | "deno" | "bun" | "osascript" | "expect" => self.parts(index, strings(simple)),
            "source" | "." => {
                self.printed(index);
                self.copied(index);
            }
            "eval" | "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" => {
                self.printed(index);
                self.copied(index);
                self.kept(index);
            }
            _ => self.named(index),
        }
    }

    /// Reads parts of the values of words as commands.
    fn parts(&mut self, index: usize, parts: Vec<(usize, Range<usize>)>) {
        for (at, range) in parts {
            let word = self.out.script.commands[index].words[at].clone();
            let mut origin = Origin::default();
            word.origin.copy(range.start, range.end, 0, &mut origin);
            self.again(&word.value[range], &origin, Dialect::Posix, Some((index, Via::Inline)));
        }
    }

    /// Commands in variables that a program runs sooner or later: `GIT_SSH_COMMAND='…' git fetch`, `EDITOR='…'`.
    fn handed_down(&mut self, index: usize) {
        let simple = &self.out.script.commands[index];
        let exported =
            if matches!(simple.program.as_str(), "export" | "declare") { simple.args() } else { &[] };
        let given = simple.assignments.iter().chain(exported).take(64);
        let commands = given.filter_map(|given| {
            let (name, value) = given.value.split_once('=')?;
            (HANDED_DOWN.contains(&name) && value.contains(char::is_whitespace))
                .then(|| part(given, name.len() + 1..given.value.len()))
        });
        let commands: Vec<Word> = commands.collect();
        for value in commands {
            self.again(&value.value, &value.origin, Dialect::Posix, Some((index, Via::Inline)));
        }
    }

    /// What is printed in a substitution of a shell's words is its program: `bash <(echo …)`, `eval "$(printf …)"`.
    fn printed(&mut self, index: usize) {
        let givers: Vec<usize> = self
            .out
            .script
            .children(index)
            .filter(|(_, via, inner)| {
                matches!(via, Via::Output | Via::Substitution)
                    && matches!(inner.program.as_str(), "echo" | "printf")
            })
            .map(|(at, ..)| at)
            .collect();
        for giver in givers {
            self.print(giver, Dialect::Posix);
        }
    }

    /// What a here-document gives to `cat` in a substitution of a shell's words is its program too:
    /// `bash -c "$(cat <<A …)"`.
    fn copied(&mut self, index: usize) {
        let bodies: Vec<(usize, Range<usize>)> = self
            .out
            .script
            .children(index)
            .filter(|(_, via, inner)| {
                matches!(via, Via::Output | Via::Substitution) && inner.program == "cat"
            })
            .filter_map(|(at, _, inner)| match &inner.feed {
                Feed::HereDoc(doc) if doc.closed => Some((at, doc.body.clone())),
                _ => None,
            })
            .collect();
        // in a decoded text the body's place is no place of that text
        let whole = self.text.origin.is_none();
        for (at, body) in bodies.into_iter().filter(|_| whole) {
            let text = self.text.text.get(body.clone()).unwrap_or_default();
            let origin = Origin::verbatim(body.start, text.len());
            self.again(text, &origin, Dialect::Posix, Some((at, Via::Inline)));
        }
    }

    /// A shell that runs what a variable holds: `eval "$NAME"`, `sh -c "$NAME"`.
    fn kept(&mut self, index: usize) {
        let words = self.out.script.commands[index].words.iter().skip(1);
        let values: Vec<Word> = words.filter_map(|word| self.value_of(index, word)).collect();
        for value in values {
            self.again(&value.value, &value.origin, Dialect::Posix, Some((index, Via::Inline)));
        }
    }

    /// A program that a variable names: `a=rm; $a -rf x`.
    fn named(&mut self, index: usize) {
        let simple = &self.out.script.commands[index];
        if simple
            .words
            .first()
            .is_some_and(|word| matches!(word.value.as_str(), "$@" | "$*" | "${@}" | "${*}"))
        {
            let words = self.positional(index);
            return self.renamed(index, words);
        }
        let first = simple.words.first();
        let value = first.and_then(|word| self.value_of(index, word).or_else(|| fallen_back(word)));
        let Some(value) = value else { return };
        let mut words = split(&value);
        for word in simple.args() {
            match self.value_of(index, word).filter(|value| value.value.starts_with('-')) {
                Some(flags) => words.extend(split(&flags)),
                None => words.push(word.clone()),
            }
        }
        self.renamed(index, words);
    }

    /// What a command nearby made the positional parameters: `set -- rm -rf x; "$@"`.
    fn positional(&self, index: usize) -> Vec<Word> {
        let before = self.out.script.commands[index.saturating_sub(NEARBY)..index].iter().rev();
        let mut sets = before.filter(|command| command.program == "set");
        let words = sets.find_map(|command| {
            let from = command.words.iter().position(|word| word.value == "--")?;
            command.words.get(from + 1..)
        });
        words.unwrap_or_default().iter().take(64).cloned().collect()
    }

    /// Reads `words` as the command that the one at `index` stands for.
    fn renamed(&mut self, index: usize, words: Vec<Word>) {
        if words.is_empty() || self.depth >= DEPTH || self.out.budget < 16 {
            return;
        }
        self.out.budget -= 16;
        self.depth += 1;
        self.stage(words, index, Via::Inline);
        self.depth -= 1;
    }

    /// The value of `word`, which is a variable, or several of them and letters side by side: `$a$b`, `r${b}`.
    fn value_of(&self, index: usize, word: &Word) -> Option<Word> {
        if !word.expands {
            return None;
        }
        if let Some(value) = self.given(index, &word.value) {
            return Some(value);
        }
        const MOST: usize = 8;
        const LONGEST: usize = 256;
        let (mut value, mut origin) = (String::new(), Origin::default());
        let (mut at, mut known) = (0, 0);
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        while at < word.value.len() {
            let rest = &word.value[at..];
            let sign = if known < MOST { rest.find('$') } else { None };
            let sign = sign.unwrap_or(rest.len());
            word.origin.copy(at, at + sign, value.len(), &mut origin);
            value.push_str(&rest[..sign]);
            let reference = &rest[sign..];
            at += sign;
            if reference.is_empty() {
                break;
            }
            let length = match reference.strip_prefix("${") {
                Some(inner) => inner.find('}')? + 3,
                None => 1 + reference[1..].find(|c| !name(c)).unwrap_or(reference.len() - 1),
            };
            // all that is put in stands where the variable does
            let place = word.locate(at..at + length);
            let put = self.given(index, &reference[..length])?.value;
            if value.len() + put.len() > LONGEST {
                return None;
            }
            (0..put.len()).for_each(|byte| origin.push(value.len() + byte, place.start, place.end));
            value.push_str(&put);
            (at, known) = (at + length, known + 1);
        }
        (known > 0 && value.len() <= LONGEST).then(|| Word {
            value,
            span: word.span.clone(),
            origin,
            ..Word::default()
        })
    }

    /// The literal value that a command nearby gave to the variable `$name` or `${name}`.
    fn given(&self, index: usize, reference: &str) -> Option<Word> {
        let name = reference.strip_prefix('$')?;
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return None;
        }
        self.out.script.commands[index.saturating_sub(NEARBY)..index].iter().rev().find_map(|before| {
            let exported = matches!(before.program.as_str(), "export" | "declare" | "local" | "readonly");
            let words = if exported { before.args() } else { &[] };
            before.assignments.iter().chain(words).rev().find_map(|given| {
                let (known, _) = given.value.split_once('=')?;
                (known == name && given.literal()).then(|| part(given, known.len() + 1..given.value.len()))
            })
        })
    }
}

/// A program's name in which a variable that nothing gives a value stands for its default, or for nothing:
/// `${X:-rm}` (POSIX 2.6.2), `r${x}m`. Only a name that matters is one: anybody's tool may be called by a variable.
fn fallen_back(word: &Word) -> Option<Word> {
    const MOST: usize = 256;
    if !word.expands || word.value.len() > MOST || !word.value.contains("${") {
        return None;
    }
    let (mut value, mut rest) = (String::new(), word.value.as_str());
    while let Some(sign) = rest.find("${") {
        value.push_str(&rest[..sign]);
        let (inner, behind) = rest[sign + 2..].split_once('}')?;
        let name =
            inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        let operator = inner[name..].trim_start_matches(':');
        match operator.chars().next() {
            Some('-' | '=') => value.push_str(&operator[1..]),
            Some('+') | None => {}
            Some(_) => return None,
        }
        rest = behind;
    }
    value.push_str(rest);
    let name = value.split_whitespace().next()?.rsplit('/').next()?;
    if !crate::catalogue::Catalogue::get().has_program(&name.to_ascii_lowercase()) {
        return None;
    }
    let mut origin = Origin::default();
    origin.push(0, word.span.start, word.span.end);
    Some(Word { value, span: word.span.clone(), origin, ..Word::default() })
}

/// A part of a word's value as a word.
fn part(word: &Word, range: Range<usize>) -> Word {
    let mut origin = Origin::default();
    word.origin.copy(range.start, range.end, 0, &mut origin);
    let span = word.locate(range.clone());
    Word { value: word.value[range].to_owned(), span, origin, ..Word::default() }
}

/// A value split at blanks, as a shell does with a variable outside of quotes (POSIX 2.6.5).
fn split(word: &Word) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    for piece in word.value.split_inclusive(char::is_whitespace) {
        let len = piece.trim_end().len();
        if len > 0 {
            words.push(part(word, at..at + len));
        }
        at += piece.len();
    }
    words.truncate(64);
    words
}

/// `alias name='…'`.
fn aliases(simple: &Simple) -> Vec<(usize, Range<usize>)> {
    let words = simple.words.iter().enumerate().skip(1);
    words.filter_map(|(at, word)| Some((at, word.value.find('=')? + 1..word.value.len()))).take(64).collect()
}

/// `git config alias.name '!…'` and `git -c alias.name='!…'`, and likewise the settings that name a program.
fn git_aliases(simple: &Simple) -> Vec<(usize, Range<usize>)> {
    let words = &simple.words;
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.value.starts_with("alias.")).take(8) {
        if let Some(sign) = word.value.find("=!") {
            found.push((at, sign + 2..word.value.len()));
        } else if let Some(next) = words.get(at + 1).filter(|next| next.value.starts_with('!')) {
            found.push((at + 1, 1..next.value.len()));
        }
    }
    // settings that name a program
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.value.contains('.')).take(8) {
        let (name, joined) =
            word.value.split_once('=').map_or((word.value.as_str(), None), |(a, b)| (a, Some(b)));
        if !GIT_COMMANDS.contains(&name.to_ascii_lowercase().as_str()) {
            continue;
        }
        let (at, from) = if joined.is_some() { (at, name.len() + 1) } else { (at + 1, 0) };
        let Some(value) = words.get(at).map(|word| word.value.as_str()) else { continue };
        let from = from + usize::from(value[from..].starts_with('!'));
        if value[from..].contains(char::is_whitespace) {
            found.push((at, from..value.len()));
        }
    }
    found
}

/// The strings that a program in a word of the command line hands to a shell: `perl -e 'system("…")'`.
fn strings(simple: &Simple) -> Vec<(usize, Range<usize>)> {
    let words = simple.words.iter().enumerate().skip(1).filter(|(_, word)| word.quoted);
    words
        .flat_map(|(at, word)| called(&word.value).into_iter().map(move |range| (at, range)))
        .take(64)
        .collect()
}
