//! Stance: cues that show a command instead of giving it (CONTRACTS, "Stance"). Our addition to the seeds.
//!
//! A cue lowers the severity to information and never changes the status. The nearest one decides: a comment behind the
//! command, the comments above it in the fence, its own sentence or row, the table's column, the line above the block, the
//! headings. One that points the other way ("Instead:") ends what a farther one shows.

use std::ops::Range;

use super::grounds::Grounds;
use crate::facts::cue::Turn;
use crate::facts::{By, ByKind, Cues, Fact, Governs, Hit, Record, Says};
use crate::lines::Family;
use crate::scope::{Block, BlockKind, Governed, LabelAt, Pending, Proof, Reason, ScopeKind};
use crate::text::Source;

/// How many blank lines may stand between two comments that are read together.
const NEAR: usize = 2;

/// The cues that count in one block.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    section: Option<(Turn, LabelAt)>,
    lead: Option<(Turn, LabelAt)>,
    columns: Vec<(u8, Turn, LabelAt)>,
    /// The columns that say whether something is allowed.
    leave: Vec<u8>,
    /// Where the row at hand says that it is not, and its line.
    denied: Option<(usize, LabelAt)>,
    below: Option<(Turn, LabelAt)>,
    /// The line of the last comment.
    comment: usize,
    /// What stands below the block gives what stands in it.
    pub(super) taken_back: bool,
    /// The label above stands in an alert.
    alert: bool,
    /// A comment behind a command, and its line.
    line: Option<(usize, Turn, LabelAt)>,
}

impl Turns {
    /// Where the heading stands that decides the section.
    pub(super) fn section(&self) -> Option<LabelAt> {
        self.section.map(|(_, at)| at)
    }

    /// Takes note of the comments on a line of the block; lines come in order.
    /// `blank` tells whether a line of the document is.
    pub(super) fn pass(&mut self, line: usize, record: &Record, blank: impl Fn(usize) -> bool) {
        self.line = None;
        self.denied = None;
        for fact in record.facts() {
            let at = place(line, fact);
            match fact.says {
                Says::Turn(turn, Governs::Below) => {
                    self.below = Some((turn, at));
                    self.comment = line;
                }
                Says::Turn(turn, Governs::Part) => {
                    let between = self.comment + 1..line;
                    let goes_on = between.len() <= NEAR && between.into_iter().all(&blank);
                    let ends = turn == Turn::Good || !goes_on;
                    self.below = self.below.filter(|(turn, _)| !(ends && *turn == Turn::Bad));
                    self.comment = line;
                }
                Says::Turn(turn, Governs::Line) => self.line = Some((line, turn, at)),
                Says::Turn(_, Governs::Denial(column)) if self.leave.contains(&column) => {
                    self.denied = Some((line, at));
                }
                _ => {}
            }
        }
    }

    /// Whether a comment in the fence says that what stands on line `line` is meant to be run: "GOOD", "instead".
    pub(super) fn gives(&self, line: usize) -> bool {
        let behind = self.line.filter(|(at, ..)| *at == line).map(|(_, turn, _)| turn);
        behind.or(self.below.map(|(turn, _)| turn)) == Some(Turn::Good)
    }

