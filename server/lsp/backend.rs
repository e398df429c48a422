//! The protocol's handlers: each turns one message into one call of the session, before it awaits anything.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize as _;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::{
    CodeAction, CodeActionOrCommand, CodeActionParams, CodeActionResponse, CompletionParams,
    CompletionResponse, CreateFilesParams, DeleteFilesParams, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams,
    FileChangeType, Hover, HoverParams, InitializeParams, InitializeResult, InitializedParams, InlayHint,
    InlayHintParams, RenameFilesParams, Url, WorkspaceFolder,
};
use tower_lsp::{ClientSocket, LanguageServer, LspService};

use caveat_analysis::catalogue::Catalogue;
use caveat_analysis::{Position, Text};
use caveat_workspace::config::CONFIG_NAME;
use caveat_workspace::{audit, walk};

use crate::actions::Later;
use crate::capabilities::{AUDIT, EXPLAIN};
use crate::hover;
use crate::session::Session;
use crate::sync::View;
use crate::uri::Key;

/// The handlers.
pub(crate) struct Backend {
    session: Arc<Session>,
}

impl Backend {
    /// The service of `session`.
    pub(crate) fn service(session: Arc<Session>) -> (LspService<Backend>, ClientSocket) {
        let builder = LspService::build(|_| Backend { session });
        #[cfg(debug_assertions)]
        let builder = debug::register(builder);
        builder.finish()
    }

    /// Asks the client for its settings; a task, since nothing else may wait for the client.
    fn ask_settings(&self) {
        let session = Arc::clone(&self.session);
        tokio::spawn(async move {
            let items = json!({"items": [{"section": "caveat"}]});
            let Some(Value::Array(sections)) =
                session.client().request("workspace/configuration", items).await
            else {
                return;
            };
            if sections.first().is_some_and(|section| session.configure(section)) {
                session.ask_refresh();
            }
        });
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        Ok(self.session.initialize(&params))
    }

