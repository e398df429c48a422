//! JSON Schema, as far as our schema and SARIF's use it; a keyword that is not understood is refused, never passed over.

use std::process::Command;

use regex::Regex;
use serde_json::Value;

/// Panics unless `value` is what `schema` says.
#[track_caller]
pub(crate) fn validate(value: &Value, schema: &Value) {
    if let Err(fault) = fits(value, schema, schema, "") {
        panic!("{fault}");
    }
}

/// The official schema of SARIF 2.1.0, from the package that carries it.
pub(crate) fn of_sarif() -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo knows the packages");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("a dependency");
    let manifest = std::path::Path::new(package["manifest_path"].as_str().expect("a path"));
    let schema = manifest.with_file_name("src").join("schema.json");
    serde_json::from_str(&std::fs::read_to_string(schema).expect("the schema can be read")).expect("JSON")
}

/// Whether `value` is what `schema` says, else what is wrong at which place.
pub(crate) fn fits(value: &Value, schema: &Value, root: &Value, at: &str) -> Result<(), String> {
    if let Some(Value::String(target)) = schema.get("$ref") {
        let target = root.pointer(target.trim_start_matches('#')).expect("a definition");
        return fits(value, target, root, at);
    }
    let Value::Object(keywords) = schema else { panic!("{at}: {schema} is no schema") };
    let ensure = |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{at}: {value}: {what}")) };
    for (keyword, rule) in keywords {
        let list = || rule.as_array().expect("a list");
        let fitting = || list().iter().filter(|one| fits(value, one, root, at).is_ok()).count();
        match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "format" | "$defs" | "definitions" | "default" => {}
            "type" => {
                let types = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                ensure(
                    types.iter().any(|one| is(value, one.as_str().expect("a type"))),
                    &format!("no {rule}"),
                )?;
            }
            "enum" => ensure(list().contains(value), &format!("not one of {rule}"))?,
            "const" => ensure(value == rule, &format!("not {rule}"))?,
            "anyOf" => ensure(fitting() > 0, "fits none")?,
            "oneOf" => ensure(fitting() == 1, "fits not one")?,
            "minimum" => ensure(value.is_null() || value.as_i64() >= rule.as_i64(), "too small")?,
            "maximum" => ensure(value.is_null() || value.as_i64() <= rule.as_i64(), "too large")?,
            "minItems" => {
                ensure(value.as_array().is_none_or(|v| v.len() as u64 >= rule.as_u64().unwrap()), "too few")?
            }
            "uniqueItems" => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let twice = |(at, one): (usize, &Value)| items[..at].contains(one);
                ensure(rule == false || !items.iter().enumerate().any(twice), "the same twice")?;
            }
            "pattern" => {
                let pattern = Regex::new(rule.as_str().expect("a pattern")).expect("a regular expression");
                ensure(value.as_str().is_none_or(|text| pattern.is_match(text)), &format!("not {rule}"))?;
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    fits(item, rule, root, &format!("{at}/{index}"))?;
                }
            }
            "required" => {
                for key in list() {
                    let present = value.get(key.as_str().expect("a key")).is_some();
                    ensure(present || !value.is_object(), &format!("no {key}"))?;
                }
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    let at = format!("{at}/{key}");
                    match (rule.get(key), schema.get("additionalProperties")) {
                        (Some(property), _) => fits(inner, property, root, &at)?,
                        (None, Some(Value::Bool(true))) => {}
                        (None, Some(other @ Value::Object(_))) => fits(inner, other, root, &at)?,
                        (None, _) => return Err(format!("{at} is not in the schema")),
                    }
                }
            }
            "additionalProperties" if keywords.contains_key("properties") => {}
            "additionalProperties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    match rule {
                        Value::Bool(any) => ensure(*any, &format!("{key} is not in the schema"))?,
                        other => fits(inner, other, root, &format!("{at}/{key}"))?,
                    }
                }
            }
            _ => panic!("{at}: the keyword {keyword} is not understood"),
        }
    }
    Ok(())
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        _ => panic!("the type {kind} is not understood"),
    }
}
