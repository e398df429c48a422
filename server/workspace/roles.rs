//! Who is addressed in a file, by its path.

use std::path::Path;
use std::sync::LazyLock;

use caveat_analysis::Language;
use caveat_analysis::verdict::Role;

use crate::config::RoleGlobs;
use crate::globs::{self, Globs};
use crate::kind;

/// Files that tools read as instructions to an agent. Each may stand at any depth; ASCII case does not matter, for on
/// half of all file systems it does not either.
const INSTRUCTIONS: &[&str] = &[
    // Read by several tools.
    "AGENTS.md",
    "AGENTS.override.md",
    "AGENTS.local.md",
    "AGENT.md",
    "SKILL.md",
    "**/.agents/**/*.{md,mdc}",
    "**/.agent/**/*.{md,mdc}",
    "MEMORY.md",
    // What a skill brings beside its SKILL.md: texts that are read into the agent, and programs that it runs.
    "**/skills/**/references/**/*.{md,mdc,mdx,markdown,txt,json,jsonc,jsonl,yaml,yml,toml,html,csv,rst,adoc,org}",
    "**/skills/**/scripts/**/*.{sh,bash,zsh,fish,ps1,psm1,bat,cmd,py,js,mjs,cjs,ts,rb,pl,php,lua}",
    // Aider, Jules, Replit.
    "CONVENTIONS.md",
    "JULES.md",
    "replit.md",
    // Claude Code.
    "CLAUDE.md",
    "CLAUDE.local.md",
    "**/.claude/{agents,commands,skills,rules,output-styles,prompts,hooks}/**/*.{md,mdc}",
    "**/.claude/*.md",
    "**/.claude/hooks/**/*.{sh,bash,zsh,ps1,bat,cmd,py,js,mjs,cjs,ts}",
    // Gemini, Qwen, Codex, OpenCode, Crush, Warp, Goose, Factory, Devin.
    "GEMINI.md",
    "QWEN.md",
    "CODEX.md",
    "CRUSH.md",
    "WARP.md",
    "**/.gemini/**/*.md",
    "**/.qwen/**/*.md",
    "**/.codex/**/*.md",
    "**/.opencode/**/*.md",
    "**/.factory/**/*.md",
    ".goosehints",
    // Cursor.
    ".cursorrules",
    "**/.cursor/{rules,commands,agents,skills}/**/*.{md,mdc}",
    "**/.cursor/environment.json",
    "BUGBOT.md",
    // Cline, Windsurf, Roo, Kilo, Trae, Augment: a file of that name, or a folder.
    ".clinerules",
    "**/.clinerules-*",
    ".windsurfrules",
    "**/.windsurf/{rules,workflows,skills}/**/*.{md,mdc}",
    "**/.roo/**/*.{md,mdc,txt}",
    ".roorules",
    "**/.roorules-*",
    "**/.kilocode/**/*.{md,mdc,txt}",
    ".kilocoderules",
    "**/.trae/**/*.{md,mdc}",
    "**/.augment/**/*.{md,mdc}",
    ".augment-guidelines",
    // JetBrains Junie, Kiro, Amazon Q, Continue, Zed, OpenHands, Firebase Studio, Tabnine, Zencoder.
    "**/.junie/**/*.{md,mdc}",
    "**/.kiro/**/*.{md,mdc}",
    "**/.kiro/hooks/**",
    "**/.kiro/steering/**/*.{txt,json,yaml,yml}",
    "**/.amazonq/**/*.{md,mdc}",
    "**/.continue/{rules,prompts,agents}/**/*.{md,mdc,prompt}",
    ".continuerules",
    ".rules",
    "**/.openhands/**/*.md",
    "**/.openhands/*.sh",
    "**/.openhands/microagents/**/*.{txt,yaml,yml}",
    ".openhands_instructions",
    "**/.idx/airules.md",
    "**/.tabnine/guidelines/**/*.md",
    "**/.zencoder/rules/**/*.{md,mdc}",
    "**/.ruler/**/*.md",
    // GitHub Copilot.
    "**/.github/copilot-instructions.md",
    "copilot-instructions.md",
    "**/.github/{instructions,prompts,chatmodes,agents,skills}/**/*.md",
    "*.instructions.md",
    "*.prompt.md",
    "*.chatmode.md",
    "*.agent.md",
    "**/.github/workflows/copilot-setup-steps.{yml,yaml}",
    // What an agent runs by itself: hooks, permissions, the servers that give it tools.
    "**/.claude/{settings,settings.local}.json",
    "**/{hooks,.cursor,.codex}/hooks.json",
    "**/{.gemini,.qwen}/settings.json",
    "**/.codex/config.toml",
    "**/.vscode/{tasks,settings}.json",
    "**/.zed/**/*.{json,jsonc,md}",
    "**/.devcontainer/**/*.json",
    ".devcontainer.json",
    "**/{.gemini,.qwen}/commands/**/*.toml",
    "**/.claude-plugin/*.json",
    "**/{.cursor,.vscode,.windsurf,.roo,.kilocode,.trae,.junie/mcp,.amazonq,.kiro/settings}/mcp.json",
    "mcp_config.json",
    "{.crush,crush}.json",
    ".mcp.json",
    "claude_desktop_config.json",
    "opencode.{json,jsonc}",
];

