//! The language of a fence, from its info string.

/// What a fence's lines are written in, as far as it matters for reading commands in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// No tag, `text`, or a tag that is not known: commands are looked for in it as in a shell fence.
    #[default]
    Unknown,
    /// A POSIX-like shell: `sh`, `bash`, `zsh`, `fish`, ...
    Shell,
    /// A terminal session: prompts before commands, output between them.
    Console,
    /// PowerShell.
    PowerShell,
    /// The Windows command prompt.
    Cmd,
    /// SQL.
    Sql,
    /// A Dockerfile.
    Dockerfile,
    /// A Makefile or a justfile: recipes of shell commands below their targets. Of a file, by its name; a fence that is
    /// called so may hold anything, and is read as one without a tag.
    Makefile,
    /// YAML: commands live under `run:`, `script:`, `command:`.
    Yaml,
    /// JSON, with or without comments.
    Json,
    /// TOML.
    Toml,
    /// Python: commands live in strings given to `os.system`, `subprocess`.
    Python,
    /// JavaScript or TypeScript: commands live in strings given to `child_process`.
    JavaScript,
    /// Markdown inside Markdown.
    Markdown,
    /// A known language in which a line is no command: Rust, Go, Java, HTML, CSS, diffs, ...
    Other,
}

impl Lang {
    /// The language that an info string names (CommonMark 4.5): its first word, without braces, dots or attributes;
    /// case does not matter.
    #[must_use]
    pub fn of_info(info: &str) -> Lang {
        let word = info.trim().trim_start_matches(['{', '.']);
        let word = word.split(|c: char| c.is_whitespace() || matches!(c, ',' | '}' | '{' | ':' | '=')).next();
        match word.unwrap_or_default().to_ascii_lowercase().as_str() {
            "sh" | "bash" | "zsh" | "ksh" | "dash" | "ash" | "fish" | "shell" | "shellscript"
            | "shell-script" => Lang::Shell,
            "console" | "shell-session" | "shellsession" | "sh-session" | "bash-session" | "terminal"
            | "session" => Lang::Console,
            "powershell" | "pwsh" | "ps1" | "posh" | "ps" => Lang::PowerShell,
            "cmd" | "bat" | "batch" | "dos" | "dosbatch" => Lang::Cmd,
            "sql" | "psql" | "postgres" | "postgresql" | "mysql" | "plsql" | "sqlite" | "tsql" => Lang::Sql,
            "dockerfile" | "docker" | "containerfile" => Lang::Dockerfile,
            "yaml" | "yml" => Lang::Yaml,
            "json" | "jsonc" | "json5" | "jsonl" | "ndjson" => Lang::Json,
            "toml" => Lang::Toml,
            "python" | "py" | "python3" => Lang::Python,
            "js" | "javascript" | "ts" | "typescript" | "jsx" | "tsx" | "mjs" | "cjs" | "node" => {
                Lang::JavaScript
            }
            "md" | "markdown" | "mdx" => Lang::Markdown,
            "rust" | "rs" | "go" | "golang" | "java" | "kotlin" | "swift" | "c" | "cpp" | "c++"
            | "csharp" | "cs" | "ruby" | "rb" | "php" | "perl" | "lua" | "html" | "xml" | "css" | "scss"
            | "diff" | "patch" | "hcl" | "terraform" | "tf" | "graphql" | "proto" | "protobuf"
            | "mermaid" | "dot" | "ini" | "csv" | "scala" | "elixir" | "haskell" | "latex" | "tex" | "r"
            | "svg" | "vue" | "svelte" | "nix" | "promql" | "logql" => Lang::Other,
            _ => Lang::Unknown,
        }
    }

    /// Whether a state is kept between two lines: a command that goes on as in a shell (by a backslash, an open quote, a
    /// here-document), or a record that is read as a whole.
    #[must_use]
    pub fn continues(self) -> bool {
        matches!(
            self,
            Lang::Unknown
                | Lang::Shell
                | Lang::Console
                | Lang::PowerShell
                | Lang::Cmd
                | Lang::Dockerfile
                | Lang::Makefile
                | Lang::Sql
                | Lang::Json
                | Lang::Yaml
                | Lang::Toml
        )
    }
}
