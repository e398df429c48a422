//! The JSON Schema of `caveat.toml`, made from the types that read it, and the commented file that `caveat init` writes.
//!
//! What is read from the tree and not by a type (the rules' settings, the suppressions) has its form described here; a
//! test holds the keys of all of it equal to those that the reader knows.

#![allow(dead_code, reason = "the types of this module are descriptions: nothing is ever read into them")]

use std::borrow::Cow;

use caveat_analysis::catalogue::Catalogue;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::Config;

/// The schema.
#[must_use]
pub fn schema() -> Schema {
    schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Config>()
}

/// A `caveat.toml` in which every setting is explained and commented out.
#[must_use]
pub fn template() -> &'static str {
    include_str!("template.toml")
}

/// `stance`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum StanceWord {
    /// What is shown is information.
    On,
    /// What is shown counts as given.
    Off,
}

/// `[rules]`.
pub(super) struct Rules;

impl JsonSchema for Rules {
    fn schema_name() -> Cow<'static, str> {
        "Rules".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Catalogue::get().rules().map(|(id, _)| id.name()).collect();
        let setting = generator.subschema_for::<Setting>();
        json_schema!({
            "type": "object",
            "propertyNames": {"enum": names},
            "additionalProperties": setting,
        })
    }
}

/// What is decided about a rule: a severity, or a severity and the reason for it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Setting {
    /// A severity; `off` takes a reason.
    Severity(SeverityWord),
    /// A severity and its reason.
    Reasoned(Reasoned),
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SeverityWord {
    Error,
    Warning,
    Info,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SeverityOrOff {
    Error,
    Warning,
    Info,
    Off,
}

/// A severity and its reason.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reasoned {
    /// The severity, or `off`.
    severity: SeverityOrOff,
    /// Why: 1 to 500 characters.
    #[schemars(length(min = 1, max = 500))]
    reason: Option<String>,
}

/// An accepted finding.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SuppressionEntry {
    /// The rule's id.
    rule: RuleName,
    /// Why: 1 to 500 characters.
    #[schemars(length(min = 1, max = 500))]
    reason: String,
    /// The last day on which it holds, in UTC.
    #[schemars(extend("format" = "date"))]
    expires: String,
    /// The files that it is about; without it, all.
    #[serde(default)]
    paths: Vec<String>,
    /// The value of a JSON, YAML or TOML record that it is about, with all inside it, as `check --format json` gives it.
    #[schemars(regex(pattern = "^/"))]
    pointer: Option<String>,
    /// The one finding that it is about, as `check --format json` gives it.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    fingerprint: Option<String>,
}

struct RuleName;

impl<'de> Deserialize<'de> for RuleName {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<RuleName, D::Error> {
        serde::de::IgnoredAny::deserialize(from).map(|_| RuleName)
    }
}

impl JsonSchema for RuleName {
    fn schema_name() -> Cow<'static, str> {
        "RuleName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Catalogue::get().rules().map(|(id, _)| id.name()).collect();
        json_schema!({"enum": names})
    }
}
