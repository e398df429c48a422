//! How fast commands are read. Figures are printed, never asserted: `cargo bench --bench command`.

use std::hint::black_box;

use caveat_analysis::facts::command::{Place, candidates, odd};
use caveat_analysis::facts::matching::scan;
use caveat_analysis::lines::Lang;
use divan::Bencher;
use divan::counter::BytesCount;

fn main() {
    divan::main();
}

/// A quarter of a MiB of a script's lines, no two alike, one in sixteen of them dangerous.
fn script() -> Vec<String> {
    let forms = [
        "cd \"$ROOT/service-@\" && make build VERSION=@ | tee build-@.log",
        "kubectl get pods -n team-@ -o json | jq '.items[] | .metadata.name'",
        "for f in src/@/*.rs; do grep -n 'fn main' \"$f\" >> found.txt; done",
        "if [ -f config/@.toml ]; then cp config/@.toml $(mktemp -d)/; fi",
        "docker run --rm -v \"$PWD\":/work -w /work image:@ ./run.sh --level=@",
        "export PATH=\"$HOME/.local/bin-@:$PATH\"",
        "curl -fsSL https://example.com/release/@.tar.gz -o /tmp/release-@.tar.gz",
        "git log --oneline --since='@ days ago' -- server/ | head -n @",
    ];
    let mut lines = Vec::new();
    let mut size = 0;
    while size < 256 << 10 {
        let number = lines.len().to_string();
        let form =
            if lines.len() % 16 == 7 { "sudo rm -rf /srv/data-@" } else { forms[lines.len() % forms.len()] };
        lines.push(form.replace('@', &number));
        size += lines.last().map_or(0, String::len);
    }
    lines
}

fn bytes(lines: &[String]) -> BytesCount {
    BytesCount::from(lines.iter().map(String::len).sum::<usize>())
}

/// Words and structure alone.
#[divan::bench]
fn read_lines(bencher: Bencher) {
    let lines = script();
    bencher.counter(bytes(&lines)).bench(|| {
        let read = |line: &String| candidates(black_box(line), Place::Code(Lang::Shell)).len();
        lines.iter().map(read).sum::<usize>()
    });
}

/// Read and held against the catalogue.
#[divan::bench]
fn scan_lines(bencher: Bencher) {
    let lines = script();
    bencher.counter(bytes(&lines)).bench(|| {
        let mut hits = Vec::new();
        lines.iter().for_each(|line| scan(black_box(line), Place::Code(Lang::Shell), None, &mut hits));
        hits.len()
    });
}

/// The same lines as prose, each in a code span.
#[divan::bench]
fn scan_prose(bencher: Bencher) {
    let lines: Vec<String> = script().iter().map(|line| format!("Then run `{line}` and wait.")).collect();
    bencher.counter(bytes(&lines)).bench(|| {
        let mut hits = Vec::new();
        lines.iter().for_each(|line| scan(black_box(line), Place::Prose, None, &mut hits));
        hits.len()
    });
}

/// The look that every line gets.
#[divan::bench]
fn odd_lines(bencher: Bencher) {
    let lines = script();
    bencher.counter(bytes(&lines)).bench(|| lines.iter().filter(|line| odd(black_box(line))).count());
}
