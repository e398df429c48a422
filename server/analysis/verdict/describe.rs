//! A proof in sentences: what hover and `explain FILE:LINE` say.

use super::{Arg, Message};
use crate::scope::{Closer, Proof, Reason, ScopeKind};

impl Proof {
    /// The proof as sentences for a person, one message a line.
    #[must_use]
    pub fn describe(&self) -> Vec<Message> {
        let label = Arg::Line(self.label.line);
        let mut lines = Vec::new();
        let own = self.kind.shows().then_some((self.kind, self.label.line));
        if let Some((kind, line)) = own.or(self.other_cue()) {
            lines.push(Message::new(
                "Shown, not given: {} on line {} says so of {}.",
                [Arg::Name(kind.what()), Arg::Line(line), Arg::Name(kind.of())],
            ));
            lines.push(Message::from(
                "That lowers the severity to information and exempts nothing; `stance = \"off\"` turns it off.",
            ));
        }
        if self.kind.shows() {
            lines.extend(self.kind.to_forbid().map(Message::from));
            return lines;
        }
        let block = match self.kind {
            ScopeKind::LabelledFence => "the fenced block below it",
            ScopeKind::LabelledList => "the command list below it",
            ScopeKind::Sentence => "the command inside it",
            ScopeKind::ReplacementTable => "the same command in the table below it",
            _ => "nothing",
        };
        if self.holds {
            let by = Arg::Name(self.kind.what());
            lines.push(Message::new("Exempt: {} on line {} forbids {}.", [by, label, Arg::Name(block)]));
        } else if let Some(reason) = self.reason {
            let template = match reason {
                Reason::Affirmed | Reason::EntryProse | Reason::Given | Reason::TooMany => {
                    "Not covered by the label on line {}: {}."
                }
                Reason::SecondBlock => "Not covered by the label on line {}: {}.",
                _ if self.kind == ScopeKind::Sentence => {
                    "No exemption: the sentence on line {} does not forbid the command, because {}."
                }
                _ => "No exemption: the label on line {} has no force, because {}.",
            };
            lines.push(Message::new(template, [label, Arg::Name(reason.why())]));
            if let Some(line) = self.reason_line {
                let template = match reason {
                    Reason::SecondBlock => "That one ends on line {}.",
                    _ => "See line {}.",
                };
                lines.push(Message::new(template, [Arg::Line(line)]));
            }
            if let Some(remedy) = reason.remedy(self.kind) {
                lines.push(Message::from(remedy));
            }
        }
        let closer = self.closed_by.filter(|_| self.holds).map(|closer| Arg::Name(closer.what()));
        let covers = self
            .covers
            .filter(|_| self.holds)
            .map(|(first, last)| (Arg::Line(first), Arg::Line(last), first < last));
        match (covers, closer) {
            (Some((first, last, true)), Some(closer)) => {
                lines.push(Message::new("It covers lines {} to {} and ends at {}.", [first, last, closer]))
            }
            (Some((first, _, false)), Some(closer)) => {
                lines.push(Message::new("It covers line {} and ends at {}.", [first, closer]));
            }
            (Some((first, last, true)), None) => {
                lines.push(Message::new("It covers lines {} to {}.", [first, last]));
            }
            _ => {}
        }
        if closer.is_some() {
            lines.push(Message::from(
                "Credentials in it are still reported, and so is a line that begins with run, use, always or the like.",
            ));
        }
        lines
    }
}

impl Proof {
    /// What is said where the label, sentence or cue stands, of a finding that it is about.
    #[must_use]
    pub fn at_its_place(&self) -> &'static str {
        match (self.kind, self.holds) {
            (kind, _) if kind.shows() => "This says that it is shown, not given.",
            (ScopeKind::Sentence | ScopeKind::ReplacementTable, true) => "This sentence forbids it.",
            (ScopeKind::Sentence | ScopeKind::ReplacementTable, false) => "This sentence does not forbid it.",
            (_, true) => "This label forbids it.",
            (_, false) => "This label has no force here.",
        }
    }
}

impl ScopeKind {
    /// What forbids or shows, as the subject of a sentence.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            ScopeKind::Label | ScopeKind::LabelledFence | ScopeKind::LabelledList => "the label",
            ScopeKind::Sentence | ScopeKind::ReplacementTable => "the sentence",
            ScopeKind::Heading => "the heading",
            ScopeKind::LeadIn => "the line above the block",
            ScopeKind::Comment => "the comment",
            ScopeKind::Column => "the table's column",
            ScopeKind::Row => "a cell of the row",
            ScopeKind::Mark => "the mark at its beginning",
            ScopeKind::Description => "the sentence that describes it",
            ScopeKind::DenyList => "the deny list",
        }
    }
}

impl ScopeKind {
    /// Of what a cue says so.
    fn of(self) -> &'static str {
        match self {
            ScopeKind::Heading => "its section",
            ScopeKind::LeadIn => "that block",
            ScopeKind::Comment => "the command",
            ScopeKind::Column => "what stands in the column",
            ScopeKind::Row => "its row",
            ScopeKind::Mark => "the text behind it",
            ScopeKind::DenyList => "its entries",
            _ => "the command in it",
        }
    }

    /// How what is only shown is forbidden, where that can be written beside it.
    fn to_forbid(self) -> Option<&'static str> {
        match self {
            ScopeKind::Heading | ScopeKind::LeadIn | ScopeKind::Comment => Some(
                "To prove it forbidden, put a label right above the fenced block or list: Never run these commands:",
            ),
            ScopeKind::Mark | ScopeKind::Description => Some(
                "To prove it forbidden, say so in one sentence: Never run, then the command in backticks, then a full stop.",
            ),
            _ => None,
        }
    }
}

