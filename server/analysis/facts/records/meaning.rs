//! What becomes of a record's strings: which are commands, which are patterns of permission rules, and which are prose.
//!
//! Nobody declares it, so the keys tell: `run:` in a workflow, `"command"` beside `"args"` in a server's settings, whatever
//! stands in `"scripts"`. A string of which no key says anything is prose, where a command has to show that it is one.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::permission::{Lets, closing, decided, rule_list, rules};
use super::tree::{NodeId, Text, Tree, What};
use super::variables::Variables;
use crate::catalogue::words;
use crate::facts::command::{self, Holds, is_command, last_part};
use crate::facts::view::Mapped;
use crate::lines::{Lang, permission_list};

/// How a string is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::facts) enum Reading {
    /// As a paragraph.
    Prose,
    /// As a script, line by line.
    Script(Lang),
    /// As one command, put together from its words.
    Words(Lang),
    /// As a word of a command that is read elsewhere: only for what is no command.
    Word,
    /// As the pattern of a list that allows, asks or denies.
    Rule {
        /// It denies.
        denied: bool,
        /// What it lets run beside the command that it names.
        lets: Lets,
    },
}

/// A string, or several that are one command, and how it is read.
#[derive(Debug)]
pub(in crate::facts) struct Stretch<'t, 'a> {
    pub(in crate::facts) text: Part<'t, 'a>,
    pub(in crate::facts) node: NodeId,
    pub(in crate::facts) reading: Reading,
    /// Of a command that was put together: its words.
    pub(in crate::facts) words: Vec<NodeId>,
}

impl<'t, 'a> Stretch<'t, 'a> {
    pub(super) fn new(text: Part<'t, 'a>, node: NodeId, reading: Reading) -> Stretch<'t, 'a> {
        Stretch { text, node, reading, words: Vec::new() }
    }
}

/// A text of the tree, or one that was put together.
#[derive(Debug)]
pub(in crate::facts) enum Part<'t, 'a> {
    One(&'t Text<'a>),
    Many(Text<'a>),
}

impl<'a> Part<'_, 'a> {
    pub(in crate::facts) fn text(&self) -> &Text<'a> {
        match self {
            Part::One(text) => text,
            Part::Many(text) => text,
        }
    }
}

/// Keys of maps and lists whose strings may be commands, whatever they are called.
const HOLDERS: &[&str] = &["scripts", "tasks", "hooks", "aliases", "alias", "before", "after"];

/// Keys whose list holds the words of one command.
const ARGV: &[&str] =
    &["command", "cmd", "args", "arguments", "argv", "entrypoint", "exec", "program", "test", "entry"];

/// The texts of `tree`, in the order of their first byte as far as they are single strings.
pub(in crate::facts) fn stretches<'t, 'a>(tree: &'t Tree<'a>) -> Vec<Stretch<'t, 'a>> {
    let mut walk = Walk {
        tree,
        words: HashSet::new(),
        referred: HashSet::new(),
        shells: RefCell::default(),
        variables: Variables::default(),
        found: Vec::new(),
    };
    for id in 0..tree.nodes.len() as NodeId {
        let node = tree.node(id);
        if let Some(key) = &node.key {
            let lets = |denied| if denied { Lets::Nothing } else { Lets::Prefix };
            let rule = decided(tree, id).map(|denied| Reading::Rule { denied, lets: lets(denied) });
            if rule.is_some()
                || !key.is_verbatim()
                || key.value.contains(char::is_whitespace)
                || words::is_sentence(&key.value)
            {
                walk.found.push(Stretch::new(Part::One(key), id, rule.unwrap_or(Reading::Prose)));
            }
        }
        match &node.what {
            What::Map => walk.map(id),
            What::List => walk.list(id),
            What::Scalar(text) => {
                let reading = walk.reading(id, text);
                walk.found.push(Stretch::new(Part::One(text), id, reading));
                walk.rules_in(id, text);
                walk.runs_in(id, text);
                walk.with_variables(id, text, reading);
            }
            What::Alias(Some(to)) => walk.reference(id, *to),
            What::Alias(None) => {}
        }
    }
    walk.found
}

