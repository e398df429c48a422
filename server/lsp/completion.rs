//! Completion: what may be written in a suppression, and in front of a block in which something is found.

use std::ops::Range;

use caveat_analysis::Snapshot;
use caveat_analysis::catalogue::{Catalogue, RuleId};
use caveat_analysis::facts::allow::{Comment, is_allowed_inline};
use caveat_analysis::fix::{self, Fixer, InFront, LABEL, REASON, Slot, slot};
use caveat_analysis::lines::LineKind;
use caveat_analysis::text::{Source as _, byte_of, column_of};
use caveat_analysis::verdict::Status;
use jiff::civil::Date;
use tower_lsp::lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, InsertTextFormat, Position, TextEdit,
};

use crate::actions::Desk;

/// After what the client asks by itself.
pub(crate) const TRIGGERS: [&str; 4] = ["<", " ", ",", "="];

/// What may stand behind the caret where a comment is begun: what editors put there by themselves.
const BEHIND: [&str; 4] = ["", ">", "->", "-->"];

/// How long last days that are offered lie ahead, the usual one first.
const AHEAD: [i32; 3] = [fix::DAYS, 30, 180];

impl Desk {
    /// What may be written at `at`.
    pub(crate) fn completion(self, at: Position) -> Vec<CompletionItem> {
        if self.uri.path().ends_with("/caveat.toml") {
            return self.config_completion(at);
        }
        let mut document = self.document.clone();
        let snapshot = document.snapshot();
        let line = at.line as usize;
        let Some(record) = snapshot.records().get(line) else { return Vec::new() };
        let text = snapshot.text().line(line).into_owned();
        let caret = byte_of(&text, at.character as usize, self.manner.encoding);
        let comment = match record.line.kind {
            LineKind::Fence | LineKind::Code | LineKind::Table => return Vec::new(),
            LineKind::FrontMatter => Comment::Hash,
            _ => Comment::Html,
        };
        let content = (record.line.content as usize).min(text.len());
        let place = Place { desk: &self, line: at.line, text: &text };
        let inside = slot(&text[..caret], content, comment);
        let mut items = match &inside {
            Some(slot) => place.inside(slot, &snapshot),
            None => Vec::new(),
        };
        let begun = text.get(content..caret).unwrap_or_default().trim_start();
        let starts = matches!(inside, None | Some(Slot::Word { .. }))
            && ("<!-- caveat-allow".starts_with(begun) || begins(LABEL, begun))
            && BEHIND.contains(&text[caret..].trim());
        if starts && comment == Comment::Html {
            let from = text.len() - text.trim_start_matches([' ', '\t', '>']).len();
            items.extend(place.in_front(line, from.min(caret)));
        }
        items
    }
}

/// Whether `whole` begins with `begun`, in whatever case.
fn begins(whole: &str, begun: &str) -> bool {
    whole.get(..begun.len()).is_some_and(|head| head.eq_ignore_ascii_case(begun))
}

struct Place<'a> {
    desk: &'a Desk,
    line: u32,
    text: &'a str,
}

impl Place<'_> {
    fn inside(&self, slot: &Slot, snapshot: &Snapshot) -> Vec<CompletionItem> {
        let day = fix::last_day(self.desk.reading.env.today);
        let expires = format!("expires={day}");
        let reason = format!("reason=\"{REASON}\"");
        match slot {
            Slot::Word { range } => vec![
                self.item("caveat-allow", "accepts what is found in the next block", range, "caveat-allow "),
                self.item(
                    "caveat-allow-file",
                    "accepts what is found in this file",
                    range,
                    "caveat-allow-file ",
                ),
            ],
            Slot::Rule { range, taken } => self.rules(range, taken, snapshot),
            Slot::Expires { range } => vec![
                self.item(&expires, "the last day on which it holds", range, &expires),
                self.item(
                    &format!("{expires} reason=\"\""),
                    "the last day on which it holds, and why",
                    range,
                    &format!("{expires} {reason}"),
                ),
            ],
            Slot::Day { range } => {
                let days = AHEAD.iter().map(|days| (*days, after(self.desk.reading.env.today, *days)));
                days.enumerate()
                    .map(|(at, (days, day))| CompletionItem {
                        sort_text: Some(at.to_string()),
                        ..self.item(
                            &day.to_string(),
                            &format!("{days} days from today"),
                            range,
                            &day.to_string(),
                        )
                    })
                    .collect()
            }
            Slot::Reason { range } => vec![self.item("reason=\"\"", "why it is accepted", range, &reason)],
        }
    }

    /// Every rule that may be named, those of which something is reported first.
    fn rules(&self, range: &Range<usize>, taken: &[RuleId], snapshot: &Snapshot) -> Vec<CompletionItem> {
        let findings = self.desk.reading.findings(snapshot);
        let reported = |rule: RuleId| {
            findings.iter().any(|finding| finding.rule == rule && finding.status == Status::Reported)
        };
        Catalogue::get()
            .rules()
            .filter(|(id, _)| is_allowed_inline(*id) && !taken.contains(id))
            .map(|(id, rule)| CompletionItem {
                sort_text: Some(format!("{}{}", u8::from(!reported(id)), rule.id)),
                ..self.item(&rule.id, &rule.summary, range, &rule.id)
            })
            .collect()
    }

    fn in_front(&self, line: usize, from: usize) -> Vec<CompletionItem> {
        let reading = self.desk.reading.clone();
        let judge = |snapshot: &Snapshot| reading.findings(snapshot);
        let fixer = Fixer::new(self.desk.document.clone(), &judge, reading.env.today);
        let range = from..self.text.len();
        let proposals = fixer.in_front(line, from).into_iter();
        proposals
            .map(|proposal| match proposal {
                InFront::Suppression(put, rules) => {
                    let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
                    CompletionItem {
                        filter_text: Some(put.clone()),
                        kind: Some(CompletionItemKind::SNIPPET),
                        ..self.item(
                            &format!("caveat-allow {}", names.join(", ")),
                            "accepts what is found in the block below",
                            &range,
                            &put,
                        )
                    }
                }
                InFront::Label(put) => CompletionItem {
                    kind: Some(CompletionItemKind::SNIPPET),
                    ..self.item(&put, "forbids the block below", &range, &put)
                },
            })
            .collect()
    }

    /// An item that puts `put` in the place of `range`. A reason to fill in becomes a field where the client has such.
    fn item(&self, label: &str, detail: &str, range: &Range<usize>, put: &str) -> CompletionItem {
        let encoding = self.desk.manner.encoding;
        let place = |byte| Position {
            line: self.line,
            character: u32::try_from(column_of(self.text, byte, encoding)).unwrap_or(u32::MAX),
        };
        let range = tower_lsp::lsp_types::Range { start: place(range.start), end: place(range.end) };
        let field = self.desk.manner.snippets && put.contains(REASON);
        let new_text = match field {
            true => put.replace(REASON, &format!("${{1:{REASON}}}")),
            false => put.to_owned(),
        };
        CompletionItem {
            label: label.to_owned(),
            kind: Some(CompletionItemKind::VALUE),
            detail: Some(detail.to_owned()),
            insert_text_format: field.then_some(InsertTextFormat::SNIPPET),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
            ..CompletionItem::default()
        }
    }
}

fn after(today: Date, days: i32) -> Date {
    today.saturating_add(jiff::Span::new().days(days))
}
