//! Comments that suppress, and those that are meant to and stand where none counts.

use super::{Reading, Scan};
use crate::facts::allow::{self, Comment};
use crate::facts::command::Place;
use crate::facts::{Cues, Record, Says, ban};

impl Scan<'_> {
    /// The suppressions, one a line; true if the unit is one and nothing else.
    pub(super) fn allow(&mut self, comment: Comment, records: &mut [Record]) -> bool {
        let (text, mut any) = (self.unit.text(), false);
        for (record, line) in records.iter_mut().zip(self.unit.lines()) {
            if let Some((range, _)) = allow::read(&text[line.clone()], comment) {
                record.cues.raise(Cues::ALLOW);
                self.found.push((line.start + range.start..line.start + range.end, Says::Allow));
                any = true;
            }
        }
        any && self.unit.lines().nth(1).is_none()
    }

    /// Comments that are meant as suppressions and stand where none counts: behind text, or inside of other HTML.
    pub(super) fn misplaced(&mut self, records: &mut [Record]) {
        let (text, Reading { place, comment, in_comment, inside, record, html, .. }) =
            (self.unit.text(), self.reading);
        let prose = matches!(place, Place::Prose | Place::Item | Place::Row);
        let none = in_comment || inside || record.is_some() || comment == Some(Comment::Hash);
        let known = || self.found.iter().any(|(_, says)| *says == Says::Allow);
        if !prose || none || !text.contains("<!") || known() {
            return;
        }
        let mut from = 0;
        while let Some((range, _)) = allow::misplaced(text, from) {
            from = range.end;
            if html || !ban::is_code(text, range.start) {
                records[self.unit.locate(range.start).0].cues.raise(Cues::ALLOW);
                self.found.push((range, Says::Allow));
            }
        }
    }
}
