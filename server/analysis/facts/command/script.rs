//! What a reader of commands hands to a matcher: commands with their words decoded and their wrappers taken off.
//!
//! All positions are byte ranges in the scan unit, however deep in quotes and substitutions a command was found, so
//! that a finding can always be shown where its text stands.

use std::ops::Range;

use super::dialect::Dialect;
use super::origin::Origin;

/// One word as a shell would hand it to a program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Word {
    /// The decoded value: quotes and escapes removed. What cannot be known stays as written: `$HOME`, `$(pwd)`, `<name>`.
    pub value: String,
    /// Where it stands in the unit, quotes included.
    pub span: Range<usize>,
    /// Whether any part of it was quoted or escaped.
    pub quoted: bool,
    /// Whether a variable or a substitution in it is replaced when it runs.
    pub expands: bool,
    /// Whether it holds a placeholder that the reader is to fill in: `<name>`, `{{ x }}`, `[NAME]`, `%NAME%`, `...`.
    pub placeholder: bool,
    /// Whether an unquoted `*`, `?` or `[` in it is expanded to file names.
    pub glob: bool,
    /// The way back from `value` to the unit.
    pub(super) origin: Origin,
}

impl Word {
    /// Whether the value is all there is: no variable, substitution, placeholder or glob.
    #[must_use]
    pub fn literal(&self) -> bool {
        !self.expands && !self.placeholder && !self.glob
    }

    /// The unit range of the byte range `part` of the value.
    #[must_use]
    pub fn locate(&self, part: Range<usize>) -> Range<usize> {
        let start = self.origin.start(part.start);
        start..self.origin.end(part.end).max(start)
    }
}

/// What a redirection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`, `>|`, `<>`: what was there is lost.
    Write,
    /// `>>`
    Append,
    /// `>&`, `<&`: another descriptor takes its place.
    Duplicate,
    /// `&>`: output and errors.
    Both,
    /// `&>>`
    AppendBoth,
    /// `<<`: the target is the delimiter.
    HereDoc,
    /// `<<<`: the target is the text.
    HereString,
}

/// A redirection of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// What it does.
    pub op: RedirectOp,
    /// The descriptor that stands before it, if one does.
    pub fd: Option<u8>,
    /// The file, descriptor, delimiter or text.
    pub target: Word,
}

/// A here-document's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HereDoc {
    /// Its lines in the unit, without the delimiter's line; empty where the unit does not hold them.
    pub body: Range<usize>,
    /// Whether its delimiter stands in the unit.
    pub closed: bool,
    /// Whether variables and substitutions in it are replaced.
    pub expands: bool,
}

/// Where a command's standard input comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Feed {
    /// Nothing in the unit feeds it.
    #[default]
    Nothing,
    /// The output of the command of this index.
    Pipe(usize),
    /// A here-document.
    HereDoc(HereDoc),
    /// `<<< word`.
    HereString(Word),
    /// `< word`; a process substitution's commands are children of this command.
    File(Word),
}

/// A program that runs another one, and that was taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapper {
    /// Its name, as in the table of wrappers: `sudo`, `env`, `xargs`, `docker exec`.
    pub name: &'static str,
    /// From its name to the word before the command it runs.
    pub span: Range<usize>,
}

/// How a command came to stand inside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// `$( )`, backquotes: its output becomes words of the parent.
    Substitution,
    /// `<( )`: its output is a file for the parent.
    Output,
    /// `>( )`: it is fed by the parent.
    Input,
    /// The string after `sh -c`, `eval`, `ssh host`, ...: the parent runs it.
    Inline,
    /// `find -exec`: the parent runs it for each file.
    Exec,
    /// A here-document or here-string that the parent runs.
    Document,
    /// A string that the parent only hands on: `echo`'s. It runs if the parent is piped into a shell.
    Data,
}

/// The command that another one stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// Its index in [`Script::commands`].
    pub command: usize,
    /// How.
    pub via: Via,
}

/// One simple command (POSIX 2.9.1), its wrappers taken off.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Simple {
    /// From the outermost wrapper's first word to the last operand. Redirections are not in it.
    pub span: Range<usize>,
    /// The program's plain name: no directories, no `.exe`; lower case outside of POSIX shells. Empty if unknown.
    pub program: String,
    /// The words, the program first.
    pub words: Vec<Word>,
    /// `NAME=value` before the program, also those of `env` and `sudo`.
    pub assignments: Vec<Word>,
    /// What was taken off, outermost first.
    pub wrappers: Vec<Wrapper>,
    /// The words that were taken off with the wrappers.
    pub(in crate::facts) outer: Vec<Word>,
    /// Its redirections, in order.
    pub redirects: Vec<Redirect>,
    /// Where its standard input comes from.
    pub feed: Feed,
    /// What it stands in; `None` at the top.
    pub parent: Option<Parent>,
    /// The shell that reads it.
    pub dialect: Dialect,
}

impl Simple {
    /// The words after the program.
    #[must_use]
    pub fn args(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Whether a wrapper of this name was taken off.
    #[must_use]
    pub fn wrapped_by(&self, name: &str) -> bool {
        self.wrappers.iter().any(|wrapper| wrapper.name == name)
    }
}

/// Commands joined by `|` or `|&`. A command that stands alone is a pipeline of one stage.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Pipeline {
    /// From the first stage's start to the last stage's end.
    pub span: Range<usize>,
    /// Indices into [`Script::commands`], in order.
    pub stages: Vec<usize>,
}

/// All the commands that a stretch of text would run, those inside others included.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Script {
    /// In order of their start; a parent stands before its children.
    pub commands: Vec<Simple>,
    /// In order of their end.
    pub pipelines: Vec<Pipeline>,
    /// The pipeline of each command, by index; filled when all is read.
    pub(in crate::facts) stage_of: Vec<Option<usize>>,
}

impl Script {
    /// The commands inside the command `parent`, with how they stand in it.
    pub fn children(&self, parent: usize) -> impl Iterator<Item = (usize, Via, &Simple)> {
        self.commands.iter().enumerate().skip(parent + 1).filter_map(move |(at, command)| {
            match command.parent {
                Some(link) if link.command == parent => Some((at, link.via, command)),
                _ => None,
            }
        })
    }

    /// The pipeline in which the command `command` is a stage.
    #[must_use]
    pub fn pipeline_of(&self, command: usize) -> Option<&Pipeline> {
        self.stage_of.get(command).copied().flatten().and_then(|at| self.pipelines.get(at))
    }

    /// All is read: says of each command in which pipeline it stands.
    pub(in crate::facts) fn finished(mut self) -> Script {
        self.stage_of = vec![None; self.commands.len()];
        for (at, pipeline) in self.pipelines.iter().enumerate().rev() {
            for stage in &pipeline.stages {
                self.stage_of[*stage] = Some(at);
            }
        }
        self
    }
}

/// A stretch of a scan unit read as commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The commands.
    pub script: Script,
    /// Whether a list entry begins with it.
    pub leads: bool,
    /// Whether an affirmative prefix (always, must, run, execute, use, follow) stands before it.
    pub affirmed: bool,
    /// Whether it stands bare in prose, where ordinary words may look like a command: a matcher should want a flag or
    /// an operand that no English sentence has.
    pub bare: bool,
}
