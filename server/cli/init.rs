//! `caveat init`: a `caveat.toml` to begin with.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::process::ExitCode;

use caveat_workspace::config::{CONFIG_NAME, template};

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
            ExitCode::SUCCESS
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Failure::usage("there is a caveat.toml here already; it is left as it is").told()
        }
        Err(_) => Failure::usage("caveat.toml cannot be written here").told(),
    }
}
