//! `caveat schema`: what programs that read our output can rely on.

use std::process::ExitCode;

use schemars::generate::SchemaSettings;

use crate::arguments::{Color, Schema, SchemaOf};
use crate::output;
use crate::report::Report;

/// Prints the schema.
#[must_use]
pub fn schema(options: &Schema) -> ExitCode {
    let schema = match options.of {
        SchemaOf::Report => {
            // For what is written, not read: there every field is present, and an absent value is null.
            let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
            generator.into_root_schema_for::<Report>()
        }
        SchemaOf::Config => caveat_workspace::config::schema(),
    };
    let printed = output::write(None, Color::Never, |out| {
        serde_json::to_writer_pretty(&mut *out, &schema)?;
        writeln!(out)
    });
    printed.map_or_else(|failure| failure.told(), |()| ExitCode::SUCCESS)
}