    async fn initialized(&self, _: InitializedParams) {
        let peer = self.session.peer();
        if peer.configuration {
            self.ask_settings();
        }
        if let Some(registrations) = peer.registrations() {
            let client = self.session.client().clone();
            tokio::spawn(async move { client.request("client/registerCapability", registrations).await });
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.session.shut_down();
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.session.look_at_disk();
        self.session.look_around();
        self.session.open(params.text_document);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        self.session.change(document.uri, document.version, params.content_changes);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        if let Some(text) = &params.text {
            self.session.saved(&params.text_document.uri, text);
        }
        if let Some(path) = Key::new(&params.text_document.uri).path() {
            self.session.survey().written(path, true);
        }
        self.session.look_around();
        // Not every client watches files.
        match is_configuration(&params.text_document.uri) {
            true => self.session.reload(),
            false => self.session.look_at_disk(),
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.session.close(&params.text_document.uri);
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        let urls: Vec<Url> = params.files.iter().filter_map(|file| Url::parse(&file.uri).ok()).collect();
        self.session.deleted(&urls);
    }

    async fn did_create_files(&self, params: CreateFilesParams) {
        for uri in params.files.iter().filter_map(|file| Url::parse(&file.uri).ok()) {
            self.session.appeared(&uri);
        }
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        let parse = |uri: &String| Url::parse(uri).ok();
        let old: Vec<Url> = params.files.iter().filter_map(|file| parse(&file.old_uri)).collect();
        self.session.deleted(&old);
        for uri in params.files.iter().filter_map(|file| parse(&file.new_uri)) {
            self.session.appeared(&uri);
        }
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let mut configuration = false;
        for event in params.changes {
            configuration |= is_configuration(&event.uri);
            match event.typ {
                FileChangeType::DELETED => self.session.deleted(&[event.uri]),
                _ => self.session.appeared(&event.uri),
            }
        }
        match configuration {
            true => self.session.reload(),
            false => self.session.look_at_disk(),
        }
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        if let Some(section) = params.settings.get("caveat") {
            if self.session.configure(section) {
                self.session.refresh();
            }
        } else if self.session.peer().configuration {
            self.ask_settings();
        }
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let urls =
            |folders: Vec<WorkspaceFolder>| folders.into_iter().map(|folder| folder.uri).collect::<Vec<_>>();
        self.session.change_folders(&urls(params.event.added), &urls(params.event.removed));
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let Some(desk) = self.session.desk(&params.text_document.uri) else { return Ok(None) };
        let actions = on_pool(move || {
            let desk = desk.settled();
            desk.map(|desk| desk.actions(params.range, &params.context)).unwrap_or_default()
        });
        let actions = actions.await?;
        Ok(Some(actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()))
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        let later = action.data.as_ref().and_then(|data| Later::deserialize(data).ok());
        let Some(later) = later else { return Ok(action) };
        let Some(desk) = self.session.desk(&later.uri).filter(|desk| later.is_of(desk)) else {
            return Ok(action);
        };
        let client = self.session.client().clone();
        let edit = on_pool(move || desk.settled()?.resolve(&later)).await?;
        if edit.is_none() {
            client.show_warning(NOT_ACCEPTED);
        }
        Ok(CodeAction { edit, ..action })
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let at = params.text_document_position;
        let Some(desk) = self.session.desk(&at.text_document.uri) else { return Ok(None) };
        let items = on_pool(move || {
            let desk = desk.settled();
            desk.map(|desk| desk.completion(at.position)).unwrap_or_default()
        });
        let items = items.await?;
        Ok((!items.is_empty()).then_some(CompletionResponse::Array(items)))
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        if !self.session.shows_hints() {
            return Ok(None);
        }
        let Some(desk) = self.session.desk(&params.text_document.uri) else { return Ok(None) };
        on_pool(move || Some(desk.settled()?.hints(params.range))).await
    }

    /// `caveat.explain` with a rule's id gives that rule's page in Markdown; `caveat.audit` gives, for each open folder,
    /// what `caveat audit --format json` prints there.
    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        if params.command == AUDIT {
            let (folders, restricted) = self.session.open_folders();
            let open = self.session.open_texts();
            let all = move || {
                let texts = whole_texts(open);
                folders.iter().map(|folder| audit_of(folder, restricted, &texts)).collect::<Vec<_>>()
            };
            let audits = on_pool(all).await?;
            return Ok(Some(Value::from(audits)));
        }
        if params.command != EXPLAIN {
            return Err(Error::invalid_params("there is no such command"));
        }
        let name = params.arguments.first().and_then(Value::as_str);
        let rule = name.and_then(|name| Catalogue::get().by_name(name));
        let rule = rule.ok_or_else(|| Error::invalid_params("the argument is a rule's id"))?;
        Ok(Some(Value::from(rule.rule().page(false))))
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        let position = Position { line: at.position.line, column: at.position.character };
        let Some(view) = self.session.view(&at.text_document.uri) else { return Ok(None) };
        let peer = self.session.peer();
        let hover = move |view| match view {
            View::Read(snapshot, reading) => {
                hover::at(&snapshot, &reading, position, peer.encoding, peer.markdown)
            }
            View::Nothing | View::Skipped(_) | View::Closed(..) | View::Late(..) => None,
        };
        match view {
            View::Late(late, version, reading) => {
                on_pool(move || hover(View::settled(&late, version, &reading))).await
            }
            view => Ok(hover(view)),
        }
    }
}

const NOT_ACCEPTED: &str =
    "caveat.toml stays as it is: it cannot be read, or an entry at its end would not hold.";

/// What `work` gives, which is done on the pool.
async fn on_pool<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::internal_error())
}

/// The texts of open documents that stand in files, by the files' real paths.
fn whole_texts(open: Vec<(PathBuf, Text)>) -> HashMap<PathBuf, String> {
    open.into_iter().map(|(path, text)| (path.canonicalize().unwrap_or(path), text.to_string())).collect()
}

