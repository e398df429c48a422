//! Files that an instruction file brings into its reader: `@docs/style.md` in a `CLAUDE.md` (Claude Code, "CLAUDE.md
//! imports"; Gemini CLI, "Memory Import Processor").
//!
//! What is brought in so is obeyed as the file that names it is, whatever its own name says. Asked from the file that may
//! be brought in, so that an open document and a scan get one answer: who stands at or above it, and names it?

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::config::MAX_FILE_BYTES;
use crate::read;
use crate::walk::lexically_normal;

/// The files that bring others in, in any folder at or above those.
pub(crate) const IMPORTERS: [&str; 7] = [
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "GEMINI.md",
    "QWEN.md",
    ".claude/CLAUDE.md",
    ".gemini/GEMINI.md",
];

/// How deep imports may go (Claude Code: five hops).
const DEPTH: usize = 5;

/// How many files one may bring in.
const MOST: usize = 200;

/// The files below `root` (absolute) that `importer` brings into its reader, itself or by another one.
pub(crate) fn imported(importer: &Path, root: &Path) -> HashSet<PathBuf> {
    let mut found: HashSet<PathBuf> = HashSet::new();
    let Ok(real_root) = root.canonicalize() else { return found };
    let mut waiting = vec![importer.to_path_buf()];
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for file in waiting {
            let Ok(text) = read::read(&file, MAX_FILE_BYTES) else { continue };
            let Some(folder) = file.parent() else { continue };
            for name in names(&text) {
                let path = lexically_normal(&folder.join(name));
                let inside = path.starts_with(root)
                    && path.canonicalize().is_ok_and(|real| real.starts_with(&real_root) && real.is_file());
                if inside && found.len() < MOST && found.insert(path.clone()) {
                    next.push(path);
                }
            }
        }
        waiting = next;
    }
    found
}

/// The relative paths that `text` names behind an `@` at the beginning of a word, outside code.
fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let words = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| words.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => found.extend(in_line(line)),
            _ => {}
        }
    }
    found
}

fn in_line(line: &str) -> impl Iterator<Item = &str> {
    let outside = line.split('`').step_by(2);
    let words = outside.flat_map(|part| part.split(|c: char| c.is_whitespace() || "()[]\"'<>*".contains(c)));
    words.filter_map(|word| {
        let name = word.strip_prefix('@')?.trim_end_matches(['.', ',', ';', ':', '!', '?']);
        let is_path = !name.is_empty() && !name.starts_with(['/', '~', '\\']) && !name.contains("://");
        is_path.then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_behind_an_at_sign_is_a_path_outside_code() {
        let text = "See @docs/a.md, @b.md and (@../c.md).\n- @d.md\n`@no.md` and a@no.md and @/no.md @~/no.md\n\n```\n@no.md\n```\n@e.md";
        assert_eq!(names(text), ["docs/a.md", "b.md", "../c.md", "d.md", "e.md"]);
    }
}
