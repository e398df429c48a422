//! Where a suppression goes: right before the block that has the finding, as far in as that can be.
//!
//! Which prefix puts a line into the same containers is not computed but tried, from the longest to none: list items
//! that begin on the block's own line, lazy lines, tabs and indented code all have their ways, and a comment that
//! slipped out of its container covers less than the finding, which the trial sees.

use super::{Fix, FixKind, Fixer, REASON, TextEdit, titled};
use crate::catalogue::RuleId;
use crate::lines::Leaf;
use crate::scope::{self, BlockKind};
use crate::text::Source;
use crate::verdict::Finding;

/// How many lines of front matter above a finding are tried.
const FRONT: usize = 40;

/// How many prefixes are tried.
const PREFIXES: usize = 12;

const BOM: char = '\u{feff}';

impl Fixer<'_> {
    /// Suppresses `finding` where it stands.
    pub(super) fn suppress_here(&self, finding: &Finding) -> Option<Fix> {
        let (text, records) = (self.snapshot.text(), self.snapshot.records());
        let (index, lines) = scope::at(self.snapshot.blocks(), finding.span.line)?;
        let in_front = self.snapshot.blocks().get(index)?.kind == BlockKind::FrontMatter;
        let comment = self.comment("caveat-allow", finding.rule);
        let title = || titled("Suppress {} here", finding.rule);
        let attempt = |line: usize, put: String| {
            let at = self.line_start(line);
            let edits = vec![TextEdit::insert(at, put)];
            self.tried(FixKind::SuppressHere, title(), finding, edits)
        };
        if in_front {
            let first = finding.span.line.saturating_sub(FRONT).max(1);
            return (first..=finding.span.line).rev().find_map(|line| {
                let own = text.line(line);
                let indent = &own[..own.len() - own.trim_start_matches([' ', '\t']).len()];
                attempt(line, format!("{indent}# {comment}{}", self.line_end(line)))
            });
        }
        let start = lines.start;
        let own = text.line(start);
        let own = own.trim_start_matches(BOM);
        // The indentation that makes code of a line is no container's.
        let indented = records.get(start)?.line.exit.leaf == Leaf::Indented;
        let marks = &own[..own.len() - own.trim_start_matches([' ', '\t', '>']).len()];
        let outside = marks.strip_suffix("    ").or_else(|| marks.strip_suffix('\t'));
        let likely = outside.filter(|_| indented);
        likely
            .into_iter()
            .chain(prefixes(own))
            .find_map(|prefix| attempt(start, format!("{prefix}<!-- {comment} -->{}", self.line_end(start))))
    }

    /// Suppresses the rule of `finding` in the whole file.
    pub(super) fn suppress_file(&self, finding: &Finding) -> Option<Fix> {
        let text = self.snapshot.text();
        let comment = format!("<!-- {} -->", self.comment("caveat-allow-file", finding.rule));
        let front = self.snapshot.blocks().get(0).filter(|block| block.kind == BlockKind::FrontMatter);
        let line = front.map_or(0, |block| block.lines as usize);
        let end = self.line_end(line.min(text.line_count() - 1));
        let (at, put) = if line >= text.line_count() {
            (text.len(), format!("{end}{comment}{end}"))
        } else {
            let behind = if text.line(line).trim().is_empty() { "" } else { end };
            (self.line_start(line), format!("{comment}{end}{behind}"))
        };
        let title = titled("Suppress {} in this file", finding.rule);
        self.tried(FixKind::SuppressFile, title, finding, vec![TextEdit::insert(at, put)])
    }

    fn comment(&self, word: &str, rule: RuleId) -> String {
        format!("{word} {} expires={} reason=\"{REASON}\"", rule.name(), self.last_day())
    }

    /// The byte at which line `line` begins, behind a byte order mark.
    pub(super) fn line_start(&self, line: usize) -> usize {
        let text = self.snapshot.text();
        let mark = line == 0 && text.line(0).starts_with(BOM);
        text.line_start(line) + if mark { BOM.len_utf8() } else { 0 }
    }

    /// How line `line` ends; the last line as the one before it, and a line alone with LF.
    pub(super) fn line_end(&self, line: usize) -> &'static str {
        let text = self.snapshot.text();
        let line = if line + 1 < text.line_count() { line } else { line.saturating_sub(1) };
        if line + 1 >= text.line_count() {
            return "\n";
        }
        let end = text.line_start(line) + text.line(line).len();
        match text.slice(end..text.line_start(line + 1)).as_ref() {
            "\r\n" => "\r\n",
            "\r" => "\r",
            _ => "\n",
        }
    }
}

/// The beginnings of `line` that put a line into the containers that it goes on with, the longest first.
pub(super) fn prefixes(line: &str) -> Vec<&str> {
    let marks = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
    let mut cuts: Vec<usize> = (marks.saturating_sub(4)..=marks)
        // Indented code: its indentation is no container's.
        .filter(|cut| line[*cut..marks].bytes().all(|byte| byte != b'>'))
        .collect();
    for (at, _) in line[..marks].match_indices('>') {
        cuts.push(at + 1);
        if line[at + 1..marks].starts_with([' ', '\t']) {
            cuts.push(at + 2);
        }
    }
    cuts.push(0);
    cuts.sort_unstable();
    cuts.dedup();
    let first = cuts.len().saturating_sub(PREFIXES);
    if first > 0 {
        cuts.drain(1..=first.min(cuts.len() - 1));
    }
    cuts.into_iter().rev().map(|cut| &line[..cut]).collect()
}
