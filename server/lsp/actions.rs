//! Code actions: what can be done about the findings at a place, and all that is safe at once.
//!
//! What the client echoes of a diagnostic is not needed: some echo a few fields, some none. The findings are our own, and
//! an echoed diagnostic only says which action belongs to which underline.

use std::path::PathBuf;

use caveat_analysis::catalogue::{Group, RuleId};
use caveat_analysis::fix::{self, Fix, Fixer};
use caveat_analysis::text::{Source as _, Str};
use caveat_analysis::verdict::Status;
use caveat_analysis::{Document, Encoding, Finding, Snapshot};
use caveat_workspace::{Settings, config};
use serde::{Deserialize, Serialize};
use tower_lsp::lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionTriggerKind, Diagnostic, NumberOrString, Range,
    Url,
};

use crate::edit::{self, Takes};
use crate::late::Late;
use crate::project::Reading;
use crate::publish::range;

/// The kind of the action that makes all safe fixes.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.caveat");

/// How many safe fixes are made at once.
const AT_ONCE: usize = 100;

/// For how many findings of a selection fixes are looked for; each is tried, which costs a pass over what is found.
const FINDINGS: usize = 16;

/// Up to this many bytes of text it is that many; of longer texts fewer.
const BYTES: usize = 256 << 10;

/// How the client takes actions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// What columns count.
    pub(crate) encoding: Encoding,
    /// How it takes edits.
    pub(crate) takes: Takes,
    /// It knows which action is the one to take.
    pub(crate) prefers: bool,
    /// It asks for the edit of an action when that is chosen.
    pub(crate) resolves: bool,
    /// It has fields to fill in, in what it completes.
    pub(crate) snippets: bool,
}

/// Where the configuration of a document stands, or would stand.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    /// The document's own path.
    pub(crate) path: PathBuf,
    /// The configuration's folder.
    pub(crate) folder: PathBuf,
    /// The configuration stands below another one, and may not loosen everything.
    pub(crate) nested: bool,
    /// The open document that holds it: its URI, version and text.
    pub(crate) open: Option<(Url, i32, String)>,
}

/// A document, and all that is needed to say what can be done about it: prepared by the loop, the rest needs no session.
pub(crate) struct Desk {
    pub(crate) uri: Url,
    pub(crate) version: i32,
    pub(crate) document: Document,
    /// Where it is settled, if it is not.
    pub(crate) late: Option<Late>,
    pub(crate) reading: Reading,
    pub(crate) manner: Manner,
    pub(crate) home: Option<Home>,
}

/// What an action whose edit is asked for later keeps: which finding of which text it is about.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Later {
    pub(crate) uri: Url,
    version: i32,
    rule: String,
    fingerprint: String,
}

impl Later {
    /// Whether it is about the text that `desk` has.
    pub(crate) fn is_of(&self, desk: &Desk) -> bool {
        self.version == desk.version
    }
}

impl Desk {
    /// The same with the document settled; for the pool, and it may take long. `None`: reading it failed, or it was edited
    /// meanwhile, and what would be said of it is of no use.
    pub(crate) fn settled(mut self) -> Option<Desk> {
        if let Some(late) = self.late.take() {
            let settled = late.settle(self.version).filter(|settled| settled.version == self.version)?;
            self.document = settled.document?;
        }
        Some(self)
    }

