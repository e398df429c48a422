//! The entries of a rule, as they stand in its file: plain data, unknown keys refused.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::Regex;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{Roles, Severity};

/// Where an example stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A shell fence.
    #[default]
    Shell,
    /// A console fence, with prompts.
    Console,
    /// A PowerShell fence.
    Powershell,
    /// A fence of the Windows command prompt.
    Cmd,
    /// A SQL fence.
    Sql,
    /// A paragraph.
    Prose,
    /// A list item.
    Item,
    /// A table row.
    Row,
}

/// An example, and what it is to give: in a file a string, or a table with `text`, `in`, `severity`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// The severity that it is to have, where the example says so.
    pub severity: Option<Severity>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExampleTable {
    /// The text.
    text: String,
    /// Where it stands.
    #[serde(default, rename = "in")]
    place: Place,
    /// The severity that it is to have.
    #[serde(default)]
    severity: Option<Severity>,
}

impl<'de> Deserialize<'de> for Example {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Example, D::Error> {
        from.deserialize_any(ExampleVisitor)
    }
}

impl JsonSchema for Example {
    fn schema_name() -> Cow<'static, str> {
        "Example".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<ExampleTable>();
        json_schema!({"anyOf": [{"type": "string"}, table]})
    }
}

/// Reads either form directly: the derived way keeps a copy of every value first, and examples are most of a file.
struct ExampleVisitor;

impl<'de> Visitor<'de> for ExampleVisitor {
    type Value = Example;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string or a table")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Example, E> {
        Ok(Example { text: text.to_owned(), place: Place::Shell, severity: None })
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Example, M::Error> {
        let ExampleTable { text, place, severity } =
            ExampleTable::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Example { text, place, severity })
    }
}

/// How a program writes its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// `-rf`, `-r -f`, `--force`, `--name=value`, `--name value`; `--` ends them.
    #[default]
    Gnu,
    /// One dash or two, the name in full: `-auto-approve`, `--auto-approve=true`.
    Go,
    /// `-Recurse`, `-rec`, `-Confirm:$false`; case does not matter, a prefix will do.
    Powershell,
    /// `/s`, `/S/Q`; case does not matter.
    Slash,
    /// Every word counts as it stands, `--` included: `find`'s `-delete`.
    Words,
}

/// The shells that an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DialectName {
    /// POSIX shells and their kin.
    Posix,
    /// PowerShell.
    Powershell,
    /// The Windows command prompt.
    Cmd,
    /// SQL: a statement is a command called `sql`.
    Sql,
}

/// A pair of options of which the later wins.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LastWins {
    /// Defuses if it stands after the last of `arms`, or without any.
    pub defuses: Vec<String>,
    /// Undoes an earlier one of `defuses`.
    pub arms: Vec<String>,
}

/// What is asked of the operands. A test is a kind, `@device`, or a form with `*` for any run of characters, `of=/dev/*`.
///
/// Kinds: `@device` a disk or partition; `@system` a system file or directory; `@root` a file-system root, a home, or a
/// glob over one; `@vital` a file without which the machine does not start, or lets anybody in; `@unset` a path that begins with a variable that may be empty; `@guarded` one with `${VAR:?}`;
/// `@wide` all that is in a directory that is no conventional build or cache; `@disposable` a relative path whose last part is a conventional build or cache name; `@url`; `@placeholder`; `@any`; `@host` what a container mounts, if it is the machine's root directory, a home or its settings.
#[derive(Clone, Debug, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OperandTests {
    /// The first operand passes one of these.
    pub first: Vec<String>,
    /// The last operand passes one of these.
    pub last: Vec<String>,
    /// Some operand passes one of these.
    pub some: Vec<String>,
    /// There are operands, and each passes one of these.
    pub all: Vec<String>,
    /// No operand passes one of these.
    pub none: Vec<String>,
    /// At least so many operands.
    pub at_least: usize,
    /// At most so many operands.
    pub at_most: Option<usize>,
    /// Whether case does not matter in forms.
    pub any_case: bool,
}