/// The audit of one open folder, with its URI, in which `texts` stand in place of what is on the disk; `null` where a
/// configuration in it is wrong, which its own diagnostics say.
fn audit_of(folder: &Path, untrusted: bool, texts: &HashMap<PathBuf, String>) -> Value {
    let current = folder.to_path_buf();
    let is_configuration = |path: &Path| path.file_name().is_some_and(|name| name == CONFIG_NAME);
    let buffers = texts.iter().filter(|(path, _)| is_configuration(path));
    let buffers = buffers.map(|(path, text)| (path.clone(), text.clone())).collect();
    let request = walk::Request { current, untrusted, buffers, ..walk::Request::default() };
    let audit = walk::plan(request).ok().map(|plan| audit::run_with(&plan, crate::day::today(), texts));
    let uri = Url::from_directory_path(folder).ok().map(|uri| uri.to_string());
    json!({"folder": uri, "audit": audit})
}

fn is_configuration(uri: &Url) -> bool {
    uri.path().ends_with("/caveat.toml")
}

/// Faults on demand, so that the tests over stdio can see what follows from one. Not in a released binary.
#[cfg(debug_assertions)]
mod debug {
    use std::sync::{Condvar, Mutex};

    use serde_json::Value;
    use tower_lsp::LspServiceBuilder;
    use tower_lsp::jsonrpc::Result;
    use tower_lsp::lsp_types::TextDocumentIdentifier;

    use super::Backend;
    use crate::transport::lock;

    pub(super) fn register(builder: LspServiceBuilder<Backend>) -> LspServiceBuilder<Backend> {
        builder
            .custom_method("caveat/debug/panic", Backend::panic)
            .custom_method("caveat/debug/panicLater", Backend::panic_later)
            .custom_method("caveat/debug/panicQuietly", Backend::panic_quietly)
            .custom_method("caveat/debug/never", Backend::never)
            .custom_method("caveat/debug/failReading", Backend::fail_reading)
            .custom_method("caveat/debug/failJudging", Backend::fail_judging)
            .custom_method("caveat/debug/haltSurvey", Backend::halt_survey)
            .custom_method("caveat/debug/later", Backend::later)
            .custom_method("caveat/debug/beforeMidnight", Backend::before_midnight)
            .custom_method("caveat/debug/digest", Backend::digest)
            .custom_method("caveat/debug/occupyPool", Backend::occupy_pool)
            .custom_method("caveat/debug/releasePool", Backend::release_pool)
    }

    /// Whether the pool's threads are to stay where they are.
    static OCCUPIED: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

    impl Backend {
        async fn occupy_pool(&self) {
            *lock(&OCCUPIED.0) = true;
            for _ in 0..crate::POOL {
                tokio::task::spawn_blocking(|| {
                    let occupied = lock(&OCCUPIED.0);
                    drop(OCCUPIED.1.wait_while(occupied, |occupied| *occupied));
                });
            }
        }

        async fn release_pool(&self) {
            *lock(&OCCUPIED.0) = false;
            OCCUPIED.1.notify_all();
        }

        async fn panic(&self, params: Value) -> Result<Value> {
            panic!("{params}")
        }

        async fn panic_later(&self, params: Value) -> Result<Value> {
            tokio::task::yield_now().await;
            panic!("{params}")
        }

        async fn panic_quietly(&self, params: Value) {
            panic!("{params}")
        }

        async fn never(&self) -> Result<Value> {
            std::future::pending().await
        }

        async fn fail_reading(&self, times: Vec<usize>) {
            crate::sync::debug::fail_next(times.into_iter().sum());
        }

        async fn halt_survey(&self, halted: Vec<bool>) {
            crate::survey::debug::halt(halted.contains(&true));
        }

        async fn fail_judging(&self, times: Vec<usize>) {
            crate::sync::debug::fail_judging_next(times.into_iter().sum());
        }

        async fn later(&self, hours: Vec<i64>) {
            crate::day::debug::set_later(hours.into_iter().sum());
        }

        async fn before_midnight(&self, seconds: Vec<i64>) {
            crate::day::debug::set_before_midnight(seconds.into_iter().sum());
        }

        async fn digest(&self, document: TextDocumentIdentifier) -> Result<Option<(usize, String)>> {
            Ok(self.session.digest(&document.uri))
        }
    }
}
