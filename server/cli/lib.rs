//! The command line: arguments and output formats.
//!
//! Nothing here judges: what is found comes from the analysis, what is read from the workspace. Here it is decided how
//! that is said, and which status tells it to a script.

mod arguments;
mod audit;
mod baseline;
mod check;
mod explain;
mod fault;
mod github;
mod init;
mod jsonl;
mod manual;
mod output;
mod place;
mod progress;
mod records;
mod report;
mod rules;
mod sarif;
mod schema;
mod text;

pub use arguments::{Arguments, Command};
pub use audit::audit;
pub use check::check;
pub use explain::explain;
pub use fault::keep_quiet_about_values;
pub use init::init;
pub use manual::{completions, man};
pub use rules::rules;
pub use schema::schema;

/// Today in UTC: the one place where the command line reads the clock for what it finds.
fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}
