//! Lists, pipelines and simple commands (POSIX 2.9), read without ever giving up on a text.

use std::ops::Range;

use super::dialect::{Dialect, Marks};
use super::origin::Origin;
use super::redirects::Pending;
use super::script::{Feed, Parent, Pipeline, Script, Simple, Via, Word};
use super::words::{DEPTH, Dead, Text};
use super::wrappers::{plain_name, unwind};

/// What is read goes here; `budget` bounds how much text may be read again inside strings, so that nesting cannot
/// multiply the work.
#[derive(Debug)]
pub(super) struct Out {
    pub(super) script: Script,
    pub(super) budget: usize,
}

/// Reads one text.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    pub(super) text: Text<'t>,
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) dialect: Dialect,
    pub(super) marks: Marks,
    pub(super) depth: u8,
    /// Whether the text may be no commands at all: an apostrophe between letters quotes nothing.
    pub(super) lax: bool,
    pub(super) dead: Dead,
    pub(super) out: &'t mut Out,
}

/// The pipeline that is being read.
#[derive(Default)]
pub(super) struct Pipe {
    stages: Vec<usize>,
    /// Whether a `|` has been read and its right side has not.
    pub(super) open: bool,
    /// Whether a pipeline of this list was finished and may go on after a closing bracket or `done`.
    pub(super) finished: bool,
    pub(super) pending: Vec<Pending>,
}

/// Reads `text` as commands of `dialect`. A unit's own text has no `origin`.
pub(super) fn read(text: &str, origin: Option<&Origin>, dialect: Dialect, lax: bool) -> Script {
    let mut out = Out { script: Script::default(), budget: 256 + text.len().saturating_mul(8) };
    let text = Text { text, origin };
    Reader::new(text, dialect, lax, 0, &mut out).list(None);
    out.script.finished()
}

/// Reads the part `part` of a unit as commands.
pub(super) fn read_part(unit: &str, part: Range<usize>, dialect: Dialect, lax: bool) -> Script {
    let mut out = Out { script: Script::default(), budget: 256 + part.len().saturating_mul(8) };
    let text = Text { text: &unit[..part.end], origin: None };
    let mut reader = Reader::new(text, dialect, lax, 0, &mut out);
    reader.at = part.start;
    reader.list(None);
    out.script.finished()
}

/// Reads only the substitutions of a unit that nobody runs. Its first command is a place-holder for whoever is fed.
pub(super) fn read_expansions(unit: &str) -> Script {
    let mut out = Out { script: Script::default(), budget: 256 + unit.len().saturating_mul(8) };
    out.script.commands.push(Simple::default());
    Reader::new(Text { text: unit, origin: None }, Dialect::Posix, true, 0, &mut out).expansions(0);
    out.script.finished()
}

