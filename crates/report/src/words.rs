//! Counts, costs and places, as text and Markdown put them.

use crate::inert;
use crate::view::{KeptReply, Snapshot, Usage};

/// `1 finding`, `2 findings`.
pub(crate) fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// The counts that are not zero: `2 fixed, 1 open`.
pub(crate) fn listed(rows: &[(usize, &str)]) -> String {
    let rows = rows.iter().filter(|(n, _)| *n > 0);
    rows.map(|(n, word)| format!("{n} {word}")).collect::<Vec<_>>().join(", ")
}

/// Whose reply it is, and where.
pub(crate) fn kept_reply(kept: &KeptReply) -> String {
    let (label, place) = (inert::one_line(&kept.label), inert::one_line(&kept.place));
    format!("cycle {}, {label}: {place}", kept.cycle)
}

/// What a snapshot holds, and where it lives.
pub(crate) fn snapshot(snapshot: &Snapshot) -> String {
    let (what, place) = (inert::one_line(&snapshot.what), inert::one_line(&snapshot.place));
    format!("snapshot {}, {what}: {place}", snapshot.number)
}

/// What the run cost, as far as it is known.
pub(crate) fn usage(usage: &Usage) -> String {
    let mut said = vec![
        duration(usage.wall),
        format!("{} call{}", usage.invocations, if usage.invocations == 1 { "" } else { "s" }),
    ];
    let tokens = |n: Option<u64>, what| n.map(|n| format!("{} tokens {what}", grouped(n)));
    said.extend(tokens(usage.input_tokens, "in"));
    said.extend(tokens(usage.output_tokens, "out"));
    said.extend(
        usage.cost_micros.map(|micros| {
            format!("${}.{:04}", grouped(micros / 1_000_000), micros % 1_000_000 / 100)
        }),
    );
    said.join(", ")
}

fn duration(millis: u64) -> String {
    let seconds = millis / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}.{} s", millis % 1000 / 100),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

/// `1234567` as `1,234,567`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_easily() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        let durations = [0, 1_950, 59_999, 60_000, 3_600_000].map(duration);
        assert_eq!(durations, ["0.0 s", "1.9 s", "59.9 s", "1 min 0 s", "1 h 0 min"]);
    }

    #[test]
    fn cost_is_given_where_it_is_known() {
        let known = Usage {
            invocations: 5,
            wall: 252_000,
            input_tokens: Some(120_431),
            output_tokens: Some(8_112),
            cost_micros: Some(1_420_050),
        };
        assert_eq!(
            usage(&known),
            "4 min 12 s, 5 calls, 120,431 tokens in, 8,112 tokens out, $1.4200"
        );
        assert_eq!(usage(&Usage { invocations: 1, ..Usage::default() }), "0.0 s, 1 call");
    }
}