pub(super) struct Walk<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    /// The strings that are words of a command which is read as a whole.
    words: HashSet<NodeId>,
    /// What was referred to and read as what its reference is, which may deny it.
    referred: HashSet<(NodeId, bool)>,
    /// The shells that maps name: each is looked for once.
    shells: RefCell<HashMap<NodeId, Option<Lang>>>,
    /// The variables that maps give.
    variables: Variables,
    pub(super) found: Vec<Stretch<'t, 'a>>,
}

impl<'t, 'a> Walk<'t, 'a> {
    /// A value that stands elsewhere, read as what its key here says; each once, however often it is referred to.
    fn reference(&mut self, id: NodeId, to: NodeId) {
        match &self.tree.node(to).what {
            What::List => {
                let key = self.tree.key(id).unwrap_or_default();
                let rule = permission_list(key)
                    .map(|denied| Reading::Rule { denied, lets: Lets::under(key, denied) });
                if !self.referred.insert((to, rule.is_some())) {
                    return;
                }
                self.list(id);
                for item in self.tree.children(to) {
                    if let (What::Scalar(text), false) =
                        (&self.tree.node(item).what, self.words.contains(&item))
                    {
                        self.referred_to(id, item, text, rule.unwrap_or_else(|| self.by_key(id, text)));
                    }
                }
            }
            What::Scalar(text) => self.referred_to(id, to, text, self.reading(id, text)),
            _ => {}
        }
    }

    /// Reads `text`, which is the value `to`, as `reading`: what the key of its reference `id` makes of it.
    fn referred_to(&mut self, id: NodeId, to: NodeId, text: &'t Text<'a>, reading: Reading) {
        let denies = matches!(reading, Reading::Rule { denied: true, .. });
        if !matches!(reading, Reading::Prose | Reading::Word) && self.referred.insert((to, denies)) {
            self.found.push(Stretch::new(Part::One(text), id, reading));
        }
    }

    /// A list of permission rules that is written as one string: `allowed-tools: Bash(git status), Read`.
    fn rules_in(&mut self, id: NodeId, text: &Text<'a>) {
        let Some(denied) = self.tree.key(id).and_then(rule_list) else { return };
        for rule in rules(&text.value) {
            let mut mapped = Mapped::new();
            text.append_part(rule, &mut mapped);
            let text = Part::Many(Text::mapped(mapped));
            let lets = Lets::under(self.tree.key(id).unwrap_or_default(), denied);
            self.found.push(Stretch::new(text, id, Reading::Rule { denied, lets }));
        }
    }

    /// Whether the string `id` is an entry of a list of commands below a key that denies (`deny = { commands = [...] }`), or
    /// the pattern of an entry of a list that does (`blocked: [{ pattern: ... }]`).
    pub(super) fn is_denied_below(&self, id: NodeId) -> bool {
        let parent = |id: NodeId| self.tree.node(id).parent;
        let denies = |id: NodeId| self.tree.key(id).and_then(permission_list) == Some(true);
        let is = |id: NodeId, what: &str| match what {
            "list" => matches!(self.tree.node(id).what, What::List),
            _ => matches!(self.tree.node(id).what, What::Map),
        };
        let named = |id: NodeId, names: &[&str]| {
            self.tree.key(id).is_some_and(|key| names.iter().any(|name| key.eq_ignore_ascii_case(name)))
        };
        let Some(above) = parent(id) else { return false };
        let Some(further) = parent(above) else { return false };
        (is(above, "list")
            && is(further, "map")
            && named(above, &["commands", "patterns"])
            && denies(further))
            || (is(above, "map")
                && is(further, "list")
                && named(id, &["pattern", "regex", "glob", "match"])
                && denies(further))
    }

