//! A scan unit read: the gate, then whatever it lets through.

mod across;
mod cells;
mod given;
mod goes_on;
mod left_open;
mod limits;
mod parts;
mod pointer;
mod reading;
mod record;
mod split;
mod suppression;

use std::cmp::Ordering;
use std::ops::Range;

use super::command::{self, Place};
use super::cue::{self, Turn};
use super::hidden::{self, Where};
use super::label::{self, Label, Near};
use super::phrase::PhraseHit;
use super::through::{self, Through};
use super::unit::{Found, Unit};
use super::view;
use super::{By, ByKind, Cues, Governs, Hit, Record, Rules, Says, ban, matching, notice, pattern, phrase};
use crate::catalogue::{Catalogue, GateCues, GateHits};
use crate::lines::{Flags, Format, Givens, Lang, Leaf, LexState, Lexed, LineKind, Sub, permission_rules};
use crate::text::Source;
use reading::Reading;

/// How many lines after its scan unit a pattern may end: a private key has a header and a body.
const NEAR: usize = 2;

/// How many lines after its scan unit something may end that began in it: a phrase that was taken apart.
pub const WINDOW: usize = 8;

/// Reads the facts of `records`, which stand from line `first` on and are whole scan units. `before` is the state in
/// which the first of them was lexed, `after` the [`WINDOW`] lines behind the last, as far as there are any, `givens` what
/// the states refer to.
pub fn extract(
    records: &mut [Record],
    first: usize,
    before: LexState,
    after: &[Lexed],
    source: &impl Source,
    (rules, givens): (&Rules, &Givens),
) {
    let (mut hits, mut own_hits) = (GateHits::default(), GateHits::default());
    let mut start = 0;
    while start < records.len() {
        let mut end = start + 1;
        while end < records.len() && records[end].line.flags.has(Flags::JOIN) {
            end += 1;
        }
        let entry = if start == 0 { before } else { records[start - 1].line.exit };
        let next = records.get(end).map(|record| &record.line).or(after.first());
        let next = next.map_or(Flags::default(), |line| line.flags);
        for record in &mut records[start..end] {
            (record.facts, record.pointers) = (None, None);
            record.cues = Cues::default();
            if !matches!(
                record.line.exit.leaf,
                Leaf::Fence { sub: Sub::HereDoc { .. }, .. } | Leaf::Script { sub: Sub::HereDoc { .. }, .. }
            ) {
                record.cues.raise(Cues::OUTSIDE);
            }
            if record.line.flags.has(Flags::REOPENS) {
                record.cues.raise(Cues::REOPENED);
            }
        }
        if let Some(reading) = Reading::of(&records[start].line, entry, next) {
            let mut unit = Unit::read(&records[start..end], first + start, source);
            Catalogue::get().gate(unit.text(), &mut hits);
            let reading = Reading {
                commands: reading.commands || (hits.commands() && goes_on::speaks(&reading, unit.text())),
                ..reading
            };
            let fetches = reading.may_fetch(unit.text());
            if (hits.patterns() && reading.record.is_none()) || reading.reads_on(unit.text()) || fetches {
                let behind = records[end..].iter().map(|record| &record.line).chain(after);
                // Of a file that is all markup, every line begins a block.
                let markup = records[start].line.exit.leaf == Leaf::Data(Format::Markup);
                let same = |line: &&Lexed| {
                    line.kind == records[start].line.kind && (markup || !line.flags.has(Flags::START))
                };
                // Digits may be wrapped at any width.
                let far = if fetches || view::is_piece(unit.text().trim()) { WINDOW } else { NEAR };
                for (line, lexed) in behind.take(far).take_while(same).enumerate() {
                    unit.extend(first + end + line, lexed, source);
                }
            }
            if let Some(own) = &rules.own {
                own.look(unit.text(), &mut own_hits);
            }
            let mut scan = Scan { unit: &unit, reading, rules, found: Vec::new() };
            scan.run(&mut records[start..end], &mut hits, &own_hits);
            scan.across();
            if !entry.given.is_empty() {
                scan.given(givens, entry.given, &mut records[start..end], &mut hits);
            }
            scan.misplaced(&mut records[start..end]);
            let found = scan.found.into_iter();
            let mut found: Vec<Found> =
                found.map(|(range, says)| Found { range, says, pointer: None, reading: 0 }).collect();
            if reading.record.is_none() && !reading.inside {
                let behind = records[end..].iter().map(|record| &record.line).chain(after).take(WINDOW);
                let behind = behind.enumerate().map(|(line, lexed)| (first + end + line, lexed));
                let with = (records[start].line.depth, rules.own.as_deref());
                let open = left_open::scan(&mut unit, &reading, behind.clone(), source, &found);
                found.extend(open);
                let split = split::scan(&mut unit, &reading, behind, with, source).into_iter();
                found.extend(split.map(|(range, says)| Found { range, says, pointer: None, reading: 0 }));
            }
            found.extend(goes_on::cut(&unit, &reading, &records[end - 1].line, rules));
            if let Some(format) = reading.record {
                record::extract(
                    &unit,
                    format,
                    reading,
                    rules,
                    &mut records[start..end],
                    record::Gates { hits: &mut hits, own: &mut own_hits },
                    &mut found,
                );
            }
            unit.place(found, &mut records[start..end]);
        }
        start = end;
    }
    notice::scan(records, first, before, source, rules.notices);
}

