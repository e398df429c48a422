//! `caveat init`: a `caveat.toml` to begin with.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use caveat_workspace::config::{CONFIG_NAME, template};
use caveat_workspace::git_root;

use crate::output::Failure;

/// Writes a commented `caveat.toml` into the current folder. What is there already, a dangling link too, is never
/// overwritten: status 2.
#[must_use]
pub fn init() -> ExitCode {
    // One call that makes the file or fails: nothing can come between a look and a write.
    let file = OpenOptions::new().write(true).create_new(true).open(CONFIG_NAME);
    match file.and_then(|mut file| file.write_all(template().as_bytes())) {
        Ok(()) => {
            let _ = writeln!(
                anstream::stdout(),
                "{CONFIG_NAME} is written; every setting in it is commented out"
            );
            if let Some(above) = above() {
                let _ = writeln!(
                    anstream::stderr(),
                    "caveat: {above} no longer holds for the files here: the nearest caveat.toml does, and configurations are not merged"
                );
            }
            ExitCode::SUCCESS
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Failure::usage("there is a caveat.toml here already; it is left as it is").told()
        }
        Err(_) => Failure::usage("caveat.toml cannot be written here").told(),
    }
}

/// The configuration that held here until now, as seen from the current folder: the nearest one further up, not above the
/// repository.
fn above() -> Option<String> {
    let current = std::env::current_dir().ok()?;
    let root = git_root(&current);
    if root.as_deref() == Some(current.as_path()) {
        return None;
    }
    let up = current.ancestors().enumerate().skip(1);
    let mut up = up.take_while(|(_, folder)| root.as_ref().is_none_or(|root| folder.starts_with(root)));
    let is_there = |folder: &Path| folder.join(CONFIG_NAME).is_file();
    up.find(|(_, folder)| is_there(folder)).map(|(steps, _)| format!("{}{CONFIG_NAME}", "../".repeat(steps)))
}
