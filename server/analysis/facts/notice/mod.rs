//! Notices: the shapes that seed 4's safety scan points at, in its own vocabulary and its own windows.
//!
//! The scan reads raw lines, whatever Markdown makes of them: a phrase may begin on a line and end on one of the next
//! two, white space counts as one space, and of each code a line has one notice. So nothing here goes through scan
//! units. Most documents want few of the codes or none, and pay only for those: one automaton over a line tells whether
//! a word stands in it with which one of the shapes begins, and only those places are read closely.

mod block;
mod link;
mod paragraph;
mod phrase;
mod read;

pub use link::Links;
pub use paragraph::directs;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, StartKind};

use super::{Fact, Hit, Record, Says};
use crate::catalogue::{Catalogue, RuleId, Severity};
use crate::lines::{Leaf, LexState, LineKind};
use crate::text::Source;
use read::is_whole;

/// Which notices a document wants. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notices {
    /// `prompt-control`.
    pub prompts: bool,
    /// `external-action` and `reader-directive`.
    pub requests: bool,
    /// `obfuscated-block`.
    pub blocks: bool,
    /// `suspicious-link`, in which forms.
    pub links: Option<Links>,
    /// An imperative is a directive whatever its paragraph is about: the document is the plan of a build.
    pub plan: bool,
}

/// The rules of which notices are facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ids {
    prompt: RuleId,
    action: RuleId,
    /// `reader-directive`, whose imperatives are judged by their paragraph.
    pub(crate) directive: RuleId,
    pub(crate) block: RuleId,
    link: RuleId,
}

impl Ids {
    pub(crate) fn get() -> Ids {
        static IDS: LazyLock<Ids> = LazyLock::new(|| {
            let id =
                |name| Catalogue::get().by_name(name).expect("a test holds that the rules of notices exist");
            Ids {
                prompt: id("prompt-control"),
                action: id("external-action"),
                directive: id("reader-directive"),
                block: id("obfuscated-block"),
                link: id("suspicious-link"),
            }
        });
        *IDS
    }
}

/// What was found in a line: byte range in its window, and the pattern's id.
type Found = (Range<usize>, &'static str);

/// Adds the notices that `wanted` asks for to the facts of `records`, which stand from line `first` on; `before` is the
/// state in which the first of them was lexed.
pub(super) fn scan(
    records: &mut [Record],
    first: usize,
    before: LexState,
    source: &impl Source,
    wanted: Notices,
) {
    if wanted == (Notices { plan: wanted.plan, ..Notices::default() }) {
        return;
    }
    let mut marks = Vec::new();
    let mut entry = before;
    for (index, record) in records.iter_mut().enumerate() {
        let line = first + index;
        let fenced = record.line.kind == LineKind::Fence
            || (record.line.kind == LineKind::Code
                && matches!(entry.leaf, Leaf::Fence { .. } | Leaf::Script { .. }));
        entry = record.line.exit;
        let text = source.line(line);
        let mut facts = Facts::default();
        if wanted.blocks
            && let Some(found) = block::find(&text)
        {
            facts.add(Ids::get().block, found, &text, text.len());
        }
        if wanted.links.is_some() || wanted.prompts || wanted.requests {
            mark(&text, wanted, &mut marks);
            if wanted.requests
                && !fenced
                && let Some(found) = paragraph::opener_below(&text, line, source)
            {
                facts.imperative(found, wanted.plan);
            }
            if !marks.is_empty() {
                shapes(&marks, line, text, source, wanted, fenced, &mut facts);
            }
        }
        if !facts.0.is_empty() {
            facts.join(record);
        }
    }
}

/// The shapes of line `line` whose first words are `marks`.
fn shapes<'a>(
    marks: &[Mark],
    line: usize,
    text: Cow<'a, str>,
    source: &'a impl Source,
    wanted: Notices,
    fenced: bool,
    facts: &mut Facts,
) {
    if let Some(links) = wanted.links.filter(|_| !fenced)
        && let Some(found) = link::find(&text, marks, links)
    {
        facts.add(Ids::get().link, found, &text, text.len());
    }
    if wanted.requests
        && !fenced
        && let Some(verb) = paragraph::opener(&text)
    {
        facts.imperative(verb, wanted.plan);
    }
    if !(wanted.prompts || wanted.requests) || marks.iter().all(|mark| mark.word.is_link()) {
        return;
    }
    let own = text.len();
    let mut window = text.into_owned();
    for next in line + 1..(line + 3).min(source.line_count()) {
        window.push('\n');
        window.push_str(&source.line(next));
    }
    let ids = Ids::get();
    if wanted.prompts
        && let Some(found) = marks.iter().find_map(|mark| phrase::prompt_control(&window, mark))
    {
        facts.add(ids.prompt, found, &window, own);
    }
    if wanted.requests {
        if let Some(found) = marks.iter().find_map(|mark| phrase::external_action(&window, mark)) {
            facts.add(ids.action, found, &window, own);
        }
        if let Some(found) = marks.iter().find_map(|mark| phrase::second_person(&window, mark))
            && paragraph::addresses(&window)
        {
            facts.add(ids.directive, found, &window, own);
        }
    }
}