    /// The cue that shows `hit`, which stands on line `line`; `None` where the nearest one does not, or there is none.
    pub(super) fn shown(&self, line: usize, hit: Hit, governed: Governed) -> Option<(ScopeKind, LabelAt)> {
        if let Governed::Failed(reason) = governed
            && !matters(reason)
            && !(self.alert && reason == Reason::InQuote)
        {
            return None;
        }
        let behind =
            self.line.filter(|(at, ..)| *at == line).map(|(_, turn, at)| (ScopeKind::Comment, turn, at));
        let around = |turn: &(Turn, LabelAt)| !self.taken_back || turn.0 == Turn::Good;
        let below = self.below.filter(around).map(|(turn, at)| (ScopeKind::Comment, turn, at));
        let own = hit.by.and_then(|by| {
            let (kind, turn) = match by.kind {
                ByKind::Ban => (ScopeKind::Sentence, Turn::Bad),
                ByKind::Nearly { turn, .. } => (ScopeKind::Sentence, turn?),
                ByKind::Denied => (ScopeKind::DenyList, Turn::Bad),
                ByKind::Says(turn) => (ScopeKind::Description, turn),
                ByKind::Opener(turn) => (ScopeKind::Mark, turn),
                ByKind::Cell(turn) => (ScopeKind::Row, turn),
            };
            Some((kind, turn, at(line, by)))
        });
        let denied = self.denied.filter(|(at, _)| *at == line).map(|(_, at)| (ScopeKind::Row, Turn::Bad, at));
        let column = self.columns.iter().find(|(column, ..)| *column == hit.cell);
        let column = column.map(|(_, turn, at)| (ScopeKind::Column, *turn, *at));
        // What is wrong with a row does not show what mends it.
        let mends = column.is_some_and(|(_, turn, _)| turn == Turn::Good);
        // Nor does a table that is run from below show anything.
        let rows = !(mends || self.taken_back);
        let own = own.filter(|(kind, turn, _)| rows || !(*kind == ScopeKind::Row && *turn == Turn::Bad));
        let denied = denied.filter(|_| !self.taken_back);
        let column = column.filter(|(_, turn, _)| !self.taken_back || *turn == Turn::Good);
        let lead = self.lead.filter(around).map(|(turn, at)| (ScopeKind::LeadIn, turn, at));
        let section = self.section.filter(around).map(|(turn, at)| (ScopeKind::Heading, turn, at));
        let (kind, turn, at) = behind.or(below).or(denied).or(own).or(column).or(lead).or(section)?;
        (turn == Turn::Bad).then_some((kind, at))
    }
}

/// Whether a label without force may still be a cue: not one that a condition, an exception or a missing end cancelled.
fn matters(reason: Reason) -> bool {
    !matches!(
        reason,
        Reason::LabelException
            | Reason::Condition
            | Reason::MidSentence
            | Reason::Myth
            | Reason::TakenBack
            | Reason::Exception
            | Reason::Unclosed
            | Reason::Reopened
            | Reason::BlankLines
            | Reason::InQuote
            | Reason::CodeQuoted
            | Reason::InHtml
    )
}

