//! Phrase entries and lexicons put together, once, into what a text is held against.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use super::{Begins, Bit, Class, Form, Forms, Frame, Key, Order, PhraseEntry, Phrases, Slot, Term};
use crate::catalogue::lexicon::Lexicon;
use crate::catalogue::vocabulary::{Atom, Growing, Vocabulary};
use crate::catalogue::words::{EMAIL, URL, read, unspaced};
use crate::catalogue::{Rule, RuleId, Severity};

/// Puts the phrases of `rules` and the words of `lexicons` together.
pub(in crate::catalogue) fn compile(rules: &[Rule], lexicons: &[Lexicon]) -> Result<Phrases, &'static str> {
    let mut builder = Builder::default();
    builder.classes.resize_with(lexicons.len(), Table::default);
    builder.named.resize_with(lexicons.len(), Table::default);
    let known = |spec: &str| {
        spec.trim_start_matches('?').split('|').all(|part| {
            part.strip_prefix('@').is_none_or(|class| lexicons.iter().any(|lexicon| lexicon.has(class)))
        })
    };
    for (number, lexicon) in lexicons.iter().enumerate() {
        for (at, rule) in rules.iter().enumerate() {
            for (index, entry) in rule.phrases.iter().enumerate() {
                let tests = [&entry.not_before, &entry.not_after, &entry.without];
                if !entry.slots.iter().chain(tests.into_iter().flatten()).all(|spec| known(spec)) {
                    return Err("a slot names a class that no lexicon has");
                }
                let severity = entry.severity.unwrap_or(rule.severity);
                if let Some(form) = builder.form(entry, number, lexicon)? {
                    let (rule, entry) = (RuleId(at as u16), index as u16);
                    let severity = lexicon.severity.map_or(severity, |most| severity.min(most));
                    let key = builder.key(&form, lexicon);
                    builder.forms.push((Form { rule, entry, severity, ..form }, key));
                }
            }
        }
        let addresses = lexicon.addresses.iter().map(|slots| (slots, 0));
        for (slots, kind) in addresses.chain(lexicon.calls.iter().map(|slots| (slots, CALLS))) {
            let label = slots.first().is_some_and(|slot| slot == ":");
            let entry = PhraseEntry {
                id: String::new(),
                about: String::new(),
                slots: slots[usize::from(label)..].to_vec(),
                label,
                ends: false,
                named: false,
                gap: Some(0),
                order: Order::Fixed,
                unaddressed: false,
                not_before: Vec::new(),
                not_after: Vec::new(),
                without: Vec::new(),
                severity: None,
                roles: None,
                hits: Vec::new(),
                honest: Vec::new(),
            };
            if let Some(form) = builder.form(&entry, number, lexicon)? {
                let key = builder.key(&form, lexicon);
                builder.addresses.push((Form { entry: kind, ..form }, key));
            }
        }
        let (detects, detected) =
            (builder.class("@detects", number, lexicon)?, builder.class("@detected", number, lexicon)?);
        let negation = builder.class("@negation", number, lexicon)?;
        let exception = builder.class("@exception", number, lexicon)?;
        builder.exceptions.extend(exception);
        builder.detects.extend(detects);
        builder.detected.extend(detected);
        builder.negations.extend(negation);
    }
    Ok(builder.finish())
}

/// The number of what calls upon whoever reads it, among the phrases that address.
pub(crate) const CALLS: u16 = 1;

/// So many words may stand between two roles of a frame: a sentence's, and not those of a list that has no stops.
const FRAME_GAP: u32 = 16;

/// The number of a term among all.
type TermId = u32;

/// Things by words of ours. Every start of the program makes these, so the words are hashed quickly.
type Table<T> = HashMap<String, T, BuildHasherDefault<Quick>>;

/// A hash of a few letters (eight at a time). Nobody who could choose them to collide gets here: what a
/// configuration adds is little.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517C_C1B7_2722_0A95);
        }
    }
}

#[derive(Default)]
struct Builder {
    words: Growing,
    /// By language, then by specification.
    classes: Vec<Table<Option<Class>>>,
    /// The terms of a lexicon's class, by language, then by name: many specifications name the same ones.
    named: Vec<Table<Vec<TermId>>>,
    /// The terms of each class.
    members: Vec<Vec<TermId>>,
    /// The words of each term.
    terms: Vec<Box<[Atom]>>,
    term_ids: Table<TermId>,
    /// How often terms of each class may be met.
    costs: HashMap<Class, u64>,
    term_costs: HashMap<TermId, u64>,
    /// In how many terms each atom stands.
    uses: Vec<u32>,
    /// Forms, each with its key.
    forms: Vec<(Form, Class)>,
    addresses: Vec<(Form, Class)>,
    detects: Vec<Class>,
    detected: Vec<Class>,
    negations: Vec<Class>,
    exceptions: Vec<Class>,
}