    /// What a prompt has run before it is read: `!{git status}` (Gemini CLI, custom commands).
    fn runs_in(&mut self, id: NodeId, text: &Text<'a>) {
        if self.tree.key(id) != Some("prompt") {
            return;
        }
        let mut at = 0;
        while let Some(open) = text.value[at..].find("!{").map(|open| at + open + 1) {
            let close = closing(&text.value, open, [b'{', b'}']);
            let end = if text.value[..close].ends_with('}') { close - 1 } else { close };
            let mut mapped = Mapped::new();
            text.append_part(open + 1..end.max(open + 1), &mut mapped);
            let part = Part::Many(Text::mapped(mapped));
            self.found.push(Stretch::new(part, id, Reading::Script(Lang::Shell)));
            at = close;
        }
    }

    /// A command with the variables that its record gives to it.
    fn with_variables(&mut self, id: NodeId, text: &Text<'a>, reading: Reading) {
        if matches!(reading, Reading::Script(_) | Reading::Words(_))
            && let Some(text) = self.variables.put_into(self.tree, id, text)
        {
            self.found.push(Stretch::new(Part::Many(text), id, reading));
        }
    }

    /// A command that was put together of `words`, and stands at `id`.
    fn words(&mut self, id: NodeId, words: Vec<NodeId>, verbatim: usize, lang: Lang) {
        let text = self.join(&words, verbatim);
        let reading = Reading::Words(lang);
        let with = self.variables.put_into(self.tree, id, &text);
        for text in std::iter::once(text).chain(with) {
            let words = words.clone();
            self.found.push(Stretch { text: Part::Many(text), node: id, reading, words });
        }
    }

    /// A command beside its arguments: MCP servers, Kubernetes, editors' tasks; an entry point beside its command.
    fn map(&mut self, id: NodeId) {
        // Of a key that stands there twice the one reader takes the first, the other the last.
        let first = self.pair(id, None);
        self.pair(id, first);
        self.cell(id);
    }

    /// Reads such a pair: the first of each key, or, where that one is `known`, the last. Gives the command's value.
    fn pair(&mut self, id: NodeId, known: Option<NodeId>) -> Option<NodeId> {
        let tree = self.tree;
        let get = |names: &[&str]| {
            let find =
                |name: &&str| if known.is_none() { tree.get(id, name) } else { tree.get_last(id, name) };
            names.iter().find_map(find)
        };
        let pairs: [(&[&str], &[&str]); 2] = [
            (&["command", "cmd", "program", "exec", "entrypoint"], &["args", "arguments", "argv"]),
            (&["entrypoint"], &["command", "cmd"]),
        ];
        for (first, second) in pairs {
            let (Some(first), Some(second)) = (get(first), get(second)) else { continue };
            if first == second {
                continue;
            }
            if known == Some(first) {
                return known;
            }
            let (mut words, verbatim) = match tree.scalar(first) {
                // A string may be a command with arguments already.
                Some(_) => (vec![first], true),
                None => match self.word(first) {
                    Some(word) => (vec![word], true),
                    None => (self.strings(first), false),
                },
            };
            let rest = match self.word(second) {
                Some(word) => vec![word],
                None => self.strings(second),
            };
            if words.is_empty() || rest.is_empty() {
                continue;
            }
            let split = words.len();
            words.extend(rest);
            let lang = self.shell(id).unwrap_or(Lang::Shell);
            // What is merely referred to is still what it is where it stands.
            let here = [first, second].into_iter().all(|value| tree.meant(value) == value);
            let own = words.iter().copied().filter(|word| here && tree.meant(*word) == *word);
            self.words.extend(own);
            self.words(first, words, if verbatim { split } else { 0 }, lang);
            return Some(first);
        }
        None
    }