impl Reason {
    /// Why there is no exemption, as the end of a sentence that begins with "because".
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Reason::InHeading => "it is a heading",
            Reason::InQuote => "it stands in a block quote",
            Reason::InItem => "it stands in a list item",
            Reason::InCode => "it stands in code",
            Reason::InHtml => "it stands in HTML",
            Reason::CodeQuoted => "it is set in backticks",
            Reason::LabelException => "it makes an exception",
            Reason::Condition => "it depends on a condition, or is limited to a place, person or time",
            Reason::Wording => "its wording is not one of the supported forms",
            Reason::NoColon => "it does not end in a colon",
            Reason::Singular => {
                "it speaks of one command or instruction, where the supported forms speak of several"
            }
            Reason::MidSentence => "it goes on with the line above it, where no sentence ends",
            Reason::Myth => "a heading above it says that what stands there is not so",
            Reason::NoBlock => "no fenced block and no direct list follows it",
            Reason::SecondBlock => "it covers only the first block below it",
            Reason::BlankLines => "more than one blank line stands between it and the block",
            Reason::Unclosed => "the fence below it never closes",
            Reason::Reopened => "another fence seems to open inside the one below it before that closes",
            Reason::Nested => "the block below it stands inside a list item or a quote",
            Reason::Mixed => "an entry of the list below it is a heading or a table",
            Reason::Exception => "the block has an exception word (but, however, except, unless)",
            Reason::Affirmed => "the line begins with an affirmative word such as run, use or always",
            Reason::Given => "what stands above or behind it says that it is meant to be run",
            Reason::TooMany => "more stand on this line than are told apart",
            Reason::EntryProse => "the list entry begins with prose or another command, not with this one",
            Reason::Head => "it does not begin with never, do not, must not or avoid",
            Reason::Verb => "its verb is not run, execute, use, follow, call, type, invoke or issue",
            Reason::Between => {
                "words stand between its beginning and the command that may bound what it says"
            }
            Reason::Before => "words stand before its beginning that may bound what it says",
            Reason::Backwards => "what forbids the command stands behind it instead of before it",
            Reason::Passive => "it speaks about the command and does not tell its reader not to run it",
            Reason::Alternative => "it says what to use in the command's place, which forbids nothing",
            Reason::AsksFirst => "it asks for leave, and with that the command may be run",
            Reason::Behind => "more stands behind the command than an end or a reason",
            Reason::TakenBack => "what follows bounds it or takes it back",
        }
    }

    /// What to do about it.
    fn remedy(self, kind: ScopeKind) -> Option<&'static str> {
        match self {
            Reason::Condition | Reason::LabelException if kind == ScopeKind::Sentence => Some(
                "A ban that holds has no limit: Never run, then the command in backticks, then a full stop. Else accept the command with a suppression.",
            ),
            Reason::Head
            | Reason::Verb
            | Reason::Between
            | Reason::Before
            | Reason::Passive
            | Reason::Backwards
            | Reason::Alternative => Some(
                "The form that holds: Never run, then the command in backticks, then a full stop or a reason after a colon.",
            ),
            Reason::AsksFirst => Some(
                "Forbid it with: Never run, then the command in backticks, then a full stop. Else accept it with a suppression.",
            ),
            Reason::Behind => Some(
                "The form that holds: Never run, then the command in backticks, then a full stop or a reason after because, since, a colon or a dash.",
            ),
            Reason::TakenBack => {
                Some("Let what follows neither make an exception nor tell to run the command.")
            }
            Reason::MidSentence => {
                Some("End the sentence above it with a full stop, or put a blank line between.")
            }
            Reason::Myth => Some("Put it under a heading of its own."),
            Reason::NoColon => Some("Put a colon at its end."),
            Reason::Singular => {
                Some("Write it in the plural, also for one command: Never run these commands:")
            }
            Reason::SecondBlock => {
                Some("Put a label of its own right above this block, or both into one block.")
            }
            Reason::InHeading | Reason::InQuote | Reason::InItem | Reason::InCode | Reason::InHtml => {
                Some("A label holds only as a whole line of an ordinary paragraph, directly above its block.")
            }
            Reason::CodeQuoted | Reason::LabelException | Reason::Condition | Reason::Wording => {
                Some("Write it as one of the supported forms, for example: Never run these commands:")
            }
            Reason::NoBlock | Reason::BlankLines | Reason::Nested | Reason::Mixed => Some(
                "Put the label directly above its fenced block or command list, with at most one blank line between.",
            ),
            Reason::Unclosed | Reason::Reopened => {
                Some("Close the fence with as many of the same marks as it was opened with.")
            }
            Reason::Exception => Some("Say what is excepted outside of the block."),
            Reason::Affirmed | Reason::Given => {
                Some("Take those words away if this line is forbidden too; else move it out of the block.")
            }
            Reason::EntryProse => Some("Begin each list entry with its command, one command to an entry."),
            Reason::TooMany => Some("Break the line up."),
        }
    }
}

impl Closer {
    fn what(self) -> &'static str {
        match self {
            Closer::ClosingFence => "its closing fence",
            Closer::BlankLine => "the blank line after it",
            Closer::Indentation => "a change of indentation",
            Closer::Marker => "another list marker",
            Closer::Paragraph => "a paragraph",
            Closer::Heading => "a heading",
            Closer::ThematicBreak => "a thematic break",
            Closer::Code => "a code block",
            Closer::Block => "the block after it",
            Closer::EndOfDocument => "the end of the document",
        }
    }
}