    /// The actions for `at`, in order.
    pub(crate) fn actions(self, at: Range, context: &CodeActionContext) -> Vec<CodeAction> {
        let reading = self.reading.clone();
        let judge = |snapshot: &Snapshot| reading.findings(snapshot);
        let fixer = Fixer::new(self.document.clone(), &judge, self.reading.env.today);
        let asked = |kind: &CodeActionKind| {
            context.only.as_ref().is_none_or(|only| only.iter().any(|only| includes(only, kind)))
        };
        let mut actions = Vec::new();
        if asked(&CodeActionKind::QUICKFIX) {
            let text = fixer.snapshot().text();
            let most = (FINDINGS * BYTES / text.len().max(BYTES)).max(1);
            let reported = fixer.findings().iter().filter(|finding| finding.status == Status::Reported);
            let placed = reported.map(|finding| (finding, range(text, &finding.span, self.manner.encoding)));
            let here = placed.filter(|(_, place)| at.start <= place.end && place.start <= at.end);
            for (finding, place) in here.take(most) {
                let echoed: Vec<Diagnostic> = context
                    .diagnostics
                    .iter()
                    .filter(|one| is_of(one, finding.rule, place))
                    .cloned()
                    .collect();
                let fixes = fixer.fixes(finding).into_iter().map(|fix| self.action(&fixer, &fix));
                for mut action in fixes.chain(self.acceptance(finding, fixer.snapshot())) {
                    action.diagnostics = (!echoed.is_empty()).then(|| echoed.clone());
                    put(&mut actions, action);
                }
            }
        }
        // Unasked, it is no answer to a caret that was moved.
        let automatic = context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC);
        if asked(&FIX_ALL) && (context.only.is_some() || !automatic) {
            actions.extend(self.fix_all(&fixer));
        }
        actions
    }

    fn action(&self, fixer: &Fixer<'_>, fix: &Fix) -> CodeAction {
        let text = fixer.snapshot().text();
        let edits =
            edit::texts(&fix.edits, self.manner.encoding, |at, encoding| text.position_of(at, encoding));
        CodeAction {
            title: fix.title.to_string(),
            kind: Some(CodeActionKind::QUICKFIX),
            edit: Some(edit::of_document(self.manner.takes, &self.uri, Some(self.version), edits)),
            is_preferred: (fix.preferred && self.manner.prefers).then_some(true),
            ..CodeAction::default()
        }
    }

    fn fix_all(&self, fixer: &Fixer<'_>) -> Option<CodeAction> {
        let (edits, _) = fixer.safe(AT_ONCE);
        if edits.is_empty() {
            return None;
        }
        let text = fixer.snapshot().text();
        let edits = edit::texts(&edits, self.manner.encoding, |at, encoding| text.position_of(at, encoding));
        Some(CodeAction {
            title: "Fix all that is safe to fix (caveat)".to_owned(),
            kind: Some(FIX_ALL),
            edit: Some(edit::of_document(self.manner.takes, &self.uri, Some(self.version), edits)),
            ..CodeAction::default()
        })
    }

    /// The action that accepts `finding` in `caveat.toml`. Where the client asks for its edit later, nothing is read yet.
    fn acceptance(&self, finding: &Finding, snapshot: &Snapshot) -> Option<CodeAction> {
        let home = self.home.as_ref()?;
        // Of what is not trusted no configuration beside it counts either.
        let counts = self.reading.env.suppressions;
        let guarded = home.nested && config::is_guarded(finding.rule);
        if !counts || guarded || matches!(finding.group, Group::Suppression | Group::Config) {
            return None;
        }
        let action = CodeAction {
            title: format!("Accept this finding of {} in caveat.toml", finding.rule.name()),
            kind: Some(CodeActionKind::QUICKFIX),
            ..CodeAction::default()
        };
        if self.manner.resolves {
            let later = Later {
                uri: self.uri.clone(),
                version: self.version,
                rule: finding.rule.name().to_owned(),
                fingerprint: format!("{:032x}", finding.fingerprint),
            };
            return Some(CodeAction { data: serde_json::to_value(later).ok(), ..action });
        }
        let edit = self.accepted(home, finding, snapshot)?;
        Some(CodeAction { edit: Some(edit), ..action })
    }

    /// The edit of an action that was offered without one; `None` where it can no longer be made.
    pub(crate) fn resolve(self, later: &Later) -> Option<tower_lsp::lsp_types::WorkspaceEdit> {
        let home = self.home.as_ref()?;
        let snapshot = self.document.clone().snapshot();
        let findings = self.reading.findings(&snapshot);
        let finding = findings.iter().find(|finding| {
            finding.status == Status::Reported
                && finding.rule.name() == later.rule
                && format!("{:032x}", finding.fingerprint) == later.fingerprint
        })?;
        self.accepted(home, finding, &snapshot)
    }

    /// The edit to `caveat.toml` that accepts `finding`, if the file then says so.
    fn accepted(
        &self,
        home: &Home,
        finding: &Finding,
        snapshot: &Snapshot,
    ) -> Option<tower_lsp::lsp_types::WorkspaceEdit> {
        let file = home.folder.join(config::CONFIG_NAME);
        let path = home.path.strip_prefix(&home.folder).ok()?;
        let path: Vec<&str> = path.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
        let entry = fix::acceptance(finding, Some(&path.join("/")), self.reading.env.today);
        let there = home.open.is_some() || file.symlink_metadata().is_ok();
        let base = match &home.open {
            Some((_, _, text)) => text.clone(),
            None if there => {
                // What holds is what can be read; an invalid one is told elsewhere.
                config::load(&file).ok()?;
                std::fs::read_to_string(&file).ok()?
            }
            None => String::new(),
        };
        let end = if base.contains("\r\n") { "\r\n" } else { "\n" };
        let apart = match base.as_str() {
            "" => String::new(),
            text if text.ends_with('\n') => end.to_owned(),
            _ => end.repeat(2),
        };
        let put = apart + &entry.replace('\n', end);
        let whole = format!("{base}{put}");
        let settings = Settings::new(config::parse(&whole, &file).ok()?, &home.folder);
        let env = settings.env(self.reading.env.role, Some(&home.path), self.reading.env.today);
        let holds = snapshot.findings(&env).iter().any(|after| {
            after.fingerprint == finding.fingerprint
                && after.rule == finding.rule
                && after.status == Status::Suppressed
        });
        if !holds {
            return None;
        }
        let takes = self.manner.takes;
        let uri = match &home.open {
            Some((uri, _, _)) => uri.clone(),
            None => Url::from_file_path(&file).ok()?,
        };
        if !there {
            return edit::of_new_file(takes, &uri, put);
        }
        let source = Str::new(&base);
        let edits = [fix::TextEdit { range: source.len()..source.len(), text: put }];
        let edits =
            edit::texts(&edits, self.manner.encoding, |at, encoding| source.position_of(at, encoding));
        let version = home.open.as_ref().map(|(_, version, _)| *version);
        Some(edit::of_document(takes, &uri, version, edits))
    }
}

/// Puts `action` to the others, or its diagnostics to those of the one that does the same.
fn put(actions: &mut Vec<CodeAction>, action: CodeAction) {
    let same = actions
        .iter_mut()
        .find(|other| other.title == action.title && other.edit == action.edit && other.data == action.data);
    match same {
        Some(other) => {
            if let Some(diagnostics) = action.diagnostics {
                other.diagnostics.get_or_insert_default().extend(diagnostics);
            }
        }
        None => actions.push(action),
    }
}

/// Whether a client that asks for `only` means `kind`.
fn includes(only: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(only.as_str());
    only == &CodeActionKind::EMPTY || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether `echoed` is the diagnostic of a finding of `rule` at `place`.
fn is_of(echoed: &Diagnostic, rule: RuleId, place: Range) -> bool {
    let code = match &echoed.code {
        Some(NumberOrString::String(code)) => code == rule.name(),
        _ => false,
    };
    code && echoed.range == place
}