    /// The words of a command: `["rm", "-rf", "build"]`.
    fn list(&mut self, id: NodeId) {
        let Some(key) = self.tree.key(id) else { return };
        let argv = ARGV.contains(&last_part(key));
        let may_be = |class| matches!(class, Holds::Command | Holds::Shell | Holds::Perhaps);
        if !argv && !HOLDERS.contains(&last_part(key)) && !may_be(self.class(id)) {
            return;
        }
        let mut words = self.strings(id);
        let value = |id: NodeId| self.tree.scalar(id).map(|text| &*text.value).unwrap_or_default();
        // A health check says how it is to be run (Compose file, "healthcheck").
        if words.first().is_some_and(|first| matches!(value(*first), "CMD" | "CMD-SHELL")) {
            words.remove(0);
        }
        let Some(first) = words.first() else { return };
        if words.len() < 2 || value(*first).contains(char::is_whitespace) || self.words.contains(first) {
            return;
        }
        // The arguments of a shell that the image or another key names.
        if let [option, script, ..] = words.as_slice()
            && is_inline(value(*option))
        {
            if let Some(text) = self.tree.scalar(*script) {
                self.words.insert(*script);
                let reading = Reading::Script(Lang::Shell);
                self.found.push(Stretch::new(Part::One(text), *script, reading));
                self.with_variables(*script, text, reading);
            }
            return;
        }
        let lang = self.shell(id).unwrap_or(Lang::Shell);
        if argv && self.tree.meant(id) == id {
            self.words.extend(words.iter().copied().filter(|word| self.tree.meant(*word) == *word));
        }
        self.words(id, words, 0, lang);
    }

    /// The strings of the list `id`; none if it holds anything else.
    fn strings(&self, id: NodeId) -> Vec<NodeId> {
        if !matches!(self.tree.node(self.tree.meant(id)).what, What::List) {
            return Vec::new();
        }
        self.tree.children(id).map(|item| self.word(item)).collect::<Option<_>>().unwrap_or_default()
    }

    /// The string that `id` is, or that is its value beside how it is to be quoted (VS Code's tasks).
    fn word(&self, id: NodeId) -> Option<NodeId> {
        if self.tree.scalar(id).is_some() {
            return Some(id);
        }
        let is_map = matches!(self.tree.node(self.tree.meant(id)).what, What::Map);
        let value = is_map.then(|| self.tree.get(id, "value")).flatten()?;
        self.tree.scalar(value).map(|_| value)
    }