/// Files that instruct operators: documents, and runbooks and playbooks that are records.
const RUNBOOKS: &[&str] = &[
    "**/{runbook,runbooks,run-books,playbook,playbooks}/**/*.{md,mdx,markdown,txt,adoc,rst}",
    "**/{runbook,runbooks,run-books,playbook,playbooks}/**/*.{yaml,yml,json,jsonc,json5,jsonl,ndjson,toml,csv,tsv,xml}",
    "**/{runbook,runbooks,run-books,playbook,playbooks}/**/*.{html,htm,org,ipynb,sh,bash,zsh,ps1,bat,cmd}",
    "*.runbook.{yaml,yml,json,jsonl,toml,csv,html,org,ipynb,sh,ps1}",
    "*.{runbook,playbook}.{md,mdx,markdown,txt,adoc,rst}",
    "{runbook,runbooks,playbook,playbooks}.{md,mdx,markdown,txt,adoc,rst}",
    "{runbook,playbook}[-_]*.{md,mdx,markdown,txt,adoc,rst}",
    "*[-_]{runbook,playbook}.{md,mdx,markdown,txt,adoc,rst}",
];

static BUILT_IN: LazyLock<[Globs; 2]> = LazyLock::new(|| {
    [INSTRUCTIONS, RUNBOOKS].map(|globs| globs::compile(globs.iter().copied(), true).unwrap_or_default())
});

/// The role that a path has by the built-in globs, if any. `path` is relative to the project's root.
#[must_use]
pub fn built_in(path: &Path) -> Option<Role> {
    let [instructions, runbooks] = &*BUILT_IN;
    if instructions.matches(path) {
        Some(Role::Instructions)
    } else if runbooks.matches(path) {
        Some(Role::Runbook)
    } else if path.extension().is_none() && is_hook(path) {
        Some(Role::Instructions)
    } else {
        None
    }
}

/// Whether the file stands among what an agent runs by itself: a program without an ending has no glob.
fn is_hook(path: &Path) -> bool {
    const AGENTS: [&str; 6] = [".claude", ".codex", ".cursor", ".gemini", ".qwen", ".kiro"];
    let mut names = path.iter();
    names.any(|name| AGENTS.iter().any(|agent| name == *agent))
        && names.next().is_some_and(|name| name == "hooks")
}

/// The folders of which the file at `path` would be a part if they are skills': it is a program in their `scripts`, or a
/// text in their `references`.
pub(crate) fn skills(path: &Path) -> impl Iterator<Item = &Path> {
    // What has no ending is as often a program as not.
    let program = matches!(kind::language_of(path), Language::Script(_)) || path.extension().is_none();
    let text = kind::is_text(path);
    path.ancestors().skip(1).filter_map(move |folder| {
        let name = folder.file_name()?;
        let brought = (program && name.eq_ignore_ascii_case("scripts"))
            || (text && name.eq_ignore_ascii_case("references"));
        folder.parent().filter(|_| brought)
    })
}

