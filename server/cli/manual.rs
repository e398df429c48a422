//! `caveat completions` and `caveat man`: made from the arguments, so that they cannot say anything else.

use std::process::ExitCode;

use clap::CommandFactory as _;

use crate::arguments::{Arguments, Completions};
use crate::output;

/// Prints the completions for a shell.
#[must_use]
pub fn completions(options: &Completions) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "caveat", &mut script);
    print(&script)
}

/// Prints the manual page, in roff: of caveat, then of each subcommand.
#[must_use]
pub fn man() -> ExitCode {
    let mut command = Arguments::command();
    command.build();
    let mut page = Vec::new();
    let of = |command: &clap::Command, page: &mut Vec<u8>| {
        let title = command.get_display_name().unwrap_or("caveat").to_owned();
        // Into memory: writing cannot fail.
        let _ = clap_mangen::Man::new(command.clone()).title(title).section("1").render(page);
    };
    of(&command, &mut page);
    for subcommand in command.get_subcommands().filter(|command| command.get_name() != "help") {
        of(subcommand, &mut page);
    }
    print(&page)
}

fn print(bytes: &[u8]) -> ExitCode {
    output::write_plain(None, |out| out.write_all(bytes))
        .map_or_else(|failure| failure.told(), |()| ExitCode::SUCCESS)
}
