//! What is forbidden, and the proof.

use crate::verdict::Message;

/// Why a finding is exempt, or why a label beside it has no force: what, where, and what closed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What kind of scope it is.
    pub kind: ScopeKind,
    /// Whether the scope holds.
    pub holds: bool,
    /// Why it does not hold; `None` where it holds.
    pub reason: Option<Reason>,
    /// The label (or sentence) that opens the scope.
    pub label: LabelAt,
    /// Zero-based first and last line that it covers, if it covers any.
    pub covers: Option<(usize, usize)>,
    /// What ends the scope.
    pub closed_by: Option<Closer>,
}

/// Where a label stands: zero-based line, byte columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelAt {
    /// Zero-based line.
    pub line: usize,
    /// First byte within the line.
    pub start: usize,
    /// Byte after the last, within the line.
    pub end: usize,
}

/// The kinds of scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScopeKind {
    /// A label above a closed fence.
    LabelledFence,
    /// A label above a direct list.
    LabelledList,
}

impl ScopeKind {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ScopeKind::LabelledFence => "labelled-fence",
            ScopeKind::LabelledList => "labelled-list",
        }
    }
}

/// Why a label does not hold. Extended as rooms are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The fence below it never closes.
    Unclosed,
}

impl Reason {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reason::Unclosed => "unclosed-fence",
        }
    }
}

/// What ends a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Closer {
    /// The fence's closing line.
    ClosingFence,
}

impl Closer {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Closer::ClosingFence => "closing-fence",
        }
    }
}

impl Proof {
    /// The proof as sentences for a person: what hover and `explain FILE:LINE` print, one message a line.
    #[must_use]
    pub fn describe(&self) -> Vec<Message> {
        Vec::new()
    }
}
