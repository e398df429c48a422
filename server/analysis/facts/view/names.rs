//! The ways of hiding that a view undoes, by the names that a report gives them.

/// A set of ways of hiding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Views(u32);

impl Views {
    /// Characters without width or form: taken out, or read as a space.
    pub const ZERO_WIDTH: Views = Views(1);
    /// Letters that look like Latin ones (TR39).
    pub const CONFUSABLE: Views = Views(1 << 1);
    /// Compatibility forms of letters and digits: full-width, mathematical, circled (NFKC).
    pub const COMPATIBILITY: Views = Views(1 << 2);
    /// Marks over, under and through letters.
    pub const COMBINING: Views = Views(1 << 3);
    /// Markup inside a word: emphasis, escapes, tags.
    pub const MARKUP: Views = Views(1 << 4);
    /// Letters and digits written as entities.
    pub const ENTITY: Views = Views(1 << 5);
    /// Letters and digits written as in addresses, with `%`.
    pub const PERCENT: Views = Views(1 << 6);
    /// Letters and digits written as in program code: `\u`, `\x`.
    pub const ESCAPE: Views = Views(1 << 7);
    /// Base64, in either alphabet.
    pub const BASE64: Views = Views(1 << 8);
    /// Hexadecimal digits.
    pub const HEX: Views = Views(1 << 9);
    /// Tag characters, each of which stands for an ASCII character.
    pub const TAG_CHARACTERS: Views = Views(1 << 10);
    /// Variation selectors, each of which stands for a byte.
    pub const VARIATION_SELECTORS: Views = Views(1 << 11);
    /// Words of an override with one letter wrong.
    pub const MISSPELLED: Views = Views(1 << 12);
    /// Digits and signs for letters.
    pub const LEET: Views = Views(1 << 13);
    /// Each letter apart from the next.
    pub const SPACED: Views = Views(1 << 14);
    /// Letters turned by 13 places.
    pub const ROT13: Views = Views(1 << 15);

    /// Written from its end to its beginning, or upside down.
    pub const REVERSED: Views = Views(1 << 16);
    /// Letters as numbers, or as the signals of a telegraph.
    pub const CODES: Views = Views(1 << 17);
    /// In pieces that are only put together by a program.
    pub const CONCATENATED: Views = Views(1 << 18);
    /// In pieces that stand apart: entries, cells, headings, values.
    pub const SPLIT: Views = Views(1 << 19);

    const NAMES: [(Views, &'static str); 20] = [
        (Views::ZERO_WIDTH, "zero-width"),
        (Views::CONFUSABLE, "confusable"),
        (Views::COMPATIBILITY, "compatibility"),
        (Views::COMBINING, "combining"),
        (Views::MARKUP, "markup"),
        (Views::ENTITY, "entity"),
        (Views::PERCENT, "percent"),
        (Views::ESCAPE, "escape"),
        (Views::BASE64, "base64"),
        (Views::HEX, "hex"),
        (Views::TAG_CHARACTERS, "tag-characters"),
        (Views::VARIATION_SELECTORS, "variation-selectors"),
        (Views::MISSPELLED, "misspelled"),
        (Views::LEET, "leetspeak"),
        (Views::SPACED, "spaced-letters"),
        (Views::ROT13, "rot13"),
        (Views::REVERSED, "reversed"),
        (Views::CODES, "codes"),
        (Views::CONCATENATED, "concatenated"),
        (Views::SPLIT, "split"),
    ];

    /// None of them.
    #[must_use]
    pub const fn empty() -> Views {
        Views(0)
    }

    /// Whether it is none of them.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` are among them.
    #[must_use]
    pub const fn has(self, other: Views) -> bool {
        self.0 & other.0 == other.0
    }

    /// Their names, as in the report's `obfuscated`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Views::NAMES.into_iter().filter(move |(view, _)| self.has(*view)).map(|(_, name)| name)
    }
}

impl std::ops::BitOr for Views {
    type Output = Views;
    fn bitor(self, other: Views) -> Views {
        Views(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Views {
    fn bitor_assign(&mut self, other: Views) {
        self.0 |= other.0;
    }
}
