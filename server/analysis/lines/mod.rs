//! What each line is: CommonMark's block structure, one line at a time.

mod cursor;
mod fed;
mod fetched;
mod given;
mod lang;
mod lex;
mod lexed;
mod permissions;
mod script;
mod starts;
mod state;
mod sub;
mod value;

pub use fed::{Fed, is_script, shebang};
pub use fetched::{CHECKS, may_fetch};
pub use given::{Given, GivenKind, GivenName, Givens, reference};
pub use lang::Lang;
pub use lex::{Interned, lex_line, opens_front_matter};
pub use lexed::{Flags, Lexed, LineKind};
pub use permissions::{permission_list, permission_rules};
pub use state::{Container, Containers, Family, Format, HtmlEnd, Leaf, LexState, Mark, StackId};
pub use sub::{LONGEST, NameId, Names, SPAN, Sub, advance, is_apostrophe};

#[cfg(test)]
mod tests;