/// What is asked of the redirections.
#[derive(Clone, Debug, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RedirectTests {
    /// Some output redirection's target passes one of these tests.
    pub to: Vec<String>,
    /// Only redirections that replace what was there count, not those that append.
    pub overwrites: bool,
}

/// What is asked of where the command's output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pipe {
    /// Into an interpreter that runs it: by pipe (through `tee`, `env`, `sudo`), `<(…)`, `$(…)`, `source`, `eval`.
    Interpreter,
    /// Into a file that a later command runs.
    File,
    /// Into a variable whose text a later command runs.
    Variable,
    /// Into a program that sends it over the network: by pipe, or by `$(…)` or `<(…)` among its words.
    Upload,
    /// Into a program that deletes the files that it is told: `xargs rm`, `Remove-Item` down PowerShell's pipe.
    Removal,
}

/// A test that takes a function of its own. Rare: each is documented where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Special {
    /// A function that calls itself twice, one into the other.
    ForkBomb,
    /// A SQL statement that spares nothing: no `where`, or one that is always true.
    SqlUnbounded,
    /// An interpreter whose program comes out of a file that is redirected into it.
    FedAFile,
}

/// A word of a command, and what the rule's remedy has in its place.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Swap {
    /// A whole word; an option of one letter is also looked for among several behind one dash.
    pub from: String,
    /// What stands there instead; nothing, and the word is left out.
    #[serde(default)]
    pub to: String,
}

/// A severity under a condition: the first that holds wins.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// The severity.
    pub severity: Severity,
    /// One of these options is present.
    #[serde(default)]
    pub flags: Vec<String>,
    /// The operands pass.
    #[serde(default)]
    pub operands: OperandTests,
    /// One of these words is among the command's.
    #[serde(default)]
    pub words: Vec<String>,
}

/// A command that a rule finds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandEntry {
    /// The pattern id, unique in the rule.
    pub id: String,
    /// The form in words: what `explain` shows. Of a project's own entries it is never shown.
    #[serde(default)]
    pub about: String,
    /// Program names in lower case, without path and `.exe`. A trailing `*` takes a family (`mkfs.*`); `*` alone any program.
    #[serde(default)]
    pub programs: Vec<String>,
    /// Gate literals, for an entry whose programs are no good ones: any program, or a common word.
    #[serde(default)]
    pub literals: Vec<String>,
    /// Of these one must stand behind the program or literal, or the gate stays shut; the last of `sub` if not named.
    #[serde(default)]
    pub near: Vec<String>,
    /// The shells that it is about; none named, all.
    #[serde(default)]
    pub dialects: Vec<DialectName>,
    /// One of these wrappers stands before the program.
    #[serde(default)]
    pub wrapped_by: Vec<String>,
    /// One of these programs runs it for each file that it finds (`find -exec`).
    #[serde(default)]
    pub inside: Vec<String>,
    /// Some word of the command, the program's own included, has one of these forms; case does not matter.
    #[serde(default)]
    pub words: Vec<String>,
    /// Says nothing where another rule speaks of the same command.
    #[serde(default)]
    pub yields: bool,
    /// It is also about the program where that runs another one (`docker run … sh`): then the words before the other
    /// one's count.
    #[serde(default)]
    pub outer: bool,
    /// How the program writes its options.
    #[serde(default)]
    pub style: Style,
    /// Whether a unique beginning of a long option will do (`--rec`), as GNU and git have it.
    #[serde(default)]
    pub abbreviated: bool,
    /// Subcommand words in order, `|` between alternatives.
    #[serde(default)]
    pub sub: Vec<String>,
    /// Whether words may stand between those of `sub` (`aws` services, `gcloud` groups).
    #[serde(default)]
    pub gaps: bool,
    /// Options that take a value in the next word.
    #[serde(default)]
    pub values: Vec<String>,
    /// Of each list one option is present.
    #[serde(default)]
    pub flags: Vec<Vec<String>>,
    /// Without `flags` the tool asks: then a `yes |` in front of it is as good as they are.
    #[serde(default)]
    pub asks: bool,
    /// None of these options is present.
    #[serde(default)]
    pub without: Vec<String>,
    /// One of these options makes the command harmless (`--dry-run`). `--help` always does.
    #[serde(default)]
    pub defused_by: Vec<String>,
    /// Options of which the later wins.
    #[serde(default)]
    pub last_wins: Vec<LastWins>,
    /// What is asked of the operands.
    #[serde(default)]
    pub operands: OperandTests,
    /// What is asked of the redirections.
    #[serde(default)]
    pub redirects: RedirectTests,
    /// What is asked of where the output goes.
    #[serde(default)]
    pub pipe: Option<Pipe>,
    /// A test that takes a function of its own.
    #[serde(default)]
    pub when: Option<Special>,
    /// How the remedy is written where that is a change of words: the first that makes the command harmless is offered.
    #[serde(default)]
    pub safer: Vec<Swap>,
    /// The severity, where it is not the rule's.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// The severity by what is lost.
    #[serde(default)]
    pub severity_when: Vec<Grade>,
    /// Examples that must hit.
    pub hits: Vec<Example>,
    /// Honest neighbours that must not.
    pub honest: Vec<Example>,
}

