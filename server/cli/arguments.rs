//! What can be asked on the command line. Only what works is here: an option that is not yet built is not listed.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use caveat_analysis::catalogue::Severity;
use caveat_analysis::verdict::Role;
use clap::{Args, Parser, Subcommand, ValueEnum};
use jiff::civil::Date;

/// Finds what files for agents and operators would have somebody run that is dangerous, and proves what is forbidden.
#[derive(Debug, Parser)]
#[command(name = "caveat", version, max_term_width = 100, propagate_version = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// The arguments of this process. Ends it, with status 2 (or 0 after `--help` and `--version`), if they are none.
    #[must_use]
    pub fn read() -> Arguments {
        Arguments::try_parse().unwrap_or_else(|error| {
            // Help that was asked for and could not be written is no success.
            let told = error.print().is_ok();
            std::process::exit(if told && !error.use_stderr() { 0 } else { 2 })
        })
    }
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve an editor over standard input and output
    Lsp(Lsp),
    /// Check files and folders
    #[command(after_help = STATUSES)]
    Check(Check),
    /// Explain a rule, or what holds on a line of a file
    Explain(Explain),
    /// List the rules
    Rules(Rules),
    /// List every exception: suppressions, rules that are off, exempt scopes, what is shown
    Audit(Audit),
    /// Print a JSON Schema
    Schema(Schema),
    /// Write a caveat.toml in which every setting is explained, into the current folder
    Init,
    /// Print a script that completes caveat's arguments in a shell
    Completions(Completions),
    /// Print the manual page
    Man,
}

const STATUSES: &str = "Status:
  0  nothing at or above --fail-on
  1  a finding at or above --fail-on
  2  wrong usage or a wrong configuration
  3  a named path, or a file of role instructions or runbook, was not read whole";

/// `caveat lsp`.
#[derive(Debug, Args)]
pub struct Lsp {
    /// Use standard input and output; there is no other way, but some editors ask for it by name
    #[arg(long)]
    pub stdio: bool,
    /// End when this process has ended, also before the editor has named its own
    #[arg(long = "clientProcessId", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub client_process_id: Option<u32>,
}

/// `caveat check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Files and folders; `-` reads standard input. Without any, the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// With `-`: the path that the text would have, which decides its role and configuration. Without it the text is read
    /// as instructions
    #[arg(long, value_name = "NAME")]
    pub stdin_path: Option<PathBuf>,
    /// Read `{"path": …, "text": …}`, one a line, from standard input, and write one report a line
    #[arg(long, conflicts_with_all = ["paths", "stdin_path", "exclude", "no_ignore", "fix"])]
    pub records: bool,
    /// How to write the report; `text` unless `--records` asks for lines of JSON
    #[arg(long, value_enum)]
    pub format: Option<ReportFormat>,
    /// What SARIF does with suppressed and exempt findings; some hosts show them as open unless they are left out
    #[arg(long, value_enum, default_value_t = SarifSuppressions::Include, value_name = "WHAT")]
    pub sarif_suppressions: SarifSuppressions,
    /// Who is addressed in the files; by default their paths and the configuration decide
    #[arg(long, value_enum, default_value_t = RoleChoice::Auto)]
    pub role: RoleChoice,
    /// The least severity that fails the run
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// One configuration for every file, in place of the nearest caveat.toml
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Leave out what matches, counted from the scanned root; may be given more than once
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Read what .gitignore and .ignore leave out
    #[arg(long)]
    pub no_ignore: bool,
    /// Compare with a commit: its configuration judges, and only what is new or graver since then counts
    #[arg(long, value_name = "REV", conflicts_with_all = ["fix", "records"])]
    pub baseline: Option<String>,
    /// Nobody vouches for the files: their caveat.toml, ignore files, suppressions and cues do not count
    #[arg(long)]
    pub untrusted: bool,
    /// Make the fixes that are safe, in the files, and then check: close fences, take out suppressions that answer for
    /// nothing. No command is touched
    #[arg(long)]
    pub fix: bool,
    /// Fail if more findings than this are exempt
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_exempt: Option<usize>,
    /// How many files or records are judged at once; by default as many as there are processors
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZeroUsize>,
    /// The day that expiry dates are compared with, in UTC; by default today
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub today: Option<Date>,
    /// Write the report to a file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// `caveat explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// A rule's id, or a file and a line in it
    #[arg(value_name = "RULE|FILE:LINE")]
    pub what: OsString,
    /// With a rule: show examples of what it finds
    #[arg(long)]
    pub examples: bool,
    /// With a line: who is addressed in the file; by default its path and the configuration decide
    #[arg(long, value_enum, default_value_t = RoleChoice::Auto)]
    pub role: RoleChoice,
    /// With a line: one configuration in place of the nearest caveat.toml
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// With a line: nobody vouches for the file; its caveat.toml, suppressions and cues do not count
    #[arg(long)]
    pub untrusted: bool,
    /// With a line: the day that expiry dates are compared with, in UTC; by default today
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub today: Option<Date>,
}