impl Builder {
    /// `entry` in the language of `lexicon`; none where that has no words for a required slot.
    fn form(
        &mut self,
        entry: &PhraseEntry,
        number: usize,
        lexicon: &Lexicon,
    ) -> Result<Option<Form>, &'static str> {
        let begins = entry.slots.first().is_some_and(|slot| slot == "^");
        let mut slots = Vec::new();
        for spec in entry.slots.iter().skip(usize::from(begins)) {
            let (spec, optional) = spec.strip_prefix('?').map_or((spec.as_str(), false), |spec| (spec, true));
            match self.class(spec, number, lexicon)? {
                Some(class) => slots.push(Slot { class, optional }),
                None if optional => {}
                None => return Ok(None),
            }
        }
        if slots.first().is_none_or(|slot| slot.optional) {
            return Err("the first slot of a phrase is required");
        }
        let mut tests = |specs: &[String]| -> Result<Box<[Class]>, &'static str> {
            let classes = specs.iter().map(|spec| self.class(spec, number, lexicon));
            Ok(classes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        };
        let (not_after, without) = (tests(&entry.not_after)?, tests(&entry.without)?);
        // What denies or reports stands directly in front: "do not worry, …" denies something else.
        let reach = |spec: &str| u32::from(!matches!(spec, "@negation" | "@reported"));
        let mut not_before = Vec::new();
        for spec in &entry.not_before {
            not_before.extend(self.class(spec, number, lexicon)?.map(|class| (class, reach(spec))));
        }
        // Where the verb comes first or last, what denies it stands inside the phrase or behind it.
        let negatable = entry.not_before.iter().any(|spec| spec == "@negation");
        let not_inside = if negatable { self.class("@negation-inside", number, lexicon)? } else { None };
        let denied_behind = self.class("@negation-behind", number, lexicon)?;
        let no_denial = self.class("@no-denial", number, lexicon)?;
        let twice_denied = self.class("@twice-denied", number, lexicon)?;
        let (forbids, turns) =
            (self.class("@forbids", number, lexicon)?, self.class("@turns", number, lexicon)?);
        let (forbids, without): (Vec<Class>, Vec<Class>) =
            without.iter().partition(|class| Some(**class) == forbids);
        let not_after = not_after.into_iter().chain(denied_behind).collect();
        let mut known = |class| -> Result<Class, &'static str> {
            Ok(self.class(class, number, lexicon)?.unwrap_or(Class::MAX))
        };
        let is_frame = entry.order == Order::Frame;
        let order = match is_frame || (begins && !lexicon.free) {
            true => Some(Begins {
                fillers: known("@filler")?,
                starts: known("@starts")?,
                goes_on: known("@goes-on")?,
            }),
            false => None,
        };
        let frame = match order {
            Some(order) if is_frame => Some(Frame {
                addressed: if entry.unaddressed { None } else { Some(known("@addressed")?) },
                order,
                negations: known("@negation")?,
            }),
            _ => None,
        };
        let begins = order.filter(|_| begins && !lexicon.free);
        let optional = slots.iter().filter(|slot| slot.optional).count() as u32;
        let free = lexicon.free || is_frame || entry.order == Order::Free;
        let gap = u32::from(lexicon.gap)
            + match entry.gap {
                Some(gap) => u32::from(gap),
                None if is_frame => FRAME_GAP,
                None => 1,
            };
        Ok(Some(Form {
            rule: RuleId(0),
            entry: 0,
            severity: Severity::Info,
            gap: gap + if free { optional } else { 0 },
            slots: slots.into(),
            needs: Box::default(),
            free,
            frame,
            begins,
            label: entry.label,
            ends: entry.ends,
            named: entry.named,
            spaced: !lexicon.unspaced,
            not_before: not_before.into(),
            not_inside,
            not_after,
            without: without.into(),
            twice_denied,
            forbids: forbids.first().copied(),
            turns,
            no_denial,
        }))
    }

    /// The class that `spec` (without `?`) stands for in a language: none where that has no words for it.
    fn class(&mut self, spec: &str, number: usize, lexicon: &Lexicon) -> Result<Option<Class>, &'static str> {
        if let Some(known) = self.classes[number].get(spec) {
            return Ok(*known);
        }
        let mut terms: Vec<TermId> = Vec::new();
        for part in spec.split('|') {
            match part.strip_prefix('@') {
                Some(class) => self.named(class, number, lexicon, &mut terms)?,
                None if lexicon.language == "en" => terms.push(self.term(part)?),
                None => {}
            }
        }
        terms.sort_unstable();
        terms.dedup();
        let class = (!terms.is_empty()).then_some(self.members.len() as Class);
        if class.is_some() {
            self.members.push(terms);
        }
        self.classes[number].insert(spec.to_owned(), class);
        Ok(class)
    }

    /// Adds the terms of the lexicon's class `class` to `into`.
    fn named(
        &mut self,
        class: &str,
        number: usize,
        lexicon: &Lexicon,
        into: &mut Vec<TermId>,
    ) -> Result<(), &'static str> {
        if let Some(known) = self.named[number].get(class) {
            into.extend(known);
            return Ok(());
        }
        let mut words = Vec::new();
        lexicon.terms(class, &mut words)?;
        let terms = words.into_iter().map(|term| self.term(term)).collect::<Result<Vec<_>, _>>()?;
        into.extend(&terms);
        self.named[number].insert(class.to_owned(), terms);
        Ok(())
    }

    fn term(&mut self, term: &str) -> Result<TermId, &'static str> {
        if let Some(known) = self.term_ids.get(term) {
            return Ok(*known);
        }
        let mut atoms = Vec::new();
        if term == URL || term == EMAIL {
            atoms.push(self.words.add(term.as_bytes(), false));
        } else {
            read(term, |word, letters| {
                let stem = term.as_bytes().get(word.end as usize) == Some(&b'*');
                atoms.push(self.words.add(letters, stem));
            });
        }
        if atoms.is_empty() {
            return Err("a term has no word");
        }
        for atom in &atoms {
            self.uses.resize(self.uses.len().max(*atom as usize + 1), 0);
            self.uses[*atom as usize] += 1;
        }
        let id = self.terms.len() as TermId;
        self.terms.push(atoms.into());
        self.term_ids.insert(term.to_owned(), id);
        Ok(id)
    }

    /// Of the classes that `form` requires the one that is met least often.
    fn key(&mut self, form: &Form, lexicon: &Lexicon) -> Class {
        for slot in form.slots.iter().filter(|slot| !slot.optional) {
            if self.costs.contains_key(&slot.class) {
                continue;
            }
            let mut sum = 0;
            for term in &self.members[usize::from(slot.class)] {
                sum += match self.term_costs.get(term) {
                    Some(known) => *known,
                    None => {
                        let cost = self.cost(*term, lexicon);
                        self.term_costs.insert(*term, cost);
                        cost
                    }
                };
            }
            self.costs.insert(slot.class, sum);
        }
        let required = form.slots.iter().filter(|slot| !slot.optional).map(|slot| slot.class);
        required.min_by_key(|class| self.costs[class]).unwrap_or_default()
    }

    /// How often a term may be met: as often as the rarest of its words.
    fn cost(&self, term: TermId, lexicon: &Lexicon) -> u64 {
        let mut runs: Vec<(String, bool)> = Vec::new();
        for atom in &self.terms[term as usize] {
            let letters = self.words.letters(*atom);
            // Characters of a script without spaces are words to us, and together they are rarer.
            let joins = letters.starts_with(unspaced);
            match runs.last_mut() {
                Some((run, true)) if joins => run.push_str(letters),
                _ => runs.push((letters.to_owned(), joins)),
            }
        }
        let costs = runs.iter().map(|(letters, _)| {
            let often = match letters.as_str() {
                URL | EMAIL => 400,
                // "don't" is as frequent as its beginning.
                word if lexicon.common.contains(word.split('\'').next().unwrap_or_default()) => 50,
                _ => 1,
            };
            often * (1 + 64 / letters.len().max(1) as u64)
        });
        costs.min().unwrap_or_default()
    }

    fn finish(mut self) -> Phrases {
        let (forms, addresses) = (std::mem::take(&mut self.forms), std::mem::take(&mut self.addresses));
        let words = std::mem::take(&mut self.words).finish();
        let atoms = words.len();
        let mut bits: HashMap<Class, Bit> = HashMap::new();
        for (form, _) in forms.iter().chain(&addresses) {
            for slot in form.slots.iter().filter(|slot| !slot.optional) {
                let next = bits.len() as Bit;
                bits.entry(slot.class).or_insert(next);
            }
        }
        // Each term once for each of its classes, by its first word.
        let mut terms: Vec<(Atom, Class, TermId)> = Vec::new();
        for (class, members) in self.members.iter().enumerate() {
            terms.extend(members.iter().map(|id| (self.terms[*id as usize][0], class as Class, *id)));
        }
        terms.sort_unstable();
        let rests: Vec<Atom> = self.terms.iter().flat_map(|atoms| &atoms[1..]).copied().collect();
        let mut ends = 0;
        let rest_of: Vec<(u32, u32)> = self
            .terms
            .iter()
            .map(|atoms| {
                let from = ends;
                ends += atoms.len() as u32 - 1;
                (from, ends)
            })
            .collect();
        let mut alone: Vec<(Atom, Bit)> = Vec::new();
        let mut joined: Vec<(Atom, Atom, u32, Bit)> = Vec::new();
        for (at, (first, class, id)) in terms.iter().enumerate() {
            let Some(bit) = bits.get(class) else { continue };
            match self.terms[*id as usize].get(1) {
                Some(second) => joined.push((*first, *second, at as u32, *bit)),
                None => alone.push((*first, *bit)),
            }
        }
        joined.sort_unstable();
        let phrases_of = |forms| self.told(forms, &bits, &words);
        Phrases {
            forms: phrases_of(forms),
            addresses: phrases_of(addresses),
            terms_at: begins(atoms, terms.iter().map(|(first, ..)| *first)),
            terms: terms
                .iter()
                .map(|(_, class, id)| Term { class: *class, rest: rest_of[*id as usize] })
                .collect(),
            rests,
            bits_at: begins(atoms, alone.iter().map(|(first, _)| *first)),
            bits: alone.iter().map(|(_, bit)| *bit).collect(),
            joined_at: begins(atoms, joined.iter().map(|(first, ..)| *first)),
            joined: joined.iter().map(|(_, second, term, bit)| (*second, *term, *bit)).collect(),
            bit_count: bits.len(),
            vocabulary: words,
            detects: self.detects,
            detected: self.detected,
            negations: self.negations,
            exceptions: self.exceptions,
        }
    }

    /// `forms` with the terms that tell of them.
    fn told(&self, forms: Vec<(Form, Class)>, bits: &HashMap<Class, Bit>, words: &Vocabulary) -> Forms {
        let mut by_key: BTreeMap<Class, Vec<u16>> = BTreeMap::new();
        for (number, (_, key)) in forms.iter().enumerate() {
            by_key.entry(*key).or_default().push(number as u16);
        }
        let (mut key_forms, mut key_atoms) = (Vec::new(), Vec::new());
        let mut keys: Vec<(Atom, Key)> = Vec::new();
        for (class, numbers) in by_key {
            let from = key_forms.len() as u32;
            key_forms.extend(numbers);
            let forms = (from, key_forms.len() as u32);
            for term in &self.members[usize::from(class)] {
                let atoms = &self.terms[*term as usize];
                let from = key_atoms.len() as u32;
                key_atoms.extend_from_slice(atoms);
                // Of its words that which stands in the fewest terms: the longest of those.
                let rarest = atoms.iter().enumerate().min_by_key(|(_, atom)| {
                    let letters = words.letters(**atom);
                    (self.uses[**atom as usize], Reverse(letters.len()))
                });
                let Some((at, atom)) = rarest else { continue };
                let atoms = (from, key_atoms.len() as u32);
                keys.push((*atom, Key { atoms, at: at as u32, forms }));
            }
        }
        keys.sort_by_key(|(atom, _)| *atom);
        let keys_at = begins(words.len(), keys.iter().map(|(atom, _)| *atom));
        let has_keys = |atom: &Atom| keys_at[*atom as usize] < keys_at[*atom as usize + 1];
        let tells = (0..words.len()).map(|atom| words.atoms(atom as Atom).iter().any(has_keys)).collect();
        let needs = |form: &Form| {
            let mut needs: Vec<Bit> =
                form.slots.iter().filter(|slot| !slot.optional).map(|slot| bits[&slot.class]).collect();
            needs.sort_unstable();
            needs.dedup();
            needs.into_boxed_slice()
        };
        let list = forms.into_iter().map(|(form, _)| Form { needs: needs(&form), ..form }).collect();
        let keys = keys.into_iter().map(|(_, key)| key).collect();
        Forms { list, keys, keys_at, tells, key_forms, key_atoms }
    }
}

/// Where, in what is sorted by atom, the part of each of the `atoms` atoms begins, and at last where all ends. `firsts`
/// are the atoms.
fn begins(atoms: usize, firsts: impl Iterator<Item = Atom>) -> Vec<u32> {
    let mut at = vec![0; atoms + 1];
    for first in firsts {
        at[first as usize + 1] += 1;
    }
    for atom in 0..atoms {
        at[atom + 1] += at[atom];
    }
    at
}