/// A line's facts.
#[derive(Default)]
struct Facts(Vec<Fact>);

impl Facts {
    fn imperative(&mut self, range: Range<usize>, plan: bool) {
        let (start, end) = (range.start as u32, range.end as u32);
        self.0.push(Fact { start, end_line: 0, end, says: Says::Imperative { plan } });
    }

    /// Adds a notice of `rule`: `found` in `text`, whose first `own` bytes are the line itself. A notice is about the line on
    /// which its words begin, and covers those of them that stand there: what is found on the next lines is theirs.
    fn add(&mut self, rule: RuleId, (range, pattern): Found, text: &str, own: usize) {
        // What an entry of a list begins with a label above the list is about.
        let leads = text[..range.start].chars().all(|c| !c.is_alphanumeric());
        let words = text[range.start..range.end.min(own)].trim_end();
        self.0.push(Fact {
            start: range.start as u32,
            end_line: 0,
            end: (range.start + words.len()) as u32,
            says: Says::Hit(Hit { leads, ..Hit::new(rule, pattern, Severity::Warning) }),
        });
    }

    /// Puts them among those that `record` has, in order of position.
    fn join(self, record: &mut Record) {
        let mut all = record.facts.take().map(Vec::from).unwrap_or_default();
        all.extend(self.0);
        all.sort_by_key(|fact| (fact.start, fact.end_line, fact.end));
        record.facts = Some(all.into_boxed_slice());
    }
}

/// A word, or the beginning of a link, with which a shape may begin.
#[derive(Clone, Debug)]
struct Mark {
    word: Word,
    /// Byte range in the line.
    range: Range<usize>,
}

/// What a mark may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// A verb that sets aside: `ignore`.
    Override,
    /// Whose message it is: `system`.
    Author,
    /// `you`.
    You,
    /// `your`.
    Your,
    /// `act`.
    Act,
    /// `pretend`.
    Pretend,
    /// `follow`, `obey`.
    Follow,
    /// `do`.
    Do,
    /// `never`.
    Never,
    /// A verb that runs something: `execute`.
    Run,
    /// A verb that moves something over the network: `fetch`.
    Fetch,
    /// `navigate`.
    Navigate,
    /// A program that does so: `curl`.
    Fetcher,
    /// Another program that says enough by its name: `npx`.
    Tool,
    /// `npm`.
    Npm,
    /// `pip`.
    Pip,
    /// `powershell`.
    PowerShell,
    /// `cmd`.
    Cmd,
    /// `sh`, `bash`.
    Shell,
    /// `make`.
    Make,
    /// `ensure`.
    Ensure,
    /// A verb that only matters at the beginning of a paragraph: `read`.
    Opens,
    /// `javascript:`, `vbscript:`.
    Script,
    /// `file://` and its kin.
    Share,
    /// `data:`.
    Data,
    /// `http://`, `https://`.
    Web,
    /// `www.`.
    Www,
}

