//! What the client can, and what we say that we can. Nothing is advertised that is not there.

use std::path::PathBuf;

use caveat_analysis::Encoding;
use caveat_workspace::kind::TEXT_ENDINGS;
use serde_json::{Value, json};
use tower_lsp::lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions, DiagnosticOptions,
    DiagnosticServerCapabilities, ExecuteCommandOptions, FileOperationFilter, FileOperationPattern,
    FileOperationRegistrationOptions, HoverProviderCapability, InitializeParams, InitializeResult,
    MarkupKind, OneOf, PositionEncodingKind, ResourceOperationKind, SaveOptions, ServerCapabilities,
    ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    WorkDoneProgressOptions, WorkspaceFileOperationsServerCapabilities, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

use crate::actions;
use crate::completion::TRIGGERS;
use crate::edit::Takes;
use crate::uri::Key;

/// Files without an ending that instruct, less their dot, as a glob.
const NAMED: &str = "cursorrules,windsurfrules,clinerules,roorules,kilocoderules,goosehints,augment-guidelines,continuerules,\
                     rules,openhands_instructions,clinerules-*,roorules-*";

/// The command that gives a rule's page.
pub(crate) const EXPLAIN: &str = "caveat.explain";
/// The command that lists every exception.
pub(crate) const AUDIT: &str = "caveat.audit";

/// The command that has the whole workspace checked, for clients that do not ask for it themselves.
pub(crate) const CHECK: &str = "caveat.checkWorkspace";

/// What the client said of itself in `initialize`, as far as we act on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peer {
    /// What columns count in every message of this session.
    pub(crate) encoding: Encoding,
    /// It asks for diagnostics; then none are pushed.
    pub(crate) pulls: bool,
    /// It can be told to ask again.
    pub(crate) refreshes: bool,
    /// It shows what a diagnostic refers to.
    pub(crate) related: bool,
    /// It renders Markdown in hovers.
    pub(crate) markdown: bool,
    /// It answers `workspace/configuration`.
    pub(crate) configuration: bool,
    /// It watches files for us if asked.
    pub(crate) watches: bool,
    /// It sends `workspace/didChangeConfiguration` only if asked.
    pub(crate) registers_configuration: bool,
    /// It has commands executed.
    pub(crate) commands: bool,
    /// It asks for completions.
    pub(crate) completes: bool,
    /// It shows inlay hints.
    pub(crate) hints: bool,
    /// It can be told to ask for inlay hints again.
    pub(crate) refreshes_hints: bool,
    /// It takes code actions that are more than commands.
    pub(crate) acts: bool,
    /// How it takes them.
    pub(crate) actions: actions::Manner,
}

