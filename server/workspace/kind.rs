//! What a file is for, by its name: is it a text that somebody reads, and is it written by a machine.

use std::path::Path;

use caveat_analysis::Language;
use caveat_analysis::lines::{Fed, Lang, shebang};

/// The endings of common text files: seed 4's list (Markdown, JSON and JSON Lines, YAML, TOML, plain text, CSV and TSV,
/// XML, HTML, SVG) and what is written like them.
pub const TEXT_ENDINGS: &[&str] = &[
    "md", "markdown", "mdown", "mkd", "mdx", "mdc", "txt", "text", "json", "jsonc", "json5", "jsonl",
    "ndjson", "yaml", "yml", "toml", "csv", "tsv", "xml", "html", "htm", "xhtml", "svg", "rst", "adoc",
];

/// Files that a package manager writes and nobody reads. Those whose name ends in `.lock` count as well.
const LOCKFILES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "bun.lockb",
    "packages.lock.json",
    "go.sum",
    "gradle.lockfile",
    "project.assets.json",
    ".terraform.lock.hcl",
    "conda-lock.yml",
    "pdm.lock",
    "composer.lock",
    "deno.lock",
    "flake.lock",
];

/// Whether a folder scan reads a file of this name whatever its role.
#[must_use]
pub fn is_text(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| TEXT_ENDINGS.iter().any(|text| ending.eq_ignore_ascii_case(text)))
}

/// Whether a machine wrote the file for machines (lockfiles, minified files, source maps): only secrets and hidden
/// content are looked for there.
#[must_use]
pub fn is_generated(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    LOCKFILES.contains(&name.as_str())
        || name.ends_with(".lock")
        || name.ends_with(".map")
        || name.rsplit_once('.').is_some_and(|(stem, _)| stem.ends_with(".min"))
}

/// Whether the file is a package's plan of its build, by the name that the safety scan knows (seed 4): what it asks for
/// it asks of whoever builds.
#[must_use]
pub fn is_build_plan(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("05-build-plan.md"))
}

/// How a file of this name is read. A program is read as one, so that its comments are no headings and its commands no
/// paragraphs. What has no ending, and plain text, is read as Markdown: rules files of agents have names like
/// `.cursorrules` and are written so, and a text without any markup is paragraphs.
#[must_use]
pub fn language_of(path: &Path) -> Language {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let ending = ending.as_deref().unwrap_or_default();
    if let Some(lang) = program(path, ending) {
        return Language::Script(lang);
    }
    match ending {
        "json" | "jsonc" | "json5" | "code-workspace" | "webmanifest" | "ipynb" | "hook" => Language::Json,
        "jsonl" | "ndjson" => Language::JsonLines,
        "yaml" | "yml" => Language::Yaml,
        "toml" => Language::Toml,
        "xml" | "html" | "htm" | "xhtml" | "svg" => Language::Markup,
        // Org mode has marks of its own, and nothing of Markdown may be seen in it: its lines are text or commands.
        "org" => Language::Script(Lang::Unknown),
        "csv" | "tsv" => Language::Text,
        _ => Language::Markdown,
    }
}

/// How the file at `path` is read, of which `text` is the content: where the name does not say it and the first line does,
/// `#!/bin/sh`, it is a program.
#[must_use]
pub fn language_of_text(path: &Path, text: &str) -> Language {
    match is_nameless(path) {
        true => language_of_line(text.lines().next().unwrap_or_default()),
        false => language_of(path),
    }
}

/// Whether only the first line of the file at `path` may say that it is a program.
#[must_use]
pub fn is_nameless(path: &Path) -> bool {
    path.extension().is_none() && language_of(path) == Language::Markdown
}

/// How such a file is read whose first line is `line`.
#[must_use]
pub fn language_of_line(line: &str) -> Language {
    match shebang(line) {
        Some(Fed::Shell) => Language::Script(Lang::Shell),
        Some(Fed::Program(lang)) => Language::Script(lang),
        _ => Language::Markdown,
    }
}