/// Of two roles of one file, the one that asks for more.
#[must_use]
pub fn graver(a: Role, b: Role) -> Role {
    let rank = |role: Role| match role {
        Role::Instructions => 3,
        Role::Runbook => 2,
        Role::Reference { declared: true } => 1,
        Role::Reference { declared: false } => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// The globs of a configuration's `[roles]`.
#[derive(Clone, Debug, Default)]
pub struct DeclaredRoles {
    instructions: Globs,
    runbook: Globs,
    reference: Globs,
}

impl DeclaredRoles {
    /// Compiles the globs of a configuration that was read without an error; what is no glob matches nothing.
    #[must_use]
    pub(crate) fn new(globs: &RoleGlobs) -> DeclaredRoles {
        let compiled = |list: &[toml::Spanned<String>]| {
            Globs::new(list.iter().map(|glob| glob.get_ref().as_str())).unwrap_or_default()
        };
        DeclaredRoles {
            instructions: compiled(&globs.instructions),
            runbook: compiled(&globs.runbook),
            reference: compiled(&globs.reference),
        }
    }

    /// The role that a path, relative to the configuration's folder, is declared to have. Where several tables match,
    /// the one that asks for more goes first.
    #[must_use]
    pub fn of(&self, path: &Path) -> Option<Role> {
        if self.instructions.matches(path) {
            Some(Role::Instructions)
        } else if self.runbook.matches(path) {
            Some(Role::Runbook)
        } else if self.reference.matches(path) {
            Some(Role::Reference { declared: true })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_glob_is_one() {
        for glob in INSTRUCTIONS.iter().chain(RUNBOOKS) {
            assert_eq!(globs::check(glob), Ok(()), "{glob}");
        }
    }

    /// Of every built-in glob of instructions at least one name.
    const NAMES: &[&str] = &[
        "AGENTS.md",
        "AGENTS.override.md",
        "CLAUDE.md",
        "CLAUDE.local.md",
        "GEMINI.md",
        "QWEN.md",
        "SKILL.md",
        ".cursorrules",
        ".cursor/rules/api.mdc",
        ".cursor/rules/deep/api.mdc",
        ".clinerules",
        ".clinerules/style.md",
        ".windsurfrules",
        ".roo/rules/a.md",
        ".junie/guidelines.md",
        ".kiro/steering/tech.md",
        ".amazonq/rules/a.md",
        ".continue/rules/a.md",
        ".github/copilot-instructions.md",
        ".github/instructions/rust.instructions.md",
        ".github/prompts/review.prompt.md",
        ".github/chatmodes/plan.chatmode.md",
        ".claude/agents/a.md",
        ".claude/commands/git/a.md",
        ".claude/skills/x/SKILL.md",
        ".claude/rules/a.md",
        ".codex/prompts/a.md",
        ".opencode/agent/a.md",
        "Agents.MD",
        "AGENTS.local.md",
        "AGENT.md",
        ".agents/skills/a/SKILL.mdc",
        ".agent/rules/a.md",
        "CONVENTIONS.md",
        "JULES.md",
        "replit.md",
        "CODEX.md",
        "CRUSH.md",
        "WARP.md",
        ".claude/output-styles/terse.md",
        ".claude/notes.md",
        ".gemini/commands/a.md",
        ".vscode/tasks.json",
        ".devcontainer/devcontainer.json",
        ".devcontainer/python/devcontainer.json",
        ".devcontainer.json",
        ".gemini/commands/a.toml",
        ".qwen/commands/git/a.toml",
        ".claude-plugin/plugin.json",
        ".qwen/a.md",
        ".factory/droids/a.md",
        ".goosehints",
        ".cursor/commands/a.md",
        ".clinerules-code",
        ".windsurf/rules/a.md",
        ".windsurf/workflows/a.md",
        ".roorules",
        ".roorules-code",
        ".kilocode/rules/a.md",
        ".kilocoderules",
        ".trae/rules/a.md",
        ".augment/rules/a.md",
        ".augment-guidelines",
        ".kiro/specs/x/tasks.md",
        ".continuerules",
        ".rules",
        ".openhands/microagents/a.md",
        ".openhands_instructions",
        ".idx/airules.md",
        ".tabnine/guidelines/a.md",
        ".zencoder/rules/a.md",
        ".ruler/a.md",
        "docs/copilot-instructions.md",
        "MEMORY.md",
        ".agents/memory/MEMORY.md",
        ".claude/skills/pdf/references/forms.json",
        "skills/pdf/scripts/fill.py",
        ".claude/skills/x/scripts/run.sh",
        ".claude/hooks/guard.sh",
        ".cursor/environment.json",
        ".cursor/BUGBOT.md",
        ".kiro/hooks/docs.kiro.hook",
        ".kiro/steering/tech.md",
        ".kiro/steering/tech.yaml",
        ".openhands/setup.sh",
        ".openhands/microagents/repo.yaml",
        ".github/workflows/copilot-setup-steps.yml",
        ".vscode/settings.json",
        ".zed/settings.json",
        ".zed/tasks.json",
        ".windsurf/mcp.json",
        ".codeium/windsurf/mcp_config.json",
        ".crush.json",
        ".github/agents/a.agent.md",
        ".github/skills/a/SKILL.md",
        "web.instructions.md",
        "review.prompt.md",
        "plan.chatmode.md",
        "plan.agent.md",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".codex/hooks.json",
        "plugins/a/hooks/hooks.json",
        ".gemini/settings.json",
        ".codex/config.toml",
        ".cursor/mcp.json",
        ".kiro/settings/mcp.json",
        ".mcp.json",
        "claude_desktop_config.json",
        "opencode.jsonc",
    ];

    /// Of every built-in glob of runbooks at least one name.
    const BOOKS: &[&str] = &[
        "runbooks/db.md",
        "docs/Runbooks/a/db.md",
        "run-books/db.txt",
        "playbooks/x.md",
        "restore.runbook.md",
        "restore.playbook.txt",
        "RUNBOOK.md",
        "playbooks.md",
        "runbook-db.md",
        "db-runbook.md",
        "runbooks/db.yaml",
        "playbooks/site.yml",
        "db.runbook.yml",
        "runbooks/steps.jsonl",
        "runbooks/steps.csv",
        "runbooks/db.org",
        "runbooks/db.html",
        "runbooks/db.ipynb",
        "runbooks/restore.sh",
        "db.runbook.ipynb",
    ];

    #[test]
    fn every_built_in_glob_matches_a_name() {
        for (globs, names) in [(INSTRUCTIONS, NAMES), (RUNBOOKS, BOOKS)] {
            for glob in globs {
                let glob_alone = globs::compile([*glob], true).expect("a glob");
                assert!(names.iter().any(|name| glob_alone.matches(Path::new(name))), "{glob}");
            }
        }
    }

    #[test]
    fn built_in_roles_hold_at_any_depth() {
        let none = [
            "README.md",
            "agents.md.bak",
            ".vscode/launch.json",
            ".github/workflows/copilot.yml",
            "scripts/run.sh",
            "references/a.md",
            "docs/mcp.json",
            ".github/workflows/ci.yml",
            ".claude/skills/x/run.sh",
            "docs/skills.md",
            "package.json",
        ];
        for prefix in ["", "a/", "packages/b/c/"] {
            let role = |path: &str| built_in(Path::new(&format!("{prefix}{path}")));
            NAMES.iter().for_each(|path| assert_eq!(role(path), Some(Role::Instructions), "{path}"));
            BOOKS.iter().for_each(|path| assert_eq!(role(path), Some(Role::Runbook), "{path}"));
            none.iter().for_each(|path| assert_eq!(role(path), None, "{path}"));
        }
    }

    /// The hook of pre-commit hands over what a scan reads by itself.
    #[test]
    fn the_hook_is_given_what_has_a_role() {
        let hooks = include_str!("../../.pre-commit-hooks.yaml");
        let (_, behind) = hooks.split_once("files: &files >-\n").expect("a pattern");
        let pattern: Vec<&str> =
            behind.lines().take_while(|line| line.starts_with("    ")).map(str::trim).collect();
        let pattern = regex::Regex::new(&pattern.join("\n")).expect("a regular expression");
        for prefix in ["", "packages/b/"] {
            for name in NAMES.iter().chain(BOOKS).chain(&["caveat.toml", "README.md"]) {
                assert!(pattern.is_match(&format!("{prefix}{name}")), "{name}");
            }
        }
        for name in ["src/main.rs", "package.json", "settings.json", "mcp.json"] {
            assert!(!pattern.is_match(name), "{name}");
        }
    }
}
