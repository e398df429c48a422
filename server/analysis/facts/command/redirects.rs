//! Redirections and here-documents (POSIX 2.7).

use super::dialect::Dialect;
use super::inline::{runs_its_input, wants_sql};
use super::read::{Pipe, Reader};
use super::script::{Feed, HereDoc, Redirect, RedirectOp, Simple, Via, Word};
use super::words::DEPTH;
use crate::lines::is_script;

/// Whether a command writes what it is given to where it will be run: a script, a cron table.
pub(super) fn writes_script(simple: &Simple) -> bool {
    let is_hook = |word: &Word| {
        word.value.contains(".git/hooks/")
            || word.value.contains(".husky/")
            || (word.value.contains("/bin/") && !word.value.ends_with('/'))
    };
    let is_script = |word: &Word| word.value.split('/').any(is_script) || is_hook(word);
    let files = simple.redirects.iter().filter(|redirect| {
        matches!(
            redirect.op,
            RedirectOp::Write | RedirectOp::Append | RedirectOp::Both | RedirectOp::AppendBoth
        )
    });
    simple.program == "crontab"
        || files.map(|redirect| &redirect.target).any(is_script)
        || (simple.program == "tee" && simple.args().iter().any(is_script))
}

/// A here-document whose text has not come yet.
pub(super) struct Pending {
    command: usize,
    delimiter: String,
    tabs: bool,
    expands: bool,
}

impl Reader<'_> {
    /// The redirection operator here: what it does, its descriptor, its length.
    pub(super) fn redirection(&self) -> Option<(RedirectOp, Option<u8>, usize)> {
        let mut skip = 0;
        while self.peek(skip).is_ascii_digit() && skip < 3 {
            skip += 1;
        }
        if !matches!(self.peek(skip), b'<' | b'>' | b'&') {
            return None;
        }
        let rest = &self.text.text.as_bytes()[(self.at + skip).min(self.end)..self.end];
        if skip == 0 && rest.starts_with(b"&>") && self.dialect == Dialect::Posix {
            return Some(if rest.starts_with(b"&>>") {
                (RedirectOp::AppendBoth, None, 3)
            } else {
                (RedirectOp::Both, None, 2)
            });
        }
        let table: [(&[u8], RedirectOp); 9] = [
            (b"<<<", RedirectOp::HereString),
            (b"<<", RedirectOp::HereDoc),
            (b"<>", RedirectOp::Write),
            (b"<&", RedirectOp::Duplicate),
            (b">&", RedirectOp::Duplicate),
            (b">>", RedirectOp::Append),
            (b">|", RedirectOp::Write),
            (b"<", RedirectOp::Read),
            (b">", RedirectOp::Write),
        ];
        let (sign, op) = table.into_iter().find(|(sign, _)| rest.starts_with(sign))?;
        if matches!(op, RedirectOp::HereDoc | RedirectOp::HereString) && self.dialect != Dialect::Posix {
            return None;
        }
        let bracket = rest.get(sign.len()) == Some(&b'(') && sign.len() == 1 && self.marks.backquotes;
        if skip == 0 && (bracket || (op == RedirectOp::Read && self.placeholder().is_some())) {
            return None;
        }
        let digits = &self.text.text[self.at..self.at + skip];
        Some((op, digits.parse().ok(), skip + sign.len()))
    }

    pub(super) fn redirect(
        &mut self,
        op: RedirectOp,
        fd: Option<u8>,
        index: usize,
        simple: &mut Simple,
        pending: &mut Vec<Pending>,
    ) {
        let tabs = op == RedirectOp::HereDoc && self.peek(0) == b'-';
        self.at += usize::from(tabs);
        while matches!(self.peek(0), b' ' | b'\t') && self.at < self.end {
            self.at += 1;
        }
        let at = self.text.start(self.at);
        let target = self.word(index).unwrap_or_else(|| Word { span: at..at, ..Word::default() });
        match op {
            RedirectOp::HereDoc if !target.value.is_empty() => {
                let expands = !target.quoted;
                simple.feed = Feed::HereDoc(HereDoc { body: at..at, closed: false, expands });
                pending.push(Pending { command: index, delimiter: target.value.clone(), tabs, expands });
            }
            RedirectOp::HereString => simple.feed = Feed::HereString(target.clone()),
            RedirectOp::Read => simple.feed = Feed::File(target.clone()),
            _ => {}
        }
        simple.redirects.push(Redirect { op, fd, target });
    }

    /// Reads the here-documents that begin on this line. One that never closes is no here-document: its lines are read
    /// as commands, so that nothing can be hidden behind a delimiter that does not come.
    pub(super) fn documents(&mut self, pipe: &mut Pipe) {
        for pending in std::mem::take(&mut pipe.pending) {
            pipe.finished = false;
            let begin = self.at;
            let mut line = begin;
            let close = loop {
                if line >= self.end || self.out.budget == 0 {
                    break None;
                }
                let rest = &self.text.text[line..self.end];
                let len = rest.find('\n').unwrap_or(rest.len());
                let text = if pending.tabs { rest[..len].trim_start_matches('\t') } else { &rest[..len] };
                if text.trim_end_matches('\r') == pending.delimiter {
                    break Some((line, line + len));
                }
                line += len + 1;
            };
            let Some((close, after)) = close else {
                self.out.budget = self.out.budget.saturating_sub(line - begin);
                continue;
            };
            let body = self.text.start(begin)..self.text.end(close).max(self.text.start(begin));
            let doc = HereDoc { body, closed: true, expands: pending.expands };
            self.out.script.commands[pending.command].feed = Feed::HereDoc(doc);
            let live = match self.document_dialect(pending.command) {
                None if pipe.open => Some(self.dialect),
                known => known,
            };
            match live {
                Some(dialect) => {
                    let outer = (self.dialect, self.marks);
                    (self.dialect, self.marks) = (dialect, dialect.marks());
                    if self.depth < DEPTH {
                        self.nested(close, pending.command, Via::Document);
                    }
                    (self.dialect, self.marks) = outer;
                }
                None if pending.expands => self.within(close, |reader| reader.expansions(pending.command)),
                None => {}
            }
            self.at = (after + 1).min(self.end);
        }
    }

    /// The dialect in which somebody runs the here-document of the command `command`.
    fn document_dialect(&self, command: usize) -> Option<Dialect> {
        let commands = &self.out.script.commands;
        if wants_sql(&commands[command]) {
            return Some(Dialect::Sql);
        }
        let mut last = self.out.script.pipelines.iter().rev().take(16);
        let pipeline = last.find(|pipeline| pipeline.stages.contains(&command));
        let later = pipeline.map(|pipeline| pipeline.stages.as_slice()).unwrap_or_default();
        let later = later.iter().skip_while(|stage| **stage != command).chain([&command]);
        later.clone().find_map(|stage| runs_its_input(&commands[*stage])).or_else(|| {
            later.into_iter().any(|stage| writes_script(&commands[*stage])).then_some(Dialect::Posix)
        })
    }

    /// Reads only the substitutions of a text that nobody runs.
    pub(super) fn expansions(&mut self, parent: usize) {
        while self.at < self.end {
            let rest = &self.text.text.as_bytes()[self.at..self.end];
            let Some(found) = rest.iter().position(|byte| matches!(byte, b'$' | b'`' | b'\\')) else { break };
            self.at += found;
            match (self.peek(0), self.peek(1)) {
                (b'\\', _) => self.at += 2,
                (b'$', b'(') | (b'`', _) => {
                    self.expansion(parent);
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.end);
    }
}