impl<S: Source> Grounds<'_, S> {
    /// The cues that count in `block`. `known` is a block further up, and the heading that decides its section.
    pub(super) fn turns(
        &self,
        block: &Block,
        index: usize,
        lines: &Range<usize>,
        known: Option<(usize, LabelAt)>,
    ) -> Turns {
        // An item may take back what those above it say.
        let cues = self.records.fold(lines.clone()).cues;
        let item = block.kind == BlockKind::List && (cues.has(Cues::REVOKES) || cues.has(Cues::RUNS_ABOVE));
        let mut turns = Turns { taken_back: block.taken_back || item, ..Turns::default() };
        let governs =
            matches!(block.kind, BlockKind::Fence | BlockKind::List | BlockKind::Table | BlockKind::Code);
        let ordered = || {
            let first = self.records.get(lines.start);
            first.is_some_and(|first| matches!(first.line.item, Some(Family::Ordered(_))))
        };
        if let Some((level, turn)) = block.entry.section_turn()
            && (!block.entry.only_warns(level) || (governs && !block.entry.limited && !ordered()))
        {
            turns.section = self.heading(index, lines.start, level, known).map(|at| (turn, at));
        }
        if let Some((turn, blanks)) = block.entry.lead
            && governs
            && blanks <= 1
        {
            turns.lead = self.line_above(index, lines.start).map(|at| (turn, at));
        }
        if self.shown_by_label(block, lines, cues) {
            turns.lead = self.line_above(index, lines.start).map(|at| (Turn::Bad, at));
        }
        turns.alert = block.governed == Governed::Failed(Reason::InQuote)
            && turns.lead.is_some_and(|(_, at)| self.is_in_alert(at.line));
        if block.kind == BlockKind::Table {
            for fact in self.records.get(lines.start).map(Record::facts).unwrap_or_default() {
                match fact.says {
                    Says::Turn(turn, Governs::Column(column)) => {
                        turns.columns.push((column, turn, place(lines.start, fact)));
                    }
                    Says::Turn(_, Governs::Leave(column)) => turns.leave.push(column),
                    _ => {}
                }
            }
        }
        turns
    }

    /// Whether a label stands right above a block that it does not cover by its kind (seed 1 knows fences and lists), or whose
    /// entries a blank line parts from those that it covers. What is below it is forbidden for its reader all the same.
    fn shown_by_label(&self, block: &Block, lines: &Range<usize>, cues: Cues) -> bool {
        let entry = &block.entry;
        if entry.myth != 0 || cues.has(Cues::EXCEPTION) {
            return false;
        }
        match (block.kind, entry.label) {
            (BlockKind::Table | BlockKind::Code, Some((Pending::Holds(_), blanks))) => blanks <= 1,
            (BlockKind::List, _) if block.governed == Governed::Failed(Reason::SecondBlock) => {
                self.records.get(lines.start).is_some_and(|first| entry.goes_on(first))
            }
            _ => false,
        }
    }

    /// Whether line `line`, which stands in a quote, stands in an alert: that cites nobody.
    fn is_in_alert(&self, line: usize) -> bool {
        const LOOK: usize = 4;
        const ALERTS: [&str; 4] = ["[!WARNING]", "[!CAUTION]", "[!IMPORTANT]", "[!DANGER]"];
        (line.saturating_sub(LOOK)..=line).any(|line| {
            let text = self.source.line(line);
            let text = text.trim().trim_start_matches(['>', ' ']);
            ALERTS.iter().any(|alert| text.eq_ignore_ascii_case(alert))
        })
    }

    /// The heading of zero-based `level` above block `index`, which begins on line `line`. Looked for no further up than
    /// the known block: where no heading stands between, it is the same.
    fn heading(
        &self,
        index: usize,
        line: usize,
        level: usize,
        known: Option<(usize, LabelAt)>,
    ) -> Option<LabelAt> {
        let mut line = line;
        for index in (0..index).rev() {
            let block = self.blocks.get(index)?;
            if let Some((known, at)) = known
                && index == known
                && block.kind != BlockKind::Heading
                && block.entry.section_turn().is_some_and(|(known, _)| known == level)
            {
                return Some(at);
            }
            line -= block.lines as usize;
            if block.kind == BlockKind::Heading {
                let (first, last) =
                    (self.records.get(line)?, self.records.get(line + block.lines as usize - 1)?);
                if first.line.depth == 0 && usize::from(last.line.level) == level + 1 {
                    return first.turn(Governs::Section).map(|(_, fact)| place(line, fact));
                }
            }
        }
        None
    }

    /// The line that raises a cue for block `index`: the last one of a block above, past blank lines and list items.
    fn line_above(&self, index: usize, line: usize) -> Option<LabelAt> {
        let mut line = line;
        for index in (0..index).rev() {
            let block = self.blocks.get(index)?;
            let last = line - 1;
            line -= block.lines as usize;
            let directive =
                block.kind == BlockKind::Html && self.records.fold(line..last + 1).cues.has(Cues::DIRECTIVE);
            if block.kind == BlockKind::Blank || directive {
                continue;
            }
            if let Some((_, fact)) = self.records.get(last)?.turn(Governs::Block) {
                return Some(place(last, fact));
            }
            if block.kind != BlockKind::List {
                return None;
            }
        }
        None
    }
}

fn place(line: usize, fact: &Fact) -> LabelAt {
    LabelAt { line, start: fact.start as usize, end: fact.end as usize }
}

/// Where a cue of the same scan unit stands, seen from a command on line `line`.
pub(super) fn at(line: usize, by: By) -> LabelAt {
    let line = line.saturating_add_signed(by.line.into());
    LabelAt { line, start: by.start as usize, end: by.end as usize }
}

/// The proof of a sentence, a table or a cue: it holds as long as it stands, and covers `lines`.
pub(super) fn proof(kind: ScopeKind, label: LabelAt, lines: Range<usize>) -> Proof {
    let covers = Some((lines.start, lines.end - 1));
    Proof { kind, holds: true, reason: None, reason_line: None, label, covers, closed_by: None, cue: None }
}
