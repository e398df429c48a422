//! What can be wrong with a suppression, in words of ours.

use std::ops::Range;

/// Why a comment that begins like a suppression is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The part that is wrong, in bytes of the line; the suppression's first word where something is missing.
    pub range: Range<usize>,
}

/// What can be wrong with a suppression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Its first word is not one of the two.
    Word,
    /// Behind its first word stands how far it is to reach, and there are only the two.
    Reach,
    /// It does not end on its line.
    SeveralLines,
    /// Something stands behind the comment.
    TextBehind,
    /// Something stands before the comment.
    TextBefore,
    /// A dash that is no hyphen stands in it, as text editors put it.
    Dashes,
    /// It names no rule.
    NoRule,
    /// A comma stands behind the last rule.
    TrailingComma,
    /// No comma stands between two rules.
    NoComma,
    /// It names a rule that there is not.
    UnknownRule,
    /// It names a rule that only the configuration may suppress.
    OnlyInConfig,
    /// It says no last day.
    NoExpiry,
    /// Its day or its reason is not introduced as it has to be.
    Key,
    /// The reason stands before the day.
    Order,
    /// It gives its day, or its reason, twice.
    Doubled,
    /// Its last day is not a day.
    BadDate,
    /// Its last day is written as one, and the calendar has none like it.
    NoSuchDay,
    /// Its last day stands in quotes.
    QuotedDay,
    /// It gives no reason.
    NoReason,
    /// The reason stands in no quotes, or in others.
    Quotes,
    /// The reason never ends.
    OpenReason,
    /// The reason is longer than [`REASON`] characters.
    LongReason,
    /// The reason has two dashes, a control character or one that turns text around.
    ReasonCharacters,
    /// Something follows the reason.
    Trailing,
}

impl FaultKind {
    /// The name in JSON: the finding's pattern.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Word => "word",
            FaultKind::Reach => "reach",
            FaultKind::SeveralLines => "several-lines",
            FaultKind::TextBehind => "text-behind",
            FaultKind::TextBefore => "text-before",
            FaultKind::Dashes => "dashes",
            FaultKind::TrailingComma => "trailing-comma",
            FaultKind::NoComma => "no-comma",
            FaultKind::Key => "key",
            FaultKind::Order => "order",
            FaultKind::Doubled => "doubled",
            FaultKind::QuotedDay => "quoted-day",
            FaultKind::Quotes => "quotes",
            FaultKind::NoRule => "no-rule",
            FaultKind::UnknownRule => "unknown-rule",
            FaultKind::OnlyInConfig => "only-in-configuration",
            FaultKind::NoExpiry => "no-expiry",
            FaultKind::BadDate | FaultKind::NoSuchDay => "bad-date",
            FaultKind::NoReason => "no-reason",
            FaultKind::OpenReason => "open-reason",
            FaultKind::LongReason => "long-reason",
            FaultKind::ReasonCharacters => "reason-characters",
            FaultKind::Trailing => "trailing",
        }
    }

    /// What is wrong, as the end of a sentence.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            FaultKind::Word => "its first word has to be caveat-allow or caveat-allow-file, in lower case",
            FaultKind::Reach => {
                "caveat-allow is for the next block and caveat-allow-file for the whole file, and there is no other reach"
            }
            FaultKind::SeveralLines => "it has to end on the line where it begins",
            FaultKind::TextBehind => "it has to stand on a line of its own, with nothing behind it",
            FaultKind::TextBefore => "it has to stand on a line of its own, with nothing before it",
            FaultKind::Dashes => "its dashes have to be plain hyphens (-)",
            FaultKind::TrailingComma => "no comma stands behind the last rule",
            FaultKind::NoComma => "commas stand between the rules",
            FaultKind::Key => {
                "its day is written expires=YYYY-MM-DD and its reason reason=\"…\", without spaces at the equals sign"
            }
            FaultKind::Order => "the day comes before the reason",
            FaultKind::Doubled => "this is given twice",
            FaultKind::QuotedDay => "the day stands without quotes",
            FaultKind::Quotes => "the reason stands in straight double quotes",
            FaultKind::NoRule => "it names no rule",
            FaultKind::UnknownRule => "there is no rule of this name",
            FaultKind::OnlyInConfig => "this rule is suppressed in caveat.toml or not at all",
            FaultKind::NoExpiry => "behind the rules, expires=YYYY-MM-DD is missing",
            FaultKind::BadDate => "this is not a day written YYYY-MM-DD",
            FaultKind::NoSuchDay => "this is no day of the calendar",
            FaultKind::NoReason => "behind the day, a reason=\"…\" with words in it is missing",
            FaultKind::OpenReason => "the quote that ends the reason is missing",
            FaultKind::LongReason => "the reason has more than 500 characters",
            FaultKind::ReasonCharacters => {
                "a reason has no double dash, no control character and none that turns text around"
            }
            FaultKind::Trailing => "nothing may follow the reason",
        }
    }
}
