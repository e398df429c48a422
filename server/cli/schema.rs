//! `caveat schema`: what programs that read our output can rely on.

use std::process::ExitCode;

use caveat_workspace::audit::Audit;
use schemars::generate::SchemaSettings;

use crate::arguments::{Color, Schema, SchemaOf};
use crate::output;
use crate::report::Report;

/// Prints the schema.
#[must_use]
pub fn schema(options: &Schema) -> ExitCode {
    // For what is written, not read: there every field is present, and an absent value is null.
    let written = || SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = match options.of {
        SchemaOf::Report => written().into_root_schema_for::<Report>(),
        SchemaOf::Audit => written().into_root_schema_for::<Audit>(),
        SchemaOf::Config => caveat_workspace::config::schema(),
    };
    let printed = output::write(None, Color::Never, |out| {
        serde_json::to_writer_pretty(&mut *out, &schema)?;
        writeln!(out)
    });
    printed.map_or_else(|failure| failure.told(), |()| ExitCode::SUCCESS)
}