/// One unit's scan, and what it has found so far: ranges of the unit's text.
struct Scan<'a> {
    unit: &'a Unit<'a>,
    reading: Reading,
    rules: &'a Rules,
    found: Vec<(Range<usize>, Says)>,
}

impl Scan<'_> {
    /// `hits` is what the gate saw in the unit, `own` what that of the project's own entries saw.
    fn run(&mut self, records: &mut [Record], hits: &mut GateHits, own: &GateHits) {
        let (text, Reading { place, record, inside, commands, .. }) = (self.unit.text(), self.reading);
        // A name may be split over a continued line, where no literal can be seen: a command of several lines is read.
        let continued = self.unit.lines().nth(1).is_some() && matches!(place, Place::Code(_));
        let gated = hits.commands() || own.commands();
        if record.is_none() && commands && (gated || continued || command::odd(text)) {
            self.commands(records);
        }
        if commands && self.reading.may_fetch(text) && self.unit.window().len() > text.len() {
            let mut hits = Vec::new();
            matching::scan_ahead(self.unit.window(), text.len(), place, &mut hits);
            let says = hits.into_iter().map(|hit| {
                (hit.range, Hit { affirmed: hit.affirmed, ..Hit::new(hit.rule, hit.pattern, hit.severity) })
            });
            self.place(says.collect(), records);
        }
        if record.is_none() && hits.patterns() {
            let mut matches = Vec::new();
            pattern::scan(self.unit.window(), hits, &mut matches);
            for hit in matches {
                let says = Hit::new(hit.rule, hit.pattern, hit.severity);
                self.found.push((hit.range, Says::Hit(says)));
            }
        }
        if record.is_none() {
            let speaks = if self.reading.program { Place::Prose } else { place };
            let found = through::phrases(text, speaks, self.rules.own.as_deref());
            self.phrases(text, found);
            self.through(records);
        }
        let allow = self.reading.comment.is_some_and(|comment| self.allow(comment, records));
        let Reading { in_comment, in_style, at_start, .. } = self.reading;
        let hidden = hidden::scan(text, Where { place, in_comment, in_style, allow, at_start });
        self.found.extend(hidden.into_iter().map(|(range, hit)| (range, Says::Hit(hit))));
        if records[0].line.kind == LineKind::Html && goes_on::is_directive(text) {
            records[0].cues.raise(Cues::DIRECTIVE);
        }
        if inside {
            return;
        }
        if hits.cues().has(GateCues::LABEL_NOUN) || !self.rules.labels.is_empty() {
            self.labels(records[0].line.flags.has(Flags::START));
        }
        records[0].cues.raise(goes_on::above(text, &self.reading));
        if let Some(last) = records.last_mut()
            && limits::limits(text, &self.reading)
        {
            last.cues.raise(Cues::LIMITS);
        }
        match limits::strikes(text, &self.reading) {
            Ordering::Greater => records[0].cues.raise(Cues::STRIKES),
            Ordering::Less => records[0].cues.raise(Cues::UNSTRIKES),
            Ordering::Equal => {}
        }
        if !self.reading.heading
            && matches!(self.reading.place, Place::Prose | Place::Item)
            && cue::is_nothing(text)
        {
            records[0].cues.raise(Cues::NOTHING);
        }
        self.turns();
        if self.reading.heading && cue::is_myth(text) {
            records[0].cues.raise(Cues::MYTH);
        }
        if self.reading.heading && cue::warns(text.trim_end().trim_end_matches('#').trim_end()) {
            records[0].cues.raise(Cues::WARNS);
        }
        if hits.cues().has(GateCues::EXCEPTION) {
            for (record, range) in records.iter_mut().zip(self.unit.lines()) {
                Catalogue::get().gate(&text[range.clone()], hits);
                if hits.cues().has(GateCues::EXCEPTION) && cue::excepts(&text[range]) {
                    record.cues.raise(Cues::EXCEPTION);
                }
            }
        }
    }

    /// What turns on its reader in `text`, the unit's own or its window, and whether it is only mentioned.
    fn phrases(&mut self, text: &str, found: Vec<PhraseHit>) {
        let place = self.reading.place;
        if found.is_empty() {
            return;
        }
        let cells = if place == Place::Row { cue::cells(text) } else { Vec::new() };
        let mentions = phrase::Mentions::of(text);
        for found in found {
            let range = found.range;
            let mut hit = Hit::new(found.rule, found.pattern, found.severity);
            hit.obfuscated = view::unseen(text, &range);
            let cell = cells.iter().position(|cell| cell.start <= range.start && range.end <= cell.end);
            hit.cell = cell.unwrap_or(0).min(u8::MAX.into()) as u8;
            let line = self.unit.lines().find(|line| line.end > range.start).unwrap_or(0..0);
            hit.leads = text[..range.start].chars().all(|c| !c.is_alphanumeric());
            hit.affirmed = phrase::is_affirmed(&text[line.start..]);
            let speaks = self.reading.html || text[..range.start].contains("<!--");
            if found.rule.rule().mentionable
                && hit.obfuscated.is_empty()
                && !speaks
                && let Some(verb) = mentions.governed(range.clone(), cell.is_some())
            {
                hit.by = Some(self.by(&range, verb, ByKind::Says(Turn::Bad)));
            }
            self.found.push((range, Says::Hit(hit)));
        }
    }

    /// The dangerous commands, and what their own sentence or row does with them.
    fn commands(&mut self, records: &mut [Record]) {
        let (text, Reading { place, inert, expands, sub, .. }) = (self.unit.text(), self.reading);
        let own = self.rules.own.as_deref();
        let mut says: Vec<(Range<usize>, Hit)> = Vec::new();
        let mut read = |place: Place, inert: bool| {
            let mut hits = Vec::new();
            matching::scan(text, place, own, &mut hits);
            says.extend(hits.into_iter().map(|hit| {
                let says = Hit::new(hit.rule, hit.pattern, hit.severity);
                (hit.range, Hit { leads: hit.leads, affirmed: hit.affirmed, also: hit.also, inert, ..says })
            }));
        };
        if !matches!(sub, Sub::Rules { .. }) {
            read(place, inert);
        }
        if expands {
            read(Place::HereDoc, false);
        }
        if self.reading.cells {
            for cell in cells::of(text) {
                let mut hits = Vec::new();
                matching::scan(&text[cell.clone()], place, own, &mut hits);
                for hit in hits {
                    let range = cell.start + hit.range.start..cell.start + hit.range.end;
                    let known = |(known, says): &(Range<usize>, Hit)| {
                        says.rule == hit.rule && known.start < range.end && range.start < known.end
                    };
                    if !says.iter().any(known) {
                        says.push((range, Hit::new(hit.rule, hit.pattern, hit.severity)));
                    }
                }
            }
        }
        if place == Place::Code(Lang::Json) {
            self.permissions(&mut says);
        }
        self.place(says, records);
    }

    /// Dangerous commands with what their own sentence or row does with them.
    fn place(&mut self, mut says: Vec<(Range<usize>, Hit)>, records: &mut [Record]) {
        if says.is_empty() {
            return;
        }
        let place = self.reading.place;
        says.sort_by_key(|(range, _)| (range.start, range.end));
        if place == Place::Row {
            self.row(&mut says);
        }
        if !matches!(place, Place::Code(_) | Place::HereDoc | Place::FrontMatter) {
            self.sentences(&mut says, records);
        }
        self.found.extend(says.into_iter().map(|(range, hit)| (range, Says::Hit(hit))));
    }

    /// What only a view of the text shows.
    fn through(&mut self, records: &mut [Record]) {
        let (text, Reading { place, inert, .. }) = (self.unit.text(), self.reading);
        let Through { alone, mut commands, phrases } =
            through::scan(text, place, self.rules.own.as_deref(), &self.found);
        self.found.extend(alone.into_iter().map(|(range, hit)| (range, Says::Hit(hit))));
        for (_, hit) in &mut commands {
            hit.inert = inert;
        }
        self.place(commands, records);
        self.phrases(text, phrases);
    }

    /// The commands of permission rules: given by a list that allows or asks, shown by one that denies.
    fn permissions(&self, says: &mut Vec<(Range<usize>, Hit)>) {
        let text = self.unit.text();
        for (range, denied) in permission_rules(text, self.reading.sub).0 {
            let mut hits = Vec::new();
            matching::scan_rule(text, range.clone(), self.rules.own.as_deref(), &mut hits);
            for hit in hits {
                let by = denied.then(|| self.by(&hit.range, range.clone(), ByKind::Denied));
                says.push((hit.range, Hit { by, ..Hit::new(hit.rule, hit.pattern, hit.severity) }));
            }
        }
    }

    /// In which cell of a row each command stands, and whether a cell says what becomes of it.
    fn row(&mut self, says: &mut [(Range<usize>, Hit)]) {
        let text = self.unit.text();
        let cells = cue::cells(text);
        let verdict = cue::verdict(text);
        for (column, cell) in cells.iter().enumerate().take(u8::MAX.into()) {
            if cue::denies_leave(&text[cell.clone()]) {
                self.turn(cell.clone(), Turn::Bad, Governs::Denial(column as u8));
            }
        }
        for (range, hit) in says {
            let cell = cells.iter().position(|cell| cell.contains(&range.start)).unwrap_or(0);
            hit.cell = cell.min(u8::MAX.into()) as u8;
            if let Some((cell, turn)) = &verdict {
                hit.by = Some(self.by(range, cell.clone(), ByKind::Cell(*turn)));
            }
        }
    }

    /// Sentences that forbid or describe their command, and marks with which the text begins.
    fn sentences(&mut self, says: &mut [(Range<usize>, Hit)], records: &mut [Record]) {
        let text = self.unit.text();
        if let Some((mark, turn)) = cue::opener(text) {
            for (range, hit) in says.iter_mut() {
                hit.by = Some(self.by(range, mark.clone(), ByKind::Opener(turn)));
            }
        }
        if self.reading.place == Place::Item
            && let Some((last, _)) = says.iter().max_by_key(|(range, _)| range.end)
            // What stands behind a code span is the text's, even where a shell would read on.
            && let end = text[last.clone()].find('`').map_or(last.end, |mark| last.start + mark)
            && let Some(words) = cue::given_behind(text, end)
        {
            for line in
                self.unit.lines().filter(|line| says.iter().any(|(range, _)| line.contains(&range.start)))
            {
                let start = if line.contains(&words.start) { words.start } else { line.start };
                self.turn(start..line.end, Turn::Good, Governs::Line);
            }
        }
        let ranges: Vec<_> = says.iter().map(|(range, _)| range.clone()).collect();
        for ((range, hit), own) in says.iter_mut().zip(cue::own(text, &ranges)) {
            if let (None, Some((words, turn))) = (hit.by, own) {
                // "Attempts to run `x`" has the word and asks for nothing.
                hit.affirmed &= turn == Turn::Good;
                hit.by = Some(self.by(range, words, ByKind::Says(turn)));
            }
        }
        if matches!(self.reading.place, Place::Prose | Place::Item) {
            for ((range, hit), nearly) in says.iter_mut().zip(ban::nearly(text, &ranges)) {
                let gives = match hit.by.map(|by| by.kind) {
                    None => false,
                    Some(ByKind::Says(Turn::Good)) => true,
                    _ => continue,
                };
                if let Some(ban::Nearly { range: words, miss, shows, .. }) = nearly {
                    let turn = gives.then_some(Turn::Good).or(shows.then_some(Turn::Bad));
                    hit.by = Some(self.by(range, words, ByKind::Nearly { miss, turn }));
                }
            }
        }
        for ban in ban::bans(text, &ranges) {
            for index in ban.hits {
                let (range, hit) = &mut says[index];
                hit.by = Some(self.by(range, ban.range.clone(), ByKind::Ban));
            }
            records[self.unit.locate(ban.range.start).0].cues.raise(Cues::BAN);
            self.found.push((ban.range, Says::Ban));
        }
    }

    fn by(&self, hit: &Range<usize>, words: Range<usize>, kind: ByKind) -> By {
        let (own, _) = self.unit.locate(hit.start);
        let (line, start, end) = self.unit.first_line(words);
        By { kind, line: (line as i64 - own as i64) as i16, start, end }
    }

    /// Cues that govern what stands below or beside them.
    fn turns(&mut self) {
        let text = self.unit.text();
        match self.reading.place {
            Place::Row if self.reading.header => {
                let cells = cue::cells(text);
                let first = &text[cells[0].clone()];
                let reasons =
                    cells.iter().skip(1).find(|cell| cue::leads_away(first, &text[(*cell).clone()]));
                for (column, cell) in cells.iter().enumerate().take(u8::MAX.into()) {
                    let words = &text[cell.clone()];
                    if cue::asks_leave(words) {
                        self.turn(cell.clone(), Turn::Good, Governs::Leave(column as u8));
                    }
                    let before = cells[..column].iter().map(|cell| &text[cell.clone()]);
                    let remedies = cue::remedies(words, before).then_some(Turn::Good);
                    if let Some(turn) = remedies.or_else(|| cue::column(words)) {
                        self.turn(cell.clone(), turn, Governs::Column(column as u8));
                    } else if let (0, Some(reasons)) = (column, reasons) {
                        self.turn(reasons.clone(), Turn::Bad, Governs::Column(0));
                    }
                }
            }
            Place::Code(lang) => {
                for range in self.unit.lines() {
                    if let Some((words, turn, trailing)) = cue::comment(&text[range.clone()], lang) {
                        let governs = if trailing { Governs::Line } else { Governs::Below };
                        self.turn(range.start + words.start..range.start + words.end, turn, governs);
                    } else if let Some((words, step)) = cue::part(&text[range.clone()], lang) {
                        let words = range.start + words.start..range.start + words.end;
                        self.turn(words, if step { Turn::Good } else { Turn::Bad }, Governs::Part);
                    } else if let Some(words) = cue::orders_below(&text[range.clone()]) {
                        let words = range.start + words.start..range.start + words.end;
                        self.turn(words, Turn::Good, Governs::Below);
                    }
                }
            }
            Place::Prose | Place::Item => {
                if self.reading.heading {
                    // The closing sequence of `#`s is not part of the heading (CommonMark 4.2).
                    let words = text.trim_end().trim_end_matches('#').trim_end();
                    if let Some(turn) = cue::heading(words) {
                        self.turn(0..words.len(), turn, Governs::Section);
                    }
                }
                let Some(last) = self.unit.lines().last() else { return };
                let line = text[last.clone()].trim_end();
                let words = goes_on::shown(text, self.reading.html);
                if let Some(turn) = cue::above_block(text, words, self.reading.heading) {
                    self.turn(last.start..last.start + line.len(), turn, Governs::Block);
                }
            }
            Place::Row | Place::HereDoc | Place::FrontMatter => {}
        }
    }

    fn turn(&mut self, range: Range<usize>, turn: Turn, governs: Governs) {
        self.found.push((range, Says::Turn(turn, governs)));
    }

    /// The labels. In code only a label to the letter counts, for the hover that says why it has no force there.
    /// `starts`: the unit's first line begins a block.
    fn labels(&mut self, starts: bool) {
        let place = self.reading.place;
        if matches!(place, Place::Row | Place::FrontMatter | Place::HereDoc) {
            return;
        }
        let prose = place == Place::Prose && !self.reading.html;
        for range in self.unit.lines() {
            let line = &self.unit.text()[range.clone()];
            // Of a paragraph too long to be one unit, a line does not know what stands above it.
            let cut = range.start == 0 && prose && !starts;
            let mid = cut || (range.start > 0 && label::goes_on(&self.unit.text()[..range.start]));
            match label::read(line, &self.rules.labels) {
                Some(Label::Holds(_)) if prose && mid => {
                    let start = range.start + (line.len() - line.trim_start_matches([' ', '\t']).len());
                    let end = start + line.trim_matches([' ', '\t']).len();
                    self.found.push((start..end, Says::Label(Label::Near(Near::MidSentence))));
                }
                Some(Label::Near(_)) if matches!(place, Place::Code(_)) => {}
                Some(label) => {
                    let start = range.start + (line.len() - line.trim_start_matches([' ', '\t']).len());
                    let end = start + line.trim_matches([' ', '\t']).len();
                    self.found.push((start..end, Says::Label(label)));
                }
                None => {}
            }
        }
    }
}
