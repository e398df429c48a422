//! From the text of a `caveat.toml` to a [`Config`], or to what is wrong with it.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use caveat_analysis::nearest::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{self, Key};
use super::{Config, ConfigError, MAX_ENTRIES, MAX_FILE_BYTES, Origin, Problem, own, policy, syntax};
use crate::globs;

/// The file's name.
pub const CONFIG_NAME: &str = "caveat.toml";

/// A configuration is written by people; one beyond this is a mistake or an attack on the reader.
const MAX_CONFIG_BYTES: u64 = 256 * 1024;
const MAX_LABEL_CHARS: usize = 200;

/// Reads the configuration at `file`.
///
/// # Errors
/// It cannot be read, or something in it is wrong: the first such thing.
pub fn load(file: &Path) -> Result<Config, ConfigError> {
    let fail = |problem: Problem| problem.at(0..0, "", file);
    let meta = file.metadata().map_err(|_| fail(Problem::Unreadable))?;
    // A pipe or a device would hold the reader up.
    if !meta.is_file() {
        return Err(fail(Problem::Unreadable));
    }
    if meta.len() > MAX_CONFIG_BYTES {
        return Err(fail(Problem::TooLarge(MAX_CONFIG_BYTES)));
    }
    let bytes = std::fs::read(file).map_err(|_| fail(Problem::Unreadable))?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => parse(text, file),
        Err(error) => {
            let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
            Err(Problem::NotUtf8.at(valid.len()..valid.len(), valid, file))
        }
    }
}

/// Reads `text`, the content of `file`.
///
/// # Errors
/// The first thing that is wrong: no TOML, an unknown key, a wrong type, a bad glob or label, too many entries.
pub fn parse(text: &str, file: &Path) -> Result<Config, ConfigError> {
    let fail = |(problem, range): (Problem, Range<usize>)| problem.at(range, text, file);
    // The spanned tree first: where it fails the text is no TOML, and where it does not, it says in which key an error lies.
    let tree = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        fail((syntax::problem(error.message(), text, &span), span))
    })?;
    let mut config = toml::from_str::<Config>(text).map_err(|error| fail(misfit(tree.get_ref(), &error)))?;
    validate(&config).map_err(fail)?;
    let read = policy::read(tree.get_ref(), text).map_err(fail)?;
    (config.policy, config.decisions, config.accepted) = (read.policy, read.decisions, read.suppressions);
    config.own = own::read(tree.get_ref(), &config.commands, &config.phrases).map_err(fail)?;
    config.source = Some(Arc::new(Origin { file: file.to_path_buf(), text: text.to_owned() }));
    Ok(config)
}

/// What the deserialiser did not like, in words of ours: the first unknown key of the tree, else a key that is missing,
/// else the value around the error.
fn misfit(tree: &DeTable<'_>, error: &toml::de::Error) -> (Problem, Range<usize>) {
    let span = error.span().unwrap_or(0..0);
    if let Some(found) = unknown_key(tree, "") {
        return found;
    }
    // Only structs of ours miss something, so the name in the message is one of theirs; what is kept of it is ours.
    let missing = error.message().strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    if let Some(name) = missing.and_then(|name| {
        keys::KEYS.iter().find_map(|key| key.path.rsplit('.').next().filter(|last| *last == name))
    }) {
        return (Problem::Missing(name), span);
    }
    match key_around(tree, "", &span) {
        Some((key, value)) => (Problem::WrongType { key: key.path, takes: key.takes }, value),
        None => (syntax::problem("", "", &span), span),
    }
}

fn joined(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}

fn unknown_key(table: &DeTable<'_>, path: &'static str) -> Option<(Problem, Range<usize>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter().find_map(|(name, value)| match keys::find(&joined(path, name.get_ref())) {
        None if !path.is_empty() && keys::top(name.get_ref()).is_some() => {
            keys::top(name.get_ref()).map(|key| (Problem::BelowTable(key), name.span()))
        }
        None => {
            let suggestion = nearest(name.get_ref(), keys::children(path));
            Some((Problem::UnknownKey { table: keys::called(path), suggestion }, name.span()))
        }
        Some(key) if keys::children(key.path).next().is_none() => None,
        Some(key) => tables(value.get_ref()).find_map(|table| unknown_key(table, key.path)),
    })
}

/// The table that `value` is, or the tables in the list that it is.
fn tables<'a, 'b>(value: &'a DeValue<'b>) -> impl Iterator<Item = &'a DeTable<'b>> {
    let (one, list) = match value {
        DeValue::Table(table) => (Some(table), None),
        DeValue::Array(list) => (None, Some(list)),
        _ => (None, None),
    };
    let listed = list.into_iter().flat_map(|list| list.iter()).filter_map(|value| match value.get_ref() {
        DeValue::Table(table) => Some(table),
        _ => None,
    });
    one.into_iter().chain(listed)
}

/// The innermost key of ours whose value holds `span`, and the value's place.
fn key_around(
    table: &DeTable<'_>,
    path: &'static str,
    span: &Range<usize>,
) -> Option<(&'static Key, Range<usize>)> {
    table.iter().find_map(|(name, value)| {
        let key = keys::find(&joined(path, name.get_ref()))?;
        if let Some(found) = tables(value.get_ref()).find_map(|table| key_around(table, key.path, span)) {
            return Some(found);
        }
        let place = value.span();
        (place.start <= span.start && span.end <= place.end).then_some((key, span.clone()))
    })
}

fn validate(config: &Config) -> Result<(), (Problem, Range<usize>)> {
    let lists = [
        ("roles.instructions", &config.roles.instructions),
        ("roles.runbook", &config.roles.runbook),
        ("roles.reference", &config.roles.reference),
        ("include", &config.include),
        ("exclude", &config.exclude),
        ("untrusted", &config.untrusted),
    ];
    for (key, list) in lists {
        within(key, list)?;
        for glob in list {
            globs::check(glob.get_ref()).map_err(|why| (Problem::BadGlob(key, why), glob.span()))?;
        }
    }
    within("labels", &config.labels)?;
    for label in &config.labels {
        let text = label.get_ref();
        let is_label = text.trim_end().ends_with(':') && text.trim().len() > 1;
        if !is_label || text.contains(['\n', '\r']) || text.chars().count() > MAX_LABEL_CHARS {
            return Err((Problem::BadLabel, label.span()));
        }
    }
    if let Some(limit) = &config.limits.max_file_bytes
        && !(1..=MAX_FILE_BYTES).contains(limit.get_ref())
        && let Some(key) = keys::find("limits.max-file-bytes")
    {
        return Err((Problem::WrongType { key: key.path, takes: key.takes }, limit.span()));
    }
    Ok(())
}

fn within(key: &'static str, list: &[Spanned<String>]) -> Result<(), (Problem, Range<usize>)> {
    match list.get(MAX_ENTRIES) {
        Some(first_over) => Err((Problem::TooMany(key, MAX_ENTRIES), first_over.span())),
        None => Ok(()),
    }
}
