//! Latin words in which a letter of another alphabet looks like one of theirs.
//!
//! Whoever reads `gіthub.com` sees a name that they know; a program sees another. Phrases and commands are read through
//! such letters anyway ([`super::super::view`]); this tells of the words that no rule knows: names, hosts, paths. Honest
//! text mixes alphabets, too: units and genes (`µs`, `TNFα`), Russian endings of Latin names (`APIа`), letters of the
//! wrong keyboard in a word that is Russian otherwise. None of those hides among Latin letters.

use std::ops::Range;

use super::Form;
use crate::facts::view::looks_latin;

/// So many Latin letters make a word a Latin one.
const LATIN: usize = 3;

pub(super) fn scan(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    // the first bytes of the letters of Greek, Cyrillic and Armenian; long texts have none of them
    if !text.bytes().fold(false, |any, byte| any | (0xCD..=0xD6).contains(&byte)) || speaks_of_it(text) {
        return;
    }
    let words = words(text);
    let cyrillic_text =
        words.clone().any(|(_, word)| word.chars().all(is_cyrillic) && word.chars().nth(1).is_some());
    found.extend(
        words
            .filter(|(_, word)| is_mixed(word, cyrillic_text))
            .map(|(at, word)| (at..at + word.len(), Form::Mixed)),
    );
}

/// The words of `text` that are not all ASCII, each with its first byte.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let parts = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_ascii());
    parts.map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn is_mixed(word: &str, cyrillic_text: bool) -> bool {
    let latin = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let others = word.chars().filter(|c| !c.is_ascii()).count();
    if latin < LATIN || others >= latin || !word.chars().all(|c| c.is_ascii() || is_foreign(c)) {
        return false;
    }
    let stem = word.trim_end_matches(is_cyrillic);
    let is_ending = cyrillic_text && stem.is_ascii();
    let inside = word.trim_matches(is_greek);
    !is_ending && !inside.is_ascii()
}

/// A letter of another alphabet that looks like one of ASCII.
fn is_foreign(c: char) -> bool {
    (is_greek(c) || is_cyrillic(c) || ('\u{530}'..='\u{58F}').contains(&c)) && looks_latin(c)
}

fn is_greek(c: char) -> bool {
    ('\u{370}'..='\u{3FF}').contains(&c)
}

fn is_cyrillic(c: char) -> bool {
    ('\u{400}'..='\u{52F}').contains(&c)
}

/// Whether the text tells a person that letters of two alphabets are in it.
fn speaks_of_it(text: &str) -> bool {
    const SAID: [&str; 6] = ["cyrillic", "homoglyph", "look-alike", "lookalike", "confusable", "punycode"];
    let text = text.to_ascii_lowercase();
    SAID.iter().any(|said| text.contains(said))
}
