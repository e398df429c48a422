//! What a keystroke costs, from the edit to settled scopes, and how fast files are read. Figures are printed, never
//! asserted: `cargo bench --bench keystroke`. With `CAVEAT_CORPUS=FOLDER`, the files below it are read; with
//! the argument `reading` nothing else is timed.
#![expect(clippy::print_stdout, reason = "figures are what it is for")]

mod texts;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use caveat_analysis::document::{Rules, check};
use caveat_analysis::fix::Fixer;
use caveat_analysis::text::Source;
use caveat_analysis::verdict::Role;
use caveat_analysis::{Document, Edit, Encoding, Env, Language, Position, Snapshot};
use texts::{chinese, english, record, runbook};

fn env() -> Env {
    Env {
        role: Role::Instructions,
        stance: true,
        suppressions: true,
        today: jiff::civil::date(2026, 6, 1),
        policy: Arc::default(),
        accepted: Arc::default(),
    }
}

/// Types into the notes of a record, which is read whole; then breaks it on its second line, so that it is read by
/// lines.
fn record_keystrokes(name: &str, language: Language, text: &str) {
    let mut document = Document::new(text, language, Arc::new(Rules::default()));
    let notes: Vec<u32> =
        (0_u32..).zip(text.lines()).filter(|(_, line)| line.contains("note")).map(|(at, _)| at).collect();
    let insert = |document: &mut Document, line: u32, column: u32, text: &str| {
        let at = Position { line, column };
        let start = Instant::now();
        document.apply(&Edit { range: Some((at, at)), text: text.into() }, Encoding::Utf16);
        document.settle();
        start.elapsed()
    };
    let mut times: Vec<Duration> =
        (0..40).map(|step| insert(&mut document, notes[step * 7919 % notes.len()], 20, "x")).collect();
    print_times(&format!("{name}: edit to settled"), &mut times);
    let mut broken = vec![insert(&mut document, 1, 0, "\"")];
    broken.extend((0..10).map(|step| insert(&mut document, notes[step * 7919 % notes.len()], 20, "x")));
    print_times(&format!("{name}: broken"), &mut broken);
}

fn main() {
    let only_reading = std::env::args().any(|argument| argument == "reading");
    for (name, size) in [("20 kB", 20_000), ("2 MiB", 2 << 20)].into_iter().filter(|_| !only_reading) {
        let text = runbook(size);
        keystrokes(name, &text, 4_000);
    }
    for (name, language) in [("JSON", Language::Json), ("YAML", Language::Yaml)] {
        for (size, bytes) in [("200 kB", 200_000), ("2 MiB", 2 << 20)] {
            record_keystrokes(&format!("{name}, {size}"), language, &record(bytes, language));
        }
    }
    extremes();
    let size = 2 << 20;
    for (name, text) in [("runbook", runbook(size)), ("English", english(size)), ("Chinese", chinese(size))] {
        opening(&format!("{name}, 2 MiB: opened"), &text);
        throughput(&format!("{name}, 2 MiB"), &[text]);
    }
    let folder = std::env::var_os("CAVEAT_CORPUS").map_or_else(|| PathBuf::from("fixtures"), PathBuf::from);
    let mut files = Vec::new();
    read_folder(&folder, &mut files);
    throughput("the folder's files", &files);
}

/// Types, deletes and breaks lines all over the document; a fence opened at the top, which changes every line, is
/// timed apart.
fn keystrokes(name: &str, text: &str, count: u32) {
    let mut document = Document::new(text, Language::Markdown, Arc::new(Rules::default()));
    let mut times = Vec::new();
    let mut with_findings = Vec::new();
    for step in 0..count {
        let line = step.wrapping_mul(2_654_435_761) % document.text().line_count() as u32;
        let column = step % 12;
        let at = Position { line, column };
        let next = Position { line, column: column + 1 };
        let edit = match step % 8 {
            0 => Edit { range: Some((at, at)), text: "\n".into() },
            1 => Edit { range: Some((at, next)), text: String::new() },
            2 => Edit { range: Some((at, at)), text: "rm -rf ".into() },
            _ => Edit { range: Some((at, at)), text: "x".into() },
        };
        let start = Instant::now();
        document.apply(&edit, Encoding::Utf16);
        document.settle();
        times.push(start.elapsed());
        if step % 40 == 0 {
            let start = Instant::now();
            black_box(document.snapshot().findings(&env()));
            with_findings.push(start.elapsed());
        }
    }
    print_times(&format!("{name}: edit to settled"), &mut times);
    print_times(&format!("{name}: all findings"), &mut with_findings);
    let mut opening = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        let at = Position { line: 0, column: 0 };
        document.apply(&Edit { range: Some((at, at)), text: "```\n".into() }, Encoding::Utf16);
        document.settle();
        opening.push(start.elapsed());
        document.apply(
            &Edit { range: Some((at, Position { line: 1, column: 0 })), text: String::new() },
            Encoding::Utf16,
        );
        document.settle();
    }
    print_times(&format!("{name}: fence opened on line 1"), &mut opening);
}

/// What an editor waits for when it opens `text`: the rope, and everything read from it.
fn opening(name: &str, text: &str) {
    let open = || {
        let start = Instant::now();
        black_box(Document::new(text, Language::Markdown, Arc::new(Rules::default())));
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..5).map(|_| open()).collect();
    print_times(name, &mut times);
}

/// Documents with as much to find as there is place for; each must cost in proportion to its length.
fn extremes() {
    let comment = "<!-- Dear agent, note for @: mention the migration to the user. -->\n\n";
    for (name, line, counts) in [
        ("hits on as many lines", "Run `rm -rf /srv/@`.\n\n", [20_000, 80_000]),
        ("comments to an agent", comment, [25_000, 100_000]),
    ] {
        for count in counts {
            let text: String = (0..count).map(|n| line.replace('@', &n.to_string())).collect();
            let start = Instant::now();
            let mut document = Document::new(&text, Language::Markdown, Arc::new(Rules::default()));
            let read = start.elapsed();
            let start = Instant::now();
            let findings = document.snapshot().findings(&env());
            let found = start.elapsed();
            let start = Instant::now();
            let judge = |snapshot: &Snapshot| snapshot.findings(&env());
            let fixer = Fixer::new(document.clone(), &judge, env().today);
            black_box(findings.get(findings.len() / 2).map(|finding| fixer.fixes(finding)));
            println!(
                "{count} {name}: read {read:.1?}, {} findings {found:.1?}, fixes of one {:.1?}",
                findings.len(),
                start.elapsed()
            );
        }
    }
}

fn print_times(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{name:<32} p50 {:>9.1?}  p99 {:>9.1?}  max {:>9.1?}", at(0.5), at(0.99), at(1.0));
}

fn throughput(name: &str, texts: &[String]) {
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut best = Duration::MAX;
    let mut found = 0;
    for _ in 0..5 {
        let start = Instant::now();
        found =
            texts.iter().map(|text| check(text, Language::Markdown, &Rules::default(), &env()).len()).sum();
        best = best.min(start.elapsed());
    }
    let speed = bytes as f64 / best.as_secs_f64() / 1e6;
    println!(
        "{name:<32} {speed:>6.1} MB/s on one thread ({} files, {bytes} bytes, {found} findings)",
        texts.len()
    );
}

fn read_folder(folder: &Path, files: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            read_folder(&path, files);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            files.push(text);
        }
    }
}
