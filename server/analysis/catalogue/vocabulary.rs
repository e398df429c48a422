//! The words that the terms of phrases are made of, found again in a text.
//!
//! Every word of nearly every document is looked up here. So a word is hashed as it stands in the text, in either case;
//! what has no entry costs one look into a table, and a beginning of words (`ignor*`) only a bit more at the few lengths
//! that such beginnings have.

use std::collections::HashMap;

/// A word, or a beginning of words, as it stands in terms.
pub(crate) type Atom = u32;

/// The atom of a word that stands in no term.
pub(crate) const NONE: Atom = 0;

/// All words and beginnings, by atom.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    /// The letters of all, one behind the other.
    letters: Vec<u8>,
    entries: Vec<Entry>,
    /// The atoms that a word with this longest one has: itself, then the shorter beginnings.
    atoms: Vec<Atom>,
    words: Table,
    stems: Table,
    /// Bit `n`: some stem has `n` bytes; the last bit stands for all longer ones.
    stem_lengths: u64,
    /// By some bits of the hash, whether a stem may have it: few words get past this.
    stem_hashes: StemHashes,
}

/// Bits of stems' hashes, see [`Vocabulary`].
#[derive(Debug)]
struct StemHashes([u64; 64]);

impl Default for StemHashes {
    fn default() -> StemHashes {
        StemHashes([0; 64])
    }
}

impl StemHashes {
    fn place(hash: u64) -> (usize, u64) {
        ((hash >> 20) as usize & 63, 1 << (hash >> 26 & 63))
    }

    fn add(&mut self, hash: u64) {
        let (at, bit) = StemHashes::place(hash);
        self.0[at] |= bit;
    }

    fn may_have(&self, hash: u64) -> bool {
        let (at, bit) = StemHashes::place(hash);
        self.0[at] & bit != 0
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    letters: (u32, u32),
    atoms: (u32, u32),
}

/// Where the hash of a word begins, and what it is multiplied by (FNV-1a).
const START: u64 = 0xCBF2_9CE4_8422_2325;
/// See [`START`].
const PRIME: u64 = 0x0000_0100_0000_01B3;

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(PRIME)
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

impl Vocabulary {
    /// The longest entry that the word `letters` is or begins with; ASCII letters may be in either case.
    pub(crate) fn find(&self, letters: &[u8]) -> Atom {
        let (mut hash, mut stem) = (START, NONE);
        for (at, byte) in letters.iter().enumerate() {
            hash = step(hash, *byte);
            if self.stem_lengths & length_bit(at + 1) != 0 && self.stem_hashes.may_have(hash) {
                let found = self.look(&self.stems, hash, &letters[..=at]);
                stem = if found == NONE { stem } else { found };
            }
        }
        let word = self.look(&self.words, hash, letters);
        if word == NONE { stem } else { word }
    }

    /// How many atoms there are, [`NONE`] among them.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The atoms of a word whose longest one is `atom`: that, and every beginning of it. None of [`NONE`].
    pub(crate) fn atoms(&self, atom: Atom) -> &[Atom] {
        let Some(entry) = self.entries.get(atom as usize) else { return &[] };
        &self.atoms[entry.atoms.0 as usize..entry.atoms.1 as usize]
    }

    /// The letters of `atom`, in lower case.
    pub(crate) fn letters(&self, atom: Atom) -> &str {
        std::str::from_utf8(self.bytes(atom)).unwrap_or_default()
    }

    fn bytes(&self, atom: Atom) -> &[u8] {
        let Some(entry) = self.entries.get(atom as usize) else { return &[] };
        &self.letters[entry.letters.0 as usize..entry.letters.1 as usize]
    }

    fn look(&self, table: &Table, hash: u64, letters: &[u8]) -> Atom {
        table.find(hash, |atom| {
            let known = self.bytes(atom).iter();
            known.len() == letters.len()
                && known.zip(letters).all(|(known, letter)| *known == letter.to_ascii_lowercase())
        })
    }
}

/// Atoms by hash: open addressing, at most half full.
#[derive(Debug, Default)]
struct Table {
    /// The upper half of the hash, and the atom; [`NONE`] where the place is free.
    places: Vec<(u32, Atom)>,
    /// How far the hash is shifted to give a place.
    shift: u32,
}

impl Table {
    fn new(entries: impl ExactSizeIterator<Item = (u64, Atom)>) -> Table {
        let places = (entries.len() * 2).next_power_of_two().max(2);
        let mut table = Table { places: vec![(0, NONE); places], shift: 64 - places.trailing_zeros() };
        for (hash, atom) in entries {
            let mut place = table.place(hash);
            while table.places[place].1 != NONE {
                place = (place + 1) & (places - 1);
            }
            table.places[place] = (tag(hash), atom);
        }
        table
    }

