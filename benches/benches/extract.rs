//! Extraction beside its peers; a peer whose answer is not the ballot is marked.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::Value;
use tribunal_benches::{ProcessorTime, ballot, criterion, prose, repeated, throughput};
use tribunal_verdict::{Wanted, extract};
use tribunal_vote::is_vote_entry;

const KB: usize = 1 << 10;
const MB: usize = 1 << 20;

/// A program that takes what an agent said and gives the ballot, if it finds one.
type Peer = (&'static str, fn(&str) -> Option<Value>);

const PEERS: &[Peer] = &[
    ("jsonrepair-rs", |text| serde_json::from_str(&jsonrepair_rs::jsonrepair(text).ok()?).ok()),
    ("llm_json", |text| llm_json::loads(text, &llm_json::RepairOptions::default()).ok()),
    ("llm-json-repair", |text| llm_json_repair::parse(text).ok()),
];

fn tribunal(text: &str) {
    let wanted = Wanted { key: "validated", entry: is_vote_entry };
    black_box(extract(black_box(text.as_bytes()), &wanted));
}

/// What the others need who are given the bare ballot and nothing around it.
fn parsers(group: &str, bare: &str, criterion: &mut Criterion<ProcessorTime>) {
    let mut group = criterion.benchmark_group(group);
    group.bench_function("serde_json Value, bare", |bencher| {
        bencher.iter(|| serde_json::from_str::<Value>(black_box(bare)));
    });
    group.bench_function("sonic-rs Value, bare", |bencher| {
        bencher.iter(|| sonic_rs::from_str::<sonic_rs::Value>(black_box(bare)));
    });
    group.bench_function("simd-json Value, bare", |bencher| {
        // It writes into its input; the copy is in the figure.
        bencher.iter(|| simd_json::to_owned_value(&mut black_box(bare).as_bytes().to_vec()));
    });
    group.finish();
}

fn outputs(criterion: &mut Criterion<ProcessorTime>) {
    for (size, length) in [("1 KB", KB), ("1 MB", MB)] {
        let bare = ballot(length);
        let expected: Value = serde_json::from_str(&bare).expect("a ballot is JSON");
        for (shape, text) in [
            ("bare", bare.clone()),
            ("fenced", format!("```json\n{bare}\n```")),
            ("prose and fenced", format!("I looked at it.\n\n```json\n{bare}\n```\nDone.")),
            ("log line and bare", format!("{{\"level\":\"info\"}}\n{bare}")),
        ] {
            let name = format!("{shape}, {size}");
            let mut group = criterion.benchmark_group(&name);
            group.throughput(throughput(&text));
            group.bench_function("tribunal", |bencher| bencher.iter(|| tribunal(&text)));
            for (peer, read) in PEERS {
                let is_right = read(&text).as_ref() == Some(&expected);
                let name = if is_right { (*peer).to_owned() } else { format!("{peer} (wrong)") };
                group.bench_function(name, |bencher| bencher.iter(|| read(black_box(&text))));
            }
            group.finish();
            parsers(&name, &bare, criterion);
        }
    }
}

fn long_prose(criterion: &mut Criterion<ProcessorTime>) {
    let text = prose(16 * MB) + &ballot(KB);
    let mut group = criterion.benchmark_group("prose and bare, 16 MB");
    group.throughput(throughput(&text));
    group.bench_function("tribunal", |bencher| bencher.iter(|| tribunal(&text)));
    group.bench_function("memchr and UTF-8 check", |bencher| {
        bencher.iter(|| {
            let bytes = black_box(text.as_bytes());
            black_box((memchr::memchr(b'{', bytes), str::from_utf8(bytes).is_ok()))
        });
    });
    group.finish();
}

const FLOODS: [&str; 12] = [
    "{",
    "}",
    "[",
    "\"",
    "`",
    "{\"a\":",
    "{\"a\":[",
    "[{",
    "{}",
    "{\"",
    "{\"a\":1}",
    "{\"validated\":[]}",
];

fn floods(criterion: &mut Criterion<ProcessorTime>) {
    for length in [MB, 2 * MB] {
        let mut group = criterion.benchmark_group(format!("floods, {} MB", length / MB));
        for piece in FLOODS {
            let text = repeated(piece, length) + "\n" + &ballot(1);
            group.bench_function(piece, |bencher| bencher.iter(|| tribunal(&text)));
        }
        let ones = format!("{{\"a\":[{}\n{}", repeated("1,", length), ballot(1));
        group.bench_function("1,", |bencher| bencher.iter(|| tribunal(&ones)));
        let bare = ballot(length);
        group.bench_function("a bare ballot", |bencher| bencher.iter(|| tribunal(&bare)));
        group.finish();
    }
}

criterion_group! { name = benches; config = criterion(); targets = outputs, long_prose, floods }
criterion_main!(benches);
