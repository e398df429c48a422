//! A notebook's cells (nbformat 4): each is a text that is written as a list of its lines, line ends and all.

use super::meaning::{Part, Reading, Stretch, Walk};
use super::tree::{NodeId, Text, What};
use crate::facts::view::Mapped;
use crate::lines::Lang;

impl<'a> Walk<'_, 'a> {
    /// The text of the cell `id`, if it is one: what it says, or what it runs. In a cell of code a line behind `!` goes to a
    /// shell, and so does all of one that begins with `%%bash` (IPython, "Built-in magic commands").
    pub(super) fn cell(&mut self, id: NodeId) {
        let tree = self.tree;
        let (Some(kind), Some(source)) = (tree.get(id, "cell_type"), tree.get(id, "source")) else { return };
        let kind = tree.scalar(kind).map_or("", |kind| &*kind.value);
        let lines: Vec<&Text<'a>> = match tree.node(source).what {
            What::List => tree.children(source).filter_map(|line| tree.scalar(line)).collect(),
            _ => tree.scalar(source).into_iter().collect(),
        };
        let mut all = Mapped::new();
        lines.iter().for_each(|line| line.append(&mut all));
        let all = Text::mapped(all);
        if kind != "code" {
            return self.found.push(Stretch::new(Part::Many(all), source, Reading::Prose));
        }
        let magic = all.value.split_whitespace().next().unwrap_or_default();
        let magic = magic.strip_prefix("%%").map(Lang::of_info);
        if let Some(lang @ (Lang::Shell | Lang::JavaScript | Lang::Sql | Lang::Cmd | Lang::PowerShell)) =
            magic
        {
            return self.found.push(Stretch::new(Part::Many(all), source, Reading::Script(lang)));
        }
        let (mut shell, mut at, mut goes_on) = (Mapped::new(), 0, false);
        for line in all.value.split_inclusive('\n') {
            let blank = line.len() - line.trim_start().len();
            let mark = ["!", "%sx ", "%system ", "%%!"].iter().find(|mark| line[blank..].starts_with(**mark));
            let from = if goes_on { Some(0) } else { mark.map(|mark| blank + mark.len()) };
            if let Some(from) = from {
                all.append_part(at + from..at + line.len(), &mut shell);
            }
            goes_on = from.is_some() && line.trim_end().ends_with('\\');
            at += line.len();
        }
        let shell = Text::mapped(shell);
        if !shell.value.is_empty() {
            self.found.push(Stretch::new(Part::Many(shell), source, Reading::Script(Lang::Shell)));
        }
        self.found.push(Stretch::new(Part::Many(all), source, Reading::Script(Lang::Python)));
    }
}