    fn place(&self, hash: u64) -> usize {
        // The low bits of the hash come from the last letters alone: mixed once more, the upper ones from all.
        (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    fn find(&self, hash: u64, is: impl Fn(Atom) -> bool) -> Atom {
        if self.places.is_empty() {
            return NONE;
        }
        let mut place = self.place(hash);
        loop {
            let (known, atom) = self.places[place];
            if atom == NONE || (known == tag(hash) && is(atom)) {
                return atom;
            }
            place = (place + 1) & (self.places.len() - 1);
        }
    }
}

fn tag(hash: u64) -> u32 {
    (hash >> 16) as u32
}

/// A vocabulary as it grows.
#[derive(Debug)]
pub(super) struct Growing {
    letters: Vec<u8>,
    entries: Vec<Entry>,
    words: HashMap<Box<[u8]>, Atom>,
    stems: HashMap<Box<[u8]>, Atom>,
}

impl Default for Growing {
    fn default() -> Growing {
        let (letters, entries) = (Vec::new(), vec![Entry::default()]);
        Growing { letters, entries, words: HashMap::new(), stems: HashMap::new() }
    }
}

impl Growing {
    /// The atom of the word `letters`, or of all words that begin so.
    pub(super) fn add(&mut self, letters: &[u8], stem: bool) -> Atom {
        let table = if stem { &mut self.stems } else { &mut self.words };
        let lower = letters.to_ascii_lowercase();
        if let Some(known) = table.get(lower.as_slice()) {
            return *known;
        }
        let atom = self.entries.len() as Atom;
        let from = self.letters.len() as u32;
        self.letters.extend_from_slice(&lower);
        self.entries.push(Entry { letters: (from, self.letters.len() as u32), atoms: (0, 0) });
        table.insert(lower.into(), atom);
        atom
    }

    /// The letters of `atom`, in lower case.
    pub(super) fn letters(&self, atom: Atom) -> &str {
        let entry = self.entries[atom as usize];
        std::str::from_utf8(&self.letters[entry.letters.0 as usize..entry.letters.1 as usize])
            .unwrap_or_default()
    }

    /// The vocabulary of all that was added.
    pub(super) fn finish(self) -> Vocabulary {
        let Growing { letters, mut entries, words, stems } = self;
        let hashed = |table: &HashMap<Box<[u8]>, Atom>| -> Vec<(u64, Atom)> {
            let hash = |letters: &[u8]| letters.iter().fold(START, |hash, byte| step(hash, *byte));
            table.iter().map(|(letters, atom)| (hash(letters), *atom)).collect()
        };
        let hashed_stems = hashed(&stems);
        let mut stem_hashes = StemHashes::default();
        hashed_stems.iter().for_each(|(hash, _)| stem_hashes.add(*hash));
        let (word_table, stem_table) =
            (Table::new(hashed(&words).into_iter()), Table::new(hashed_stems.into_iter()));
        let stem_lengths = stems.keys().fold(0, |bits, stem| bits | length_bit(stem.len()));
        let mut atoms = Vec::new();
        for (own, entry) in entries.iter_mut().enumerate().skip(1) {
            let (own, from) = (own as Atom, atoms.len() as u32);
            let word = &letters[entry.letters.0 as usize..entry.letters.1 as usize];
            atoms.push(own);
            // A word that is also a stem has both; of a stem only the shorter ones are its beginnings.
            let lengths = (1..=word.len()).rev().filter(|length| stem_lengths & length_bit(*length) != 0);
            let beginnings = lengths.filter_map(|length| stems.get(&word[..length]));
            atoms.extend(beginnings.filter(|stem| **stem != own));
            entry.atoms = (from, atoms.len() as u32);
        }
        let (words, stems) = (word_table, stem_table);
        Vocabulary { letters, entries, atoms, words, stems, stem_lengths, stem_hashes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_itself_and_its_beginnings() {
        let mut growing = Growing::default();
        let entries = [("ignore", false), ("ignor", true), ("ig", true), ("ignor", false), ("игнорир", true)];
        let known = entries.map(|(letters, stem)| growing.add(letters.as_bytes(), stem));
        assert_eq!(growing.add(b"IGNORE", false), known[0]);
        let vocabulary = growing.finish();
        assert_eq!(vocabulary.len(), 6);
        let atoms = |word: &str| vocabulary.atoms(vocabulary.find(word.as_bytes())).to_vec();
        assert_eq!(atoms("Ignore"), [known[0], known[1], known[2]]);
        assert_eq!(atoms("ignor"), [known[3], known[1], known[2]]);
        assert_eq!(atoms("IGNORING"), [known[1], known[2]]);
        assert_eq!(atoms("igloo"), [known[2]]);
        assert_eq!(atoms("игнорируй"), [known[4]]);
        assert!(atoms("i").is_empty());
        assert!(atoms("").is_empty());
        assert_eq!(vocabulary.letters(known[0]), "ignore");
        assert_eq!(Vocabulary::default().find(b"ignore"), NONE);
    }

    #[test]
    fn beginnings_of_any_length() {
        let long = "a".repeat(90);
        let mut growing = Growing::default();
        let stem = growing.add(long.as_bytes(), true);
        let vocabulary = growing.finish();
        assert_eq!(vocabulary.find(format!("{long}b").as_bytes()), stem);
        assert_eq!(vocabulary.find(&long.as_bytes()[1..]), NONE);
    }
}