    /// One command line of `words`, of which the first `verbatim` stand as they are and the others are quoted so that
    /// each stays one word.
    fn join(&self, words: &[NodeId], verbatim: usize) -> Text<'a> {
        let mut mapped = Mapped::new();
        for (index, word) in words.iter().enumerate() {
            let Some(text) = self.tree.scalar(*word) else { continue };
            let (start, end) = (text.source(0..1).start, text.source(0..text.value.len().max(1)).end);
            if index > 0 {
                mapped.push_replaced(" ", start..start);
            }
            let bare = index < verbatim || !needs_quotes(&text.value);
            if bare {
                text.append(&mut mapped);
                continue;
            }
            mapped.push_replaced("'", start..start);
            for (at, part) in text.value.split('\'').enumerate() {
                let from = part.as_ptr() as usize - text.value.as_ptr() as usize;
                if at > 0 {
                    mapped.push_replaced("'\\''", text.source(from - 1..from));
                }
                text.append_part(from..from + part.len(), &mut mapped);
            }
            mapped.push_replaced("'", end..end);
        }
        Text::mapped(mapped)
    }

    /// How the string `id` is read.
    fn reading(&self, id: NodeId, text: &Text<'_>) -> Reading {
        if self.words.contains(&id) {
            return Reading::Word;
        }
        let parent = self.tree.node(id).parent;
        if let Some(list) = parent.filter(|list| matches!(self.tree.node(*list).what, What::List))
            && let Some(denied) = self.tree.key(list).and_then(permission_list).or_else(|| {
                let tools = self.tree.key(list).and_then(rule_list)?;
                (rules(&text.value).len() == 1).then_some(tools)
            })
        {
            let key = self.tree.key(list).unwrap_or_default();
            return Reading::Rule { denied, lets: Lets::under(key, denied) };
        }
        if self.is_denied_below(id) {
            return Reading::Rule { denied: true, lets: Lets::Nothing };
        }
        self.by_key(id, text)
    }

    /// How `text` is read, by what the keys above `id` say of it.
    fn by_key(&self, id: NodeId, text: &Text<'_>) -> Reading {
        let value = text.value.trim();
        match self.class(id) {
            Holds::Nothing => Reading::Prose,
            Holds::Shell if interpreter(value).is_some() => Reading::Prose,
            Holds::Perhaps if !command::begins_script(value) => Reading::Prose,
            Holds::Sql => Reading::Script(Lang::Sql),
            Holds::Windows(lang) => Reading::Script(lang),
            Holds::Command | Holds::Shell | Holds::Perhaps => {
                Reading::Script(self.shell(id).unwrap_or(Lang::Shell))
            }
        }
    }

    /// What the keys above `id` say of it.
    fn class(&self, id: NodeId) -> Holds {
        let mut at = id;
        let mut holder = None;
        // Entries of lists are what the list's key says.
        for _ in 0..3 {
            let node = self.tree.node(at);
            if node.key.is_some() {
                break;
            }
            let Some(parent) = node.parent else { return Holds::Nothing };
            if !matches!(self.tree.node(parent).what, What::List) {
                return Holds::Nothing;
            }
            at = parent;
            holder = Some(at);
        }
        let Some(key) = self.tree.key(at) else { return Holds::Nothing };
        let class = Holds::of(key);
        if class != Holds::Nothing {
            return class;
        }
        let above = self.tree.node(at).parent.and_then(|parent| self.tree.key(parent));
        let held = holder.is_some() && HOLDERS.contains(&last_part(key));
        if held || above.is_some_and(|above| HOLDERS.contains(&last_part(above)) || is_command(above)) {
            return Holds::Perhaps;
        }
        Holds::Nothing
    }

    /// The shell that the record names for `id`: beside it, or for all that stands below (GitHub Actions, `shell`).
    fn shell(&self, id: NodeId) -> Option<Lang> {
        let tree = self.tree;
        let mut at = Some(id);
        while let Some(id) = at {
            if matches!(tree.node(id).what, What::Map) {
                let named = *self.shells.borrow_mut().entry(id).or_insert_with(|| {
                    let run = || tree.get(tree.get(tree.get(id, "defaults")?, "run")?, "shell");
                    let named = tree.get(id, "shell").or_else(run).and_then(|shell| tree.scalar(shell));
                    named.and_then(|shell| interpreter(shell.value.trim()))
                });
                if named.is_some() {
                    return named;
                }
            }
            at = tree.node(id).parent;
        }
        None
    }
}

/// Whether an option hands a script to a shell: `-c`, `-lc`, `-ec`.
fn is_inline(option: &str) -> bool {
    option.starts_with('-') && !option.starts_with("--") && option.ends_with('c') && option.len() <= 4
}

/// The language of an interpreter that is named alone, or with the options that GitHub Actions gives it.
fn interpreter(name: &str) -> Option<Lang> {
    let program = name.split_whitespace().next()?;
    let program = program.rsplit(['/', '\\']).next()?.trim_end_matches(".exe");
    if name.split_whitespace().skip(1).any(|word| !word.starts_with('-') && !word.contains("{0}")) {
        return None;
    }
    match Lang::of_info(program) {
        lang @ (Lang::Shell | Lang::PowerShell | Lang::Cmd | Lang::Python | Lang::JavaScript) => Some(lang),
        _ => None,
    }
}

/// Whether a word would be several, or none, without quotes.
fn needs_quotes(word: &str) -> bool {
    word.is_empty() || word.contains(|c: char| c.is_whitespace() || "|&;<>()'\"\\`#".contains(c))
}
