//! Three ballots to a tally, from their texts to its text.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::Value;
use tribunal_benches::{ProcessorTime, criterion};
use tribunal_verdict::{Wanted, extract};
use tribunal_vote::{Standing, Threshold, is_vote_entry, merge};

fn answer(n_votes: usize, validator: usize) -> String {
    let vote = |n: usize| {
        let word = if (n + validator).is_multiple_of(5) { "false_positive" } else { "confirmed" };
        format!(
            r#"{{"finding_id":"F{n}","verdict":"{word}","new_severity":"high","reasoning":"The error of {n} is swallowed, so the caller cannot know that the write was lost."}}"#
        )
    };
    let votes: Vec<String> = (0..n_votes).map(vote).collect();
    format!("{{\"validated\":[{}]}}", votes.join(","))
}

fn tribunal(answers: &[String]) -> String {
    let wanted = Wanted { key: "validated", entry: is_vote_entry };
    let standing = |text: &String| Standing::of(&extract(text.as_bytes(), &wanted));
    let standings: Vec<Standing> = answers.iter().map(standing).collect();
    let threshold = Threshold::new(2, 3).expect("two of three");
    let merged = merge(1, threshold, None, &standings).expect("ballots");
    serde_json::to_string(&merged.tally).expect("a tally is JSON")
}

fn merges(criterion: &mut Criterion<ProcessorTime>) {
    for n_votes in [1_000, 10_000] {
        let answers: Vec<String> = (0..3).map(|validator| answer(n_votes, validator)).collect();
        let mut group = criterion.benchmark_group(format!("3 × {n_votes} votes"));
        group.bench_function("tribunal", |bencher| bencher.iter(|| tribunal(black_box(&answers))));
        group.bench_function("serde_json Value, no count", |bencher| {
            let read = |text: &String| serde_json::from_str::<Value>(text);
            bencher.iter(|| black_box(&answers).iter().map(read).collect::<Result<Vec<_>, _>>());
        });
        group.finish();
    }
}

criterion_group! { name = benches; config = criterion(); targets = merges }
criterion_main!(benches);