impl<'t> Reader<'t> {
    fn new(text: Text<'t>, dialect: Dialect, lax: bool, depth: u8, out: &'t mut Out) -> Reader<'t> {
        let end = text.text.len();
        Reader { text, at: 0, end, dialect, marks: dialect.marks(), depth, lax, dead: Dead::default(), out }
    }

    /// Reads from the current place to `end` as commands inside the command `parent`.
    pub(super) fn nested(&mut self, end: usize, parent: usize, via: Via) {
        self.depth += 1;
        self.within(end, |reader| reader.list(Some(Parent { command: parent, via })));
        self.depth -= 1;
    }

    /// Reads a decoded text as commands, as far as depth and budget allow. At the depth that is the last, it is read as
    /// if nothing nested, so that nothing can be hidden by nesting it deeper.
    pub(super) fn again(
        &mut self,
        text: &str,
        origin: &Origin,
        dialect: Dialect,
        parent: Option<(usize, Via)>,
    ) {
        if self.depth > DEPTH || text.len() > self.out.budget {
            return;
        }
        self.out.budget -= text.len();
        let flat = if self.depth == DEPTH { Some(flattened(text)) } else { None };
        let text = Text { text: flat.as_deref().unwrap_or(text), origin: Some(origin) };
        let parent = parent.map(|(command, via)| Parent { command, via });
        Reader::new(text, dialect, false, self.depth + 1, self.out).list(parent);
    }

    /// Reads commands up to the end in force.
    pub(super) fn list(&mut self, parent: Option<Parent>) {
        if self.dialect == Dialect::Sql {
            return self.statements(parent);
        }
        let mut pipe = Pipe::default();
        let mut fresh = true;
        while self.at < self.end {
            let byte = self.peek(0);
            let next = self.peek(1);
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                byte if byte > 0x7F && self.wide_blank() > 0 => {
                    self.at += self.wide_blank();
                    continue;
                }
                byte if byte == self.marks.escape && next == b'\n' => self.at += 2,
                b'\n' => {
                    if !pipe.open {
                        self.finish(&mut pipe);
                    }
                    self.at += 1;
                    self.documents(&mut pipe);
                    fresh = true;
                    continue;
                }
                b';' => {
                    self.finish(&mut pipe);
                    self.at += 1;
                }
                b'&' if next == b'>' && self.dialect != Dialect::Cmd => self.simple(&mut pipe, parent),
                b'&' => {
                    // PowerShell's call operator begins a command
                    if !(self.dialect == Dialect::PowerShell && next != b'&' && (fresh || pipe.open)) {
                        self.finish(&mut pipe);
                    }
                    self.at += if next == b'&' { 2 } else { 1 };
                }
                b'|' if next == b'|' => {
                    self.finish(&mut pipe);
                    self.at += 2;
                }
                b'|' => {
                    self.at += if next == b'&' { 2 } else { 1 };
                    self.reopen(&mut pipe);
                    pipe.open = !pipe.stages.is_empty();
                    continue;
                }
                b'(' if !self.parens_nest() => self.at += 1,
                b')' => {
                    self.at += 1;
                    self.reopen(&mut pipe);
                    continue;
                }
                b'{' | b'}' if self.marks.doubled && self.placeholder().is_none() => {
                    self.at += 1;
                    if byte == b'}' {
                        self.reopen(&mut pipe);
                        continue;
                    }
                    self.finish(&mut pipe);
                }
                b'#' if self.marks.hash => self.comment(),
                b'<' if next == b'#' && self.marks.doubled => self.block_comment(),
                _ => {
                    self.simple(&mut pipe, parent);
                    fresh = false;
                    continue;
                }
            }
            fresh |= !matches!(byte, b' ' | b'\t' | b'\r');
        }
        self.finish(&mut pipe);
    }

    fn comment(&mut self) {
        let rest = &self.text.text.as_bytes()[self.at..self.end];
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }

    /// `<# … #>` of PowerShell; one that never closes hides nothing.
    fn block_comment(&mut self) {
        let rest = &self.text.text[self.at..self.end];
        let close = if self.out.budget == 0 { None } else { rest.find("#>") };
        if close.is_none() {
            self.out.budget = self.out.budget.saturating_sub(rest.len());
        }
        self.at += 2.max(close.map_or(2, |close| close + 2));
    }

    /// Ends the pipeline that is being read.
    fn finish(&mut self, pipe: &mut Pipe) {
        pipe.open = false;
        if pipe.stages.is_empty() {
            return;
        }
        let stages = std::mem::take(&mut pipe.stages);
        let commands = &self.out.script.commands;
        let start = stages.iter().map(|stage| commands[*stage].span.start).min().unwrap_or_default();
        let end = stages.iter().map(|stage| commands[*stage].span.end).max().unwrap_or_default();
        self.data(&stages);
        self.out.script.pipelines.push(Pipeline { span: start..end, stages });
        pipe.finished = true;
    }

    /// After a closing bracket the last command inside goes on as a stage: `{ fetch; } | sh`.
    fn reopen(&mut self, pipe: &mut Pipe) {
        if pipe.finished && pipe.stages.is_empty() {
            pipe.stages = self.out.script.pipelines.pop().map(|last| last.stages).unwrap_or_default();
        }
        pipe.finished = false;
    }

    /// Reads one simple command and makes it a stage.
    fn simple(&mut self, pipe: &mut Pipe, parent: Option<Parent>) {
        let index = self.out.script.commands.len();
        let begin = self.at;
        self.out.script.commands.push(Simple { parent, dialect: self.dialect, ..Simple::default() });
        let mut simple = Simple { parent, dialect: self.dialect, ..Simple::default() };
        let mut pending = Vec::new();
        while self.at < self.end {
            let byte = self.peek(0);
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                byte if byte > 0x7F && self.wide_blank() > 0 => self.at += self.wide_blank(),
                byte if byte == self.marks.escape && self.peek(1) == b'\n' => self.at += 2,
                b'#' if self.marks.hash && self.after_blank() => break,
                b'<' if self.peek(1) == b'#' && self.marks.doubled => self.block_comment(),
                b'(' if simple.words.len() == 1 && self.peek(1) == b')' && !self.parens_nest() => {
                    self.at += 2;
                    let name = simple.words[0].clone();
                    let keyword = Word {
                        value: "function".into(),
                        span: name.span.start..name.span.start,
                        ..Word::default()
                    };
                    simple.words.insert(0, keyword);
                    break;
                }
                _ => {
                    if let Some((op, fd, skip)) = self.redirection() {
                        self.at += skip;
                        self.redirect(op, fd, index, &mut simple, &mut pending);
                        continue;
                    }
                    let before = self.at;
                    let Some(word) = self.word(index) else {
                        // `${IFS}` where a blank would do as well
                        if self.at > before {
                            continue;
                        }
                        break;
                    };
                    if simple.words.is_empty() && simple.assignments.is_empty() && self.reserved(&word, pipe)
                    {
                        self.keep_or_drop(index, simple);
                        return;
                    }
                    if simple.words.is_empty() && braced(&word) {
                        simple.words.extend(split_braces(&word));
                        continue;
                    }
                    simple.words.push(word);
                    if self.dialect == Dialect::Posix
                        && simple.words.len() == 2
                        && simple.words[0].value == "function"
                    {
                        break;
                    }
                }
            }
        }
        if simple.words.is_empty() && simple.redirects.is_empty() {
            if self.at == begin {
                self.at += self.text.text[begin..self.end].chars().next().map_or(1, char::len_utf8);
            }
            self.keep_or_drop(index, simple);
            return;
        }
        if !pipe.open {
            self.finish(pipe);
        }
        if let (true, Some(before)) = (pipe.open, pipe.stages.last()) {
            simple.feed = Feed::Pipe(*before);
        }
        pipe.open = false;
        pipe.finished = false;
        pipe.pending.append(&mut pending);
        self.settle(index, simple);
        pipe.stages.push(index);
    }

    /// Makes a command out of words that were read already: one that `parent` runs.
    pub(super) fn stage(&mut self, words: Vec<Word>, parent: usize, via: Via) {
        let index = self.out.script.commands.len();
        let parent = Some(Parent { command: parent, via });
        let simple = Simple { parent, dialect: self.dialect, words, ..Simple::default() };
        self.out.script.commands.push(Simple::default());
        self.settle(index, simple);
        let span = self.out.script.commands[index].span.clone();
        self.out.script.pipelines.push(Pipeline { span, stages: vec![index] });
    }

    /// A command without words is dropped, unless commands inside it name it as their parent.
    fn keep_or_drop(&mut self, index: usize, simple: Simple) {
        if self.out.script.commands.len() == index + 1 {
            self.out.script.commands.pop();
        } else {
            self.out.script.commands[index] = simple;
        }
    }

    fn after_blank(&self) -> bool {
        self.at == 0 || self.text.text.as_bytes()[self.at - 1].is_ascii_whitespace()
    }

    /// Takes off what is not the command itself, and reads what it runs.
    fn settle(&mut self, index: usize, mut simple: Simple) {
        let end = simple.words.last().map(|word| word.span.end);
        as_typed(&mut simple.words);
        unwind(&mut simple);
        let word = simple.words.first().or(simple.assignments.first());
        let word = word.or(simple.redirects.first().map(|redirect| &redirect.target));
        // An assignment before the program is a wrapper, too: the range begins at the outermost of all.
        let starts = simple.wrappers.iter().map(|wrapper| wrapper.span.start);
        let starts = starts.chain(simple.assignments.iter().chain(word).map(|word| word.span.start));
        let start = starts.min().unwrap_or_default();
        // A command may be redirections alone, and the first of them may name nothing.
        let last =
            simple.redirects.last().map(|redirect| &redirect.target).filter(|_| simple.words.is_empty());
        let end = end.or(last.or(word).map(|word| word.span.end)).unwrap_or_default();
        simple.span = start..end.max(start);
        if let Some(parent) = simple.parent {
            let outer = &self.out.script.commands[parent.command];
            if matches!(parent.via, Via::Inline | Via::Exec | Via::Data) && !outer.words.is_empty() {
                simple.span.start = simple.span.start.min(outer.span.start);
            }
        }
        simple.program =
            simple.words.first().map(|word| plain_name(&word.value, simple.dialect)).unwrap_or_default();
        self.out.script.commands[index] = simple;
        self.inner(index);
    }

    /// Whether `word` is a reserved word after which a command begins (POSIX 2.4).
    fn reserved(&mut self, word: &Word, pipe: &mut Pipe) -> bool {
        if word.quoted || self.dialect != Dialect::Posix {
            return false;
        }
        // the rule below a table's head
        if word.value.len() > 1 && word.value.bytes().all(|byte| matches!(byte, b'-' | b'=' | b':' | b'+')) {
            return true;
        }
        match word.value.as_str() {
            "if" | "then" | "elif" | "else" | "while" | "until" | "do" | "!" | "{" | "coproc" => true,
            "fi" | "done" | "esac" | "}" => {
                self.reopen(pipe);
                true
            }
            _ => false,
        }
    }

    /// Statements of SQL: each is one command, its program `sql`, its other words the tokens.
    fn statements(&mut self, parent: Option<Parent>) {
        super::sql::statements(self, parent);
    }
}

