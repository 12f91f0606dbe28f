//! `merge` against a slow and obvious count.

mod model;

use proptest::prelude::*;

fn answer() -> impl Strategy<Value = String> {
    let id = prop::sample::select(vec![
        "1",
        "\"1\"",
        "\" 1 \"",
        "1.0",
        "\"F1\"",
        "\"F2\"",
        "\"F10\"",
        "null",
        "[]",
        "9007199254740993",
        "9007199254740992",
        "\"\\u0046\\u0031\"",
        "\"nobody's\"",
    ]);
    let word = prop::sample::select(vec![
        "\"confirmed\"",
        "\" Confirmed\"",
        "\"downgraded\"",
        "\"false_positive\"",
        "\"confirmed|false_positive\"",
        "1",
    ]);
    let severity = prop::sample::select(vec![
        "null",
        "\"low\"",
        "\"High\"",
        "\"critical\"",
        "\"n/a\"",
        "\"\"",
    ]);
    let vote = (id, word, severity).prop_map(|(id, word, severity)| {
        format!("{{\"finding_id\":{id},\"verdict\":{word},\"new_severity\":{severity}}}")
    });
    prop_oneof![
        8 => prop::collection::vec(vote, 0..8)
            .prop_map(|votes| format!("{{\"validated\":[{}]}}", votes.join(","))),
        1 => prop::sample::select(vec!["", " ", "{}", "{\"validated\":null}", "{\"validated\":[1,{}]}"])
            .prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn ballots_are_counted_by_the_laws(
        agree in 0..6_u32, answers in prop::collection::vec(answer(), 1..6),
    ) {
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        model::check(agree, &answers);
    }
}