/// A check of a pattern's value beyond its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The last six characters are the CRC-32 of the rest in base 62. A value that passes is never a placeholder.
    Crc32Base62,
    /// The value is a password and what stands before and behind it names a user and a host: it counts unless it is one
    /// of the words that everybody writes there, or opens nothing but the machine at hand.
    Password,
    /// A JSON web token: header and payload are JSON objects in base 64, and the payload is not that of a tutorial.
    WebToken,
    /// The match marks a boundary of a prompt. One that the running text around it only names weighs a warning.
    Marker,
    /// The match opens its line as a speaker's label, and another speaker's label opens a later line of the same text.
    SecondTurn,
}

/// A raw pattern that a rule finds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternEntry {
    /// The pattern id, unique in the rule.
    pub id: String,
    /// The form in words: what `explain` shows.
    pub about: String,
    /// Literals of which one begins every match: without white space, at least two bytes, in any ASCII case.
    pub literals: Vec<String>,
    /// The pattern, anchored where the literal begins. The group `value`, else group 1, else all of it is what is
    /// reported.
    regex: String,
    /// A check of the value beyond its form.
    #[serde(default)]
    pub check: Option<Check>,
    /// In which roles the entry looks, where that is not the rule's.
    #[serde(default)]
    pub roles: Option<Roles>,
    /// Whether the match may follow a letter, digit or underscore.
    #[serde(default)]
    pub inside_word: bool,
    /// Says nothing where another rule speaks of the same words.
    #[serde(default)]
    pub yields: bool,
    /// The severity, where it is not the rule's.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// Examples that must hit. `{letters:N}`, `{digits:N}`, `{hex:N}`, `{base32:N}`, `{base64:N}` stand for a run that the test draws, `{checked:N}` for letters
    /// of which the last six are the checksum of the others.
    pub hits: Vec<Example>,
    /// Honest neighbours that must not.
    pub honest: Vec<Example>,
    #[serde(skip)]
    compiled: OnceLock<Option<Regex>>,
}

impl Clone for PatternEntry {
    fn clone(&self) -> PatternEntry {
        PatternEntry {
            id: self.id.clone(),
            about: self.about.clone(),
            literals: self.literals.clone(),
            regex: self.regex.clone(),
            check: self.check,
            roles: self.roles,
            inside_word: self.inside_word,
            yields: self.yields,
            severity: self.severity,
            hits: self.hits.clone(),
            honest: self.honest.clone(),
            compiled: OnceLock::new(),
        }
    }
}

impl PatternEntry {
    /// The pattern, compiled on first use; `None` if it is not a regular expression, which a test rules out for ours.
    #[must_use]
    pub fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(&format!(r"\A(?:{})", self.regex)).ok()).as_ref()
    }
}