/// The language of a program, by the name of its file or the `ending` of that.
fn program(path: &Path, ending: &str) -> Option<Lang> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name).map(std::ffi::OsStr::to_string_lossy);
    match (name.as_str(), name.split(['.', '-']).next().unwrap_or_default()) {
        ("makefile" | "gnumakefile" | "justfile" | ".justfile", _) => return Some(Lang::Makefile),
        (_, "dockerfile" | "containerfile") if !is_text(path) => return Some(Lang::Dockerfile),
        ("rakefile" | "gemfile" | "vagrantfile" | "brewfile" | "jenkinsfile", _) => return Some(Lang::Other),
        (
            ".envrc" | ".bashrc" | ".bash_profile" | ".bash_aliases" | ".zshrc" | ".zprofile" | ".zshenv"
            | ".profile",
            _,
        ) => return Some(Lang::Shell),
        _ => {}
    }
    // Hooks of git have no endings (githooks(5)).
    if ending.is_empty()
        && folder.is_some_and(|folder| matches!(&*folder, ".husky" | ".githooks" | "git-hooks"))
    {
        return Some(Lang::Shell);
    }
    Some(match ending {
        "sh" | "bash" | "zsh" | "ksh" | "dash" | "ash" | "fish" | "bats" | "command" => Lang::Shell,
        "ps1" | "psm1" | "psd1" => Lang::PowerShell,
        "bat" | "cmd" => Lang::Cmd,
        "mk" | "mak" | "just" => Lang::Makefile,
        "dockerfile" | "containerfile" => Lang::Dockerfile,
        "sql" => Lang::Sql,
        "py" | "pyw" | "pyi" => Lang::Python,
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => Lang::JavaScript,
        "rb" | "pl" | "pm" | "php" | "lua" | "go" | "rs" | "java" | "kt" | "kts" | "swift" | "c" | "h"
        | "cc" | "cpp" | "hpp" | "cs" | "scala" | "groovy" | "gradle" | "ex" | "exs" | "r" | "jl"
        | "dart" | "tcl" | "nix" | "tf" | "hcl" | "awk" | "applescript" | "scpt" | "vbs" | "el" | "lisp"
        | "clj" => Lang::Other,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The endings that seed 4's scan reads, and in which it is told what it was not able to read.
    #[test]
    fn every_ending_of_the_safety_scan_is_text() {
        const SCANNED: [&str; 15] = [
            "csv", "htm", "html", "json", "jsonl", "markdown", "md", "ndjson", "svg", "toml", "tsv", "txt",
            "xml", "yaml", "yml",
        ];
        for ending in SCANNED {
            assert!(is_text(Path::new(&format!("a/b.{ending}"))), "{ending}");
            assert!(is_text(Path::new(&format!("B.{}", ending.to_uppercase()))), "{ending}");
        }
        assert!(
            is_build_plan(Path::new("game/05-Build-Plan.md"))
                && !is_build_plan(Path::new("05-build-plan.md/x.md"))
        );
    }

    #[test]
    fn names_tell_how_a_file_is_read() {
        let cases = [
            ("AGENTS.md", Language::Markdown),
            (".cursorrules", Language::Markdown),
            ("notes.txt", Language::Markdown),
            ("Makefile", Language::Script(Lang::Makefile)),
            ("build/rules.mk", Language::Script(Lang::Makefile)),
            ("justfile", Language::Script(Lang::Makefile)),
            ("Dockerfile", Language::Script(Lang::Dockerfile)),
            ("Dockerfile.dev", Language::Script(Lang::Dockerfile)),
            ("dockerfile-notes.md", Language::Markdown),
            ("x.SH", Language::Script(Lang::Shell)),
            (".envrc", Language::Script(Lang::Shell)),
            (".husky/pre-commit", Language::Script(Lang::Shell)),
            (".husky/notes.md", Language::Markdown),
            ("x.ps1", Language::Script(Lang::PowerShell)),
            ("x.bat", Language::Script(Lang::Cmd)),
            ("x.py", Language::Script(Lang::Python)),
            ("x.mjs", Language::Script(Lang::JavaScript)),
            ("x.rb", Language::Script(Lang::Other)),
            ("schema.sql", Language::Script(Lang::Sql)),
            (".claude/settings.json", Language::Json),
            (".mcp.json", Language::Json),
            ("a/Settings.JSONC", Language::Json),
            ("log.jsonl", Language::JsonLines),
            (".github/workflows/ci.yml", Language::Yaml),
            ("pyproject.toml", Language::Toml),
            ("page.html", Language::Markup),
            ("rows.csv", Language::Text),
            ("db.org", Language::Script(Lang::Unknown)),
            ("docs.kiro.hook", Language::Json),
            ("db.ipynb", Language::Json),
        ];
        for (name, language) in cases {
            assert_eq!(language_of(Path::new(name)), language, "{name}");
        }
    }

    #[test]
    fn a_first_line_tells_what_a_name_does_not() {
        for (name, text, language) in [
            ("bin/clean", "#!/bin/sh\nls", Language::Script(Lang::Shell)),
            ("bin/clean", "#!/usr/bin/env -S python3 -u\nx", Language::Script(Lang::Python)),
            ("bin/clean", "ls", Language::Markdown),
            (".cursorrules", "#! not a program", Language::Markdown),
            ("clean.md", "#!/bin/sh\nls", Language::Markdown),
            ("clean.yaml", "#!/bin/sh\nls", Language::Yaml),
        ] {
            assert_eq!(language_of_text(Path::new(name), text), language, "{name} {text}");
        }
    }

    #[test]
    fn names_tell_what_a_file_is_for() {
        let cases = [
            ("README.md", true, false),
            ("a/b.MDC", true, false),
            ("data.jsonl", true, false),
            ("main.rs", false, false),
            (".cursorrules", false, false),
            ("Makefile", false, false),
            ("web/package-lock.json", true, true),
            ("Cargo.lock", false, true),
            ("app.min.js", false, true),
            ("icons.min.svg", true, true),
            ("bundle.js.map", false, true),
            ("admin.md", true, false),
            ("min.md", true, false),
        ];
        for (name, text, generated) in cases {
            let path = Path::new(name);
            assert_eq!((is_text(path), is_generated(path)), (text, generated), "{name}");
        }
    }
}