/// Options whose dash a word processor, or somebody who hides them, has written as another sign, as they are typed:
/// an en dash and `rf` as `-rf`, an em dash and `force` as `--force`. One such sign may stand for either; what is long is a name.
fn as_typed(words: &mut [Word]) {
    const LONG: usize = 4;
    let dash =
        |c: char| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}');
    let single = words.first().is_some_and(|word| matches!(word.value.as_str(), "find" | "gfind"));
    for word in words.iter_mut().skip(1).filter(|word| word.value.starts_with(|c: char| !c.is_ascii())) {
        let name = word.value.trim_start_matches(|c| dash(c) || c == '-');
        let signs = word.value[..word.value.len() - name.len()].chars().count();
        if signs == 0 || !word.value.starts_with(dash) || !name.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            continue;
        }
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let two = signs > 1 || (letters >= LONG && !single);
        let (from, len) = (word.value.len() - name.len(), word.value.len());
        let mut origin = Origin::default();
        origin.push(0, word.origin.start(0), word.origin.end(from));
        if two {
            origin.push(1, word.origin.end(from), word.origin.end(from));
        }
        word.origin.copy(from, len, 1 + usize::from(two), &mut origin);
        word.value = format!("{}{name}", if two { "--" } else { "-" });
        word.origin = origin;
    }
}

/// A text of the same length in which nothing nests: what opens or closes ends a command, quotes are blanks.
fn flattened(text: &str) -> String {
    let flat = text.chars().map(|c| match c {
        '(' | ')' | '`' => ';',
        '"' | '\'' | '\\' => ' ',
        _ => c,
    });
    flat.collect()
}

/// Whether a word is `{a,b}`, which a shell makes two words of (bash, "Brace Expansion").
fn braced(word: &Word) -> bool {
    let value = word.value.as_bytes();
    !word.quoted
        && value.len() > 3
        && value[0] == b'{'
        && value[1] != b'{'
        && value.ends_with(b"}")
        && value.contains(&b',')
}

fn split_braces(word: &Word) -> Vec<Word> {
    let mut at = 1;
    let inner = &word.value[1..word.value.len() - 1];
    let parts = inner.split(',').map(|part| {
        let range = at..at + part.len();
        at = range.end + 1;
        let mut origin = Origin::default();
        word.origin.copy(range.start, range.end, 0, &mut origin);
        Word { value: part.to_owned(), span: word.locate(range), origin, ..word.clone() }
    });
    parts.filter(|part| !part.value.is_empty()).take(64).collect()
}
