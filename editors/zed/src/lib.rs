//! caveat in Zed: which program is run, and what it is told.
//!
//! Nothing is downloaded: the program is the one that the settings name, else the one on the worktree's `PATH`.

use zed_extension_api as zed;
use zed_extension_api::serde_json::{Value, json};
use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, LanguageServerId, Result, Worktree};

struct Caveat;

impl zed::Extension for Caveat {
    fn new() -> Caveat {
        Caveat
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary =
            LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments) = binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path.or_else(|| worktree.which("caveat")).ok_or(
            "The program caveat was not found. Install it so that it is on PATH, or name it in the settings: \
             \"lsp\": { \"caveat\": { \"binary\": { \"path\": \"...\" } } }",
        )?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(settings(id, worktree))
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(settings(id, worktree).map(|settings| json!({ "caveat": settings })))
    }
}

/// What stands in Zed's settings under `lsp.caveat.settings`.
fn settings(id: &LanguageServerId, worktree: &Worktree) -> Option<Value> {
    LspSettings::for_worktree(id.as_ref(), worktree).ok()?.settings
}

zed::register_extension!(Caveat);