impl Word {
    /// Whether it begins an address.
    fn is_link(self) -> bool {
        matches!(self, Word::Script | Word::Share | Word::Data | Word::Web | Word::Www)
    }

    /// Whether it is a verb that makes a link beside it an action.
    fn acts(self) -> bool {
        matches!(self, Word::Fetch | Word::Navigate | Word::Fetcher)
    }
}

const LINKS: &[(&str, Word)] = &[
    ("javascript:", Word::Script),
    ("vbscript:", Word::Script),
    ("file://", Word::Share),
    ("smb://", Word::Share),
    ("ftp://", Word::Share),
    ("data:", Word::Data),
    ("http://", Word::Web),
    ("https://", Word::Web),
    ("www.", Word::Www),
];

const WORDS: &[(&str, Word)] = &[
    ("ignore", Word::Override),
    ("disregard", Word::Override),
    ("forget", Word::Override),
    ("override", Word::Override),
    ("bypass", Word::Override),
    ("system", Word::Author),
    ("developer", Word::Author),
    ("assistant", Word::Author),
    ("you", Word::You),
    ("your", Word::Your),
    ("act", Word::Act),
    ("pretend", Word::Pretend),
    ("follow", Word::Follow),
    ("obey", Word::Follow),
    ("do", Word::Do),
    ("never", Word::Never),
    ("run", Word::Run),
    ("execute", Word::Run),
    ("invoke", Word::Run),
    ("launch", Word::Run),
    ("fetch", Word::Fetch),
    ("download", Word::Fetch),
    ("upload", Word::Fetch),
    ("send", Word::Fetch),
    ("post", Word::Fetch),
    ("open", Word::Fetch),
    ("visit", Word::Fetch),
    ("browse", Word::Fetch),
    ("request", Word::Fetch),
    ("navigate", Word::Navigate),
    ("curl", Word::Fetcher),
    ("wget", Word::Fetcher),
    ("invoke-webrequest", Word::Tool),
    ("start-bitstransfer", Word::Tool),
    ("npx", Word::Tool),
    ("npm", Word::Npm),
    ("pip", Word::Pip),
    ("powershell", Word::PowerShell),
    ("cmd", Word::Cmd),
    ("bash", Word::Shell),
    ("sh", Word::Shell),
    ("make", Word::Make),
    ("ensure", Word::Ensure),
    ("install", Word::Opens),
    ("read", Word::Opens),
    ("write", Word::Opens),
    ("edit", Word::Opens),
    ("delete", Word::Opens),
    ("copy", Word::Opens),
    ("paste", Word::Opens),
    ("return", Word::Opens),
    ("respond", Word::Opens),
    ("output", Word::Opens),
    ("reveal", Word::Opens),
];

/// Fills `marks` with those of `text`, in order of position.
fn mark(text: &str, wanted: Notices, marks: &mut Vec<Mark>) {
    static ALL: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(LINKS.iter().chain(WORDS)));
    static ONLY_LINKS: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(LINKS.iter()));
    marks.clear();
    let automaton = if wanted.prompts || wanted.requests { &*ALL } else { &*ONLY_LINKS };
    for found in automaton.find_overlapping_iter(text) {
        let (number, range) = (found.pattern().as_usize(), found.range());
        let word = LINKS.get(number).or_else(|| WORDS.get(number - LINKS.len())).map(|(_, word)| *word);
        let Some(word) = word else { continue };
        let whole = if word.is_link() { read::is_start(text, range.start) } else { is_whole(text, &range) };
        if whole {
            marks.push(Mark { word, range });
        } else if !word.is_link() && text[..range.start].ends_with("__") {
            // Behind the beginning of bold text a verb opens a paragraph; no other shape begins inside a word.
            marks.push(Mark { word: Word::Opens, range });
        }
    }
}

fn automaton<'a>(literals: impl Iterator<Item = &'a (&'static str, Word)>) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .start_kind(StartKind::Unanchored)
        .kind(Some(AhoCorasickKind::DFA))
        .build(literals.map(|(literal, _)| *literal))
        .expect("a few short literals")
}

#[cfg(test)]
mod tests;
