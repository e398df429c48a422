//! Variables that a record gives to its commands: `env:` beside a `run:`, `"env"` beside a `"command"`.
//!
//! A command may be spread over such values and its text. Only what the record itself gives is put in, in one step: what
//! is found stands at the reference, which is where it would run.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::tree::{NodeId, Text, Tree, What};
use crate::facts::view::Mapped;

/// Keys under which a map or a list gives variables.
const GIVEN: [&str; 4] = ["env", "environment", "variables", "vars"];

/// The longest value that is put in, and the longest text that comes of it.
const LONGEST: (usize, usize) = (1024, 16 * 1024);

/// How many maps up it is looked for variables.
const HIGH: usize = 16;

/// Names of variables and their values.
type Given = HashMap<String, String>;

/// The variables that each map of a tree gives, read once.
#[derive(Default)]
pub(super) struct Variables(RefCell<HashMap<NodeId, Rc<Given>>>);

impl Variables {
    /// `text`, which stands at `id`, with the variables put in that the record gives to it; `None` if there are none.
    pub(super) fn put_into<'a>(&self, tree: &Tree<'a>, id: NodeId, text: &Text<'a>) -> Option<Text<'a>> {
        let value = &*text.value;
        if value.len() > LONGEST.1 || memchr::memchr3(b'$', b'%', b'{', value.as_bytes()).is_none() {
            return None;
        }
        let (mut out, mut plain, mut at) = (Mapped::new(), 0, 0);
        while let Some(found) = value[at..].find(['$', '%', '{']).map(|found| at + found) {
            let known = reference(&value[found..]).and_then(|(length, name)| {
                let given = self.of(tree, id, name)?;
                (out.text.len() + given.len() <= LONGEST.1).then_some((length, given))
            });
            let Some((length, given)) = known else {
                at = found + 1;
                continue;
            };
            text.append_part(plain..found, &mut out);
            out.push_replaced(&given, text.source(found..found + length));
            (plain, at) = (found + length, found + length);
        }
        if plain == 0 {
            return None;
        }
        text.append_part(plain..value.len(), &mut out);
        Some(Text::mapped(out))
    }

    /// The value of the variable `name` for what stands at `id`: that of the nearest map that gives one.
    fn of(&self, tree: &Tree<'_>, id: NodeId, name: &str) -> Option<String> {
        let above = std::iter::successors(tree.node(id).parent, |id| tree.node(*id).parent);
        above.take(HIGH).filter(|id| matches!(tree.node(*id).what, What::Map)).find_map(|map| {
            let known = self.0.borrow().get(&map).cloned();
            let given = known.unwrap_or_else(|| {
                let given = Rc::new(given_by(tree, map));
                self.0.borrow_mut().insert(map, Rc::clone(&given));
                given
            });
            given.get(name).cloned()
        })
    }
}

fn given_by(tree: &Tree<'_>, map: NodeId) -> Given {
    let mut given = HashMap::new();
    let mut add = |name: &str, value: &str| {
        if value.len() <= LONGEST.0 {
            given.insert(name.to_owned(), value.to_owned());
        }
    };
    for holder in GIVEN.iter().filter_map(|key| tree.get(map, key)) {
        for child in tree.children(holder) {
            let value = tree.scalar(child).map(|text| &*text.value);
            match (tree.key(child), value) {
                (Some(name), Some(value)) => add(name, value),
                (None, Some(value)) => {
                    if let Some((name, value)) = value.split_once('=') {
                        add(name, value);
                    }
                }
                _ => {
                    let of = |key: &str| tree.get(child, key).and_then(|id| tree.scalar(id));
                    if let (Some(name), Some(value)) = (of("name"), of("value")) {
                        add(&name.value, &value.value);
                    }
                }
            }
        }
    }
    given
}

/// A reference to a variable at the beginning of `text`: its length and the variable's name.
fn reference(text: &str) -> Option<(usize, &str)> {
    const WAYS: [(&str, &str); 9] = [
        ("${{", "}}"),
        ("{{", "}}"),
        ("${env:", "}"),
        ("${", "}"),
        ("$(", ")"),
        ("$env:", ""),
        ("$ENV:", ""),
        ("$", ""),
        ("%", "%"),
    ];
    let (open, close) = WAYS.iter().find(|(open, _)| text.starts_with(open))?;
    let rest = &text[open.len()..];
    let inner = match *close {
        "" => &rest[..rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()],
        close => &rest[..rest.find(close).filter(|length| *length <= 80)?],
    };
    let name = inner.trim();
    let name = ["env.", "vars.", "inputs.", "."].iter().find_map(|of| name.strip_prefix(of)).unwrap_or(name);
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some((open.len() + inner.len() + close.len(), name))
}
