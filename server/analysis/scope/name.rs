//! The names of scopes, reasons and closers in JSON.

use super::{Closer, Reason, ScopeKind};

impl ScopeKind {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ScopeKind::Label => "label",
            ScopeKind::LabelledFence => "labelled-fence",
            ScopeKind::LabelledList => "labelled-list",
            ScopeKind::Sentence => "sentence",
            ScopeKind::ReplacementTable => "replacement-table",
            ScopeKind::Heading => "heading",
            ScopeKind::LeadIn => "lead-in",
            ScopeKind::Comment => "comment",
            ScopeKind::Column => "column",
            ScopeKind::Row => "row",
            ScopeKind::Mark => "mark",
            ScopeKind::Description => "description",
            ScopeKind::DenyList => "deny-list",
        }
    }
}

impl Reason {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reason::InHeading => "in-heading",
            Reason::InQuote => "in-quote",
            Reason::InItem => "in-list-item",
            Reason::InCode => "in-code",
            Reason::InHtml => "in-html",
            Reason::CodeQuoted => "code-quoted",
            Reason::LabelException => "exception-in-label",
            Reason::Condition => "condition",
            Reason::Wording => "wording",
            Reason::NoColon => "no-colon",
            Reason::Singular => "singular",
            Reason::MidSentence => "mid-sentence",
            Reason::Myth => "myth",
            Reason::NoBlock => "no-block",
            Reason::SecondBlock => "second-block",
            Reason::BlankLines => "blank-lines",
            Reason::Unclosed => "unclosed-fence",
            Reason::Reopened => "reopened-fence",
            Reason::Nested => "nested-block",
            Reason::Mixed => "mixed-list",
            Reason::Exception => "exception-word",
            Reason::Affirmed => "affirmative-prefix",
            Reason::Given => "given-by-comment",
            Reason::TooMany => "too-many-on-line",
            Reason::EntryProse => "entry-is-prose",
            Reason::Head => "head",
            Reason::Verb => "verb",
            Reason::Between => "words-between",
            Reason::Before => "words-before",
            Reason::Passive => "passive",
            Reason::Backwards => "ban-behind",
            Reason::Alternative => "alternative",
            Reason::AsksFirst => "asks-first",
            Reason::Behind => "words-behind",
            Reason::TakenBack => "taken-back",
        }
    }
}

impl Closer {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Closer::ClosingFence => "closing-fence",
            Closer::BlankLine => "blank-line",
            Closer::Indentation => "indentation",
            Closer::Marker => "list-marker",
            Closer::Paragraph => "paragraph",
            Closer::Heading => "heading",
            Closer::ThematicBreak => "thematic-break",
            Closer::Code => "code",
            Closer::Block => "block",
            Closer::EndOfDocument => "end-of-document",
        }
    }
}