/// What to scan.
#[derive(Debug, Default, Args)]
pub struct What {
    /// Files and folders. Without any, the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// One configuration for every file, in place of the nearest caveat.toml
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Leave out what matches, counted from the scanned root; may be given more than once
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Read what .gitignore and .ignore leave out
    #[arg(long)]
    pub no_ignore: bool,
    /// Nobody vouches for the files: what they say of themselves is listed and does not hold
    #[arg(long)]
    pub untrusted: bool,
    /// How many files are judged at once; by default as many as there are processors
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZeroUsize>,
}

/// `caveat audit`.
#[derive(Debug, Args)]
pub struct Audit {
    /// What to look at
    #[command(flatten)]
    pub what: What,
    /// How to write the list
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The day that expiry dates are compared with, in UTC; by default today
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub today: Option<Date>,
    /// Write the list to a file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// `caveat rules`.
#[derive(Debug, Args)]
pub struct Rules {
    /// How to write the list
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// `caveat schema`.
#[derive(Debug, Args)]
pub struct Schema {
    /// Of what
    #[arg(value_enum)]
    pub of: SchemaOf,
}

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// What `check --format json` writes
    Report,
    /// What `audit --format json` writes
    Audit,
    /// What `caveat.toml` may say
    Config,
}

/// `caveat completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// The formats of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// One report (its schema: `caveat schema report`)
    Json,
    /// JSON Lines: one line a finding, then a summary
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

/// `--sarif-suppressions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SarifSuppressions {
    /// As results with `suppressions`
    Include,
    /// Not at all: for hosts that ignore `suppressions`
    Omit,
}

/// The formats of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// `--role`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RoleChoice {
    /// By path and configuration
    Auto,
    /// Files that instruct agents
    Instructions,
    /// Files that instruct operators
    Runbook,
    /// Files that both read, and that instruct nobody
    Reference,
}

/// `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors
    Error,
    /// Warnings and errors
    Warning,
    /// Anything reported
    Info,
    /// Nothing
    Never,
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl RoleChoice {
    /// The role, unless paths decide.
    pub(crate) fn role(self) -> Option<Role> {
        match self {
            RoleChoice::Auto => None,
            RoleChoice::Instructions => Some(Role::Instructions),
            RoleChoice::Runbook => Some(Role::Runbook),
            RoleChoice::Reference => Some(Role::Reference { declared: true }),
        }
    }
}

impl FailOn {
    /// Whether a finding of this severity fails the run.
    pub(crate) fn fails(self, severity: Severity) -> bool {
        match self {
            FailOn::Error => severity >= Severity::Error,
            FailOn::Warning => severity >= Severity::Warning,
            FailOn::Info => severity >= Severity::Info,
            FailOn::Never => false,
        }
    }
}

impl Color {
    pub(crate) fn choice(self) -> anstream::ColorChoice {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

fn jobs(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "it takes a whole number, 1 or more")
}

fn day(text: &str) -> Result<Date, &'static str> {
    caveat_analysis::facts::allow::day(text).ok_or("a date is written YYYY-MM-DD")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn days_have_one_spelling() {
        assert!(day("2026-02-28").is_ok());
        for text in ["2026-02-30", "20260228", "2026-2-28", "tomorrow", "2026-02-28T00:00"] {
            assert!(day(text).is_err(), "{text}");
        }
    }
}