impl Peer {
    /// Reads what `params` says.
    pub(crate) fn new(params: &InitializeParams) -> Peer {
        let capabilities = &params.capabilities;
        let general = capabilities.general.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let text = capabilities.text_document.as_ref();
        let offered = general.and_then(|general| general.position_encodings.as_deref()).unwrap_or_default();
        let publish = text.and_then(|text| text.publish_diagnostics.as_ref());
        let hover =
            text.and_then(|text| text.hover.as_ref()).and_then(|hover| hover.content_format.as_deref());
        let watched = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        let changes = workspace.and_then(|workspace| workspace.did_change_configuration.as_ref());
        let encoding = match offered.contains(&PositionEncodingKind::UTF8) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        };
        let action = text.and_then(|text| text.code_action.as_ref());
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let operations = edits.and_then(|edits| edits.resource_operations.as_deref()).unwrap_or_default();
        let resolved = action.and_then(|action| action.resolve_support.as_ref());
        let completion = text.and_then(|text| text.completion.as_ref());
        let item = completion.and_then(|completion| completion.completion_item.as_ref());
        Peer {
            encoding,
            commands: workspace.is_some_and(|workspace| workspace.execute_command.is_some()),
            completes: completion.is_some(),
            hints: text.is_some_and(|text| text.inlay_hint.is_some()),
            refreshes_hints: workspace
                .and_then(|workspace| workspace.inlay_hint.as_ref())
                .and_then(|hint| hint.refresh_support)
                .unwrap_or(false),
            acts: action.is_some_and(|action| action.code_action_literal_support.is_some()),
            actions: actions::Manner {
                encoding,
                takes: Takes {
                    versioned: edits.and_then(|edits| edits.document_changes).unwrap_or(false),
                    creates: operations.contains(&ResourceOperationKind::Create),
                },
                snippets: item.and_then(|item| item.snippet_support).unwrap_or(false),
                prefers: action.and_then(|action| action.is_preferred_support).unwrap_or(false),
                resolves: action.and_then(|action| action.data_support).unwrap_or(false)
                    && resolved.is_some_and(|resolved| resolved.properties.iter().any(|name| name == "edit")),
            },
            pulls: text.is_some_and(|text| text.diagnostic.is_some()),
            refreshes: workspace
                .and_then(|workspace| workspace.diagnostic.as_ref())
                .and_then(|diagnostic| diagnostic.refresh_support)
                .unwrap_or(false),
            related: publish.and_then(|publish| publish.related_information).unwrap_or(false),
            markdown: hover.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            configuration: workspace.and_then(|workspace| workspace.configuration).unwrap_or(false),
            watches: watched.and_then(|watched| watched.dynamic_registration).unwrap_or(false),
            registers_configuration: changes
                .and_then(|changes| changes.dynamic_registration)
                .unwrap_or(false),
        }
    }

    /// The reply to `initialize`.
    pub(crate) fn greeting(&self) -> InitializeResult {
        let everything = FileOperationRegistrationOptions {
            filters: vec![FileOperationFilter {
                scheme: Some("file".to_owned()),
                pattern: FileOperationPattern { glob: "**/*".to_owned(), ..FileOperationPattern::default() },
            }],
        };
        InitializeResult {
            server_info: Some(ServerInfo {
                name: "caveat".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            capabilities: ServerCapabilities {
                position_encoding: Some(match self.encoding {
                    Encoding::Utf8 => PositionEncodingKind::UTF8,
                    Encoding::Utf16 => PositionEncodingKind::UTF16,
                    Encoding::Utf32 => PositionEncodingKind::UTF32,
                }),
                text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(TextDocumentSyncKind::INCREMENTAL),
                    save: Some(SaveOptions { include_text: Some(true) }.into()),
                    ..TextDocumentSyncOptions::default()
                })),
                code_action_provider: self.acts.then(|| {
                    CodeActionProviderCapability::Options(CodeActionOptions {
                        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, actions::FIX_ALL]),
                        resolve_provider: self.actions.resolves.then_some(true),
                        ..CodeActionOptions::default()
                    })
                }),
                completion_provider: self.completes.then(|| CompletionOptions {
                    trigger_characters: Some(TRIGGERS.map(str::to_owned).into()),
                    ..CompletionOptions::default()
                }),
                inlay_hint_provider: self.hints.then_some(OneOf::Left(true)),
                execute_command_provider: self.commands.then(|| ExecuteCommandOptions {
                    commands: [AUDIT, EXPLAIN]
                        .into_iter()
                        .chain((!self.pulls).then_some(CHECK))
                        .map(str::to_owned)
                        .collect(),
                    ..ExecuteCommandOptions::default()
                }),
                hover_provider: Some(HoverProviderCapability::Simple(true)),
                diagnostic_provider: self.pulls.then(|| {
                    DiagnosticServerCapabilities::Options(DiagnosticOptions {
                        identifier: Some("caveat".to_owned()),
                        // Only a caveat.toml says something of other files, and then the client is told to ask again, where
                        // it can be told.
                        inter_file_dependencies: !self.refreshes,
                        workspace_diagnostics: true,
                        work_done_progress_options: WorkDoneProgressOptions {
                            work_done_progress: Some(true),
                        },
                    })
                }),
                workspace: Some(WorkspaceServerCapabilities {
                    workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                        supported: Some(true),
                        change_notifications: Some(OneOf::Left(true)),
                    }),
                    file_operations: Some(WorkspaceFileOperationsServerCapabilities {
                        did_create: Some(everything.clone()),
                        did_rename: Some(everything.clone()),
                        did_delete: Some(everything),
                        ..WorkspaceFileOperationsServerCapabilities::default()
                    }),
                }),
                ..ServerCapabilities::default()
            },
        }
    }

    /// What to register once the client is ready, as the parameters of `client/registerCapability`; `None`: nothing.
    pub(crate) fn registrations(&self) -> Option<Value> {
        let mut registrations = Vec::new();
        if self.watches {
            // Every change of a file is news where the whole workspace is shown.
            let endings = TEXT_ENDINGS.join(",");
            let watchers = json!([
                {"globPattern": "**/caveat.toml"},
                {"globPattern": format!("**/*.{{{endings}}}")},
                {"globPattern": format!("**/.{{{NAMED}}}")},
                {"globPattern": "**/.{gitignore,ignore}"},
            ]);
            registrations.push(json!({"id": "files", "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watchers}}));
        }
        if self.registers_configuration {
            registrations.push(json!({"id": "settings", "method": "workspace/didChangeConfiguration",
                "registerOptions": {"section": "caveat"}}));
        }
        (!registrations.is_empty()).then(|| json!({"registrations": registrations}))
    }
}

/// Puts what lsp-types 0.94 misnames in the parameters of `initialize` where it looks for it: the protocol says
/// `workspace.diagnostics`, the type `workspace.diagnostic`.
pub(crate) fn as_lsp_types_names_it(params: &mut Value) {
    if let Some(Value::Object(workspace)) = params.pointer_mut("/capabilities/workspace")
        && let Some(diagnostics) = workspace.remove("diagnostics")
    {
        workspace.insert("diagnostic".to_owned(), diagnostics);
    }
}

/// The workspace folders of `params`: its `workspaceFolders`, else its `rootUri`.
pub(crate) fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    #[allow(deprecated, reason = "clients without workspace folders send nothing else")]
    let root = params.root_uri.as_ref();
    match params.workspace_folders.as_deref() {
        Some(folders) if !folders.is_empty() => {
            folders.iter().filter_map(|folder| Key::new(&folder.uri).path()).collect()
        }
        _ => root.and_then(|root| Key::new(root).path()).into_iter().collect(),
    }
}
