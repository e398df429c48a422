//! What the scopes know before a block, what they say of it, and why a label or a sentence has no force.

use crate::facts::Record;
use crate::facts::ban::Miss;
use crate::facts::cue::Turn;
use crate::facts::label::Noun;
use crate::lines::Family;

/// What governs the next block. It says *what*, never *where*: the proof finds the place when asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ScopeState {
    /// The label above, and how many blank lines stand between (at most two are told apart).
    pub label: Option<(Pending, u8)>,
    /// The cue that the line above raises for this block, and how many blank lines stand between.
    pub lead: Option<(Turn, u8)>,
    /// The cue of each open heading, by level.
    pub section: [Option<Turn>; 6],
    /// A sentence of this section forbids a command: a table further down may be its list of replacements.
    pub banned: bool,
    /// The text right above limits or cites what stands below it.
    pub limited: bool,
    /// An element of HTML is open that strikes out what it holds.
    pub struck: bool,
    /// The open headings, by level from bit zero, under which things stand that are not so.
    pub myth: u8,
    /// The open headings, by level from bit zero, that only warn of what stands below them.
    pub warns: u8,
    /// A label forbids the direct list right above: the family of its items. In CommonMark the entries behind a blank line
    /// are of the same list; for seed 1 they are not, and are shown.
    pub loose: Option<Family>,
}

impl ScopeState {
    /// The cue of the nearest heading above that has one, and its level counted from zero.
    #[must_use]
    pub fn section_turn(&self) -> Option<(usize, Turn)> {
        self.section.iter().enumerate().rev().find_map(|(level, turn)| Some((level, (*turn)?)))
    }

    /// Whether a list that begins with `first` goes on, for CommonMark, with the one that a label forbids right above, or
    /// stands in an entry of it.
    #[must_use]
    pub fn goes_on(&self, first: &Record) -> bool {
        let near = self.label.is_some_and(|(_, blanks)| blanks <= 1);
        let nested = first.line.depth > 1 && first.line.item.is_some();
        near && self.loose.is_some() && (nested || first.line.item == self.loose)
    }

    /// Whether the heading of zero-based `level` above only warns.
    #[must_use]
    pub fn only_warns(&self, level: usize) -> bool {
        self.warns & (1 << level) != 0
    }
}

/// A label that waits for its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pending {
    /// One that holds if its block does.
    Holds(Noun),
    /// One that does not.
    Fails(Reason),
}

/// What the scopes say of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Governed {
    /// Nothing.
    #[default]
    Free,
    /// A label forbids what is in it.
    Forbidden(Noun),
    /// A label stands above it without force.
    Failed(Reason),
}

/// Why a label, or a scope at one place, has no force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The label is a heading.
    InHeading,
    /// The label stands in a block quote.
    InQuote,
    /// The label stands in a list item.
    InItem,
    /// The label stands in code, or in a fence's opening line.
    InCode,
    /// The label stands in an HTML block.
    InHtml,
    /// The label is set in backticks.
    CodeQuoted,
    /// The label has an exception word.
    LabelException,
    /// The label has a condition, or limits place, person or time.
    Condition,
    /// The label's words are not those of a supported form.
    Wording,
    /// The label has no colon at its end.
    NoColon,
    /// The label's noun stands in the singular.
    Singular,
    /// The label goes on with what its paragraph says above it.
    MidSentence,
    /// A heading above says that what stands below it is not so.
    Myth,
    /// No fence and no direct list follows.
    NoBlock,
    /// The label holds, and governs the block before this one.
    SecondBlock,
    /// More than one blank line stands between label and block.
    BlankLines,
    /// The fence below never closes.
    Unclosed,
    /// Another fence seems to open inside the one below before it closes: its closing line may be missing.
    Reopened,
    /// The block below stands in a quote or inside a list item.
    Nested,
    /// An entry of the list is a heading or a table.
    Mixed,
    /// An exception word stands in the block.
    Exception,
    /// The scope holds, but this line begins with an affirmative word.
    Affirmed,
    /// The scope holds, but a comment in the block says that this line is meant to be run.
    Given,
    /// The scope holds, but so many stand on this line that they are not told apart.
    TooMany,
    /// The scope holds, but this list entry does not begin with a command.
    EntryProse,
    /// The sentence's head is not one that forbids.
    Head,
    /// The sentence's verb is not one of those that it may have.
    Verb,
    /// Words stand between the sentence's head and the command.
    Between,
    /// Words stand before the sentence's head.
    Before,
    /// The sentence says of the command what must not be done to it.
    Passive,
    /// The ban stands behind the command.
    Backwards,
    /// The sentence names what to use in the command's place.
    Alternative,
    /// The sentence asks for leave, and so gives the command.
    AsksFirst,
    /// More stands behind the command than the sentence may have.
    Behind,
    /// What follows the sentence, or the label's block, bounds it or takes it back.
    TakenBack,
}

impl Reason {
    /// The reason why a sentence that nearly forbids does not.
    #[must_use]
    pub fn of(miss: Miss) -> Reason {
        match miss {
            Miss::Head => Reason::Head,
            Miss::Verb => Reason::Verb,
            Miss::Between => Reason::Between,
            Miss::Before => Reason::Before,
            Miss::Passive => Reason::Passive,
            Miss::Backwards => Reason::Backwards,
            Miss::Alternative => Reason::Alternative,
            Miss::AsksFirst => Reason::AsksFirst,
            Miss::Condition => Reason::Condition,
            Miss::Exception => Reason::LabelException,
            Miss::Behind => Reason::Behind,
            Miss::TakenBack => Reason::TakenBack,
        }
    }
}
