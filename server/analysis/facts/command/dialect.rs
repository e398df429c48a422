//! How the shells differ, as far as the reading of words goes: one table instead of three lexers.

use crate::lines::Lang;

/// A family of shells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// POSIX shells and their kin (POSIX 2.2, 2.3; bash's additions).
    #[default]
    Posix,
    /// PowerShell (`about_Parsing`, `about_Quoting_Rules`).
    PowerShell,
    /// The Windows command prompt.
    Cmd,
    /// SQL statements: one statement is one command whose program is `sql` and whose other words are its tokens.
    Sql,
}

/// What the characters mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    /// Takes the meaning from the character after it; before a line end it joins the lines.
    pub escape: u8,
    /// Whether `'…'` quotes.
    pub single: bool,
    /// Whether a doubled quote inside quotes is one quote.
    pub doubled: bool,
    /// Whether backquotes enclose a command.
    pub backquotes: bool,
    /// Whether `$name` and `$( )` are replaced.
    pub dollar: bool,
    /// Whether `#` begins a comment.
    pub hash: bool,
    /// Whether `;` ends a command.
    pub semicolon: bool,
}

impl Dialect {
    /// The dialect in which a fence of `lang` is read, before its commands say otherwise.
    #[must_use]
    pub fn of(lang: Lang) -> Dialect {
        match lang {
            Lang::PowerShell => Dialect::PowerShell,
            Lang::Cmd => Dialect::Cmd,
            Lang::Sql => Dialect::Sql,
            _ => Dialect::Posix,
        }
    }

    pub(super) fn marks(self) -> Marks {
        match self {
            Dialect::Posix | Dialect::Sql => Marks {
                escape: b'\\',
                single: true,
                doubled: false,
                backquotes: true,
                dollar: true,
                hash: true,
                semicolon: true,
            },
            Dialect::PowerShell => Marks {
                escape: b'`',
                single: true,
                doubled: true,
                backquotes: false,
                dollar: true,
                hash: true,
                semicolon: true,
            },
            Dialect::Cmd => Marks {
                escape: b'^',
                single: false,
                doubled: false,
                backquotes: false,
                dollar: false,
                hash: false,
                semicolon: false,
            },
        }
    }
}
