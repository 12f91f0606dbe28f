//! Outputs as agents write them: objects whole, cut off or damaged, between prose, logs and fences.

use proptest::prelude::*;
use serde_json::{Value, json};

pub(crate) fn output() -> impl Strategy<Value = String> {
    let parts = prop::collection::vec((piece(), between()), 0..6);
    (between(), parts, any::<bool>()).prop_map(|(first, parts, crlf)| {
        let text: String =
            parts.into_iter().fold(first.to_owned(), |text, (piece, gap)| text + &piece + gap);
        if crlf { text.replace('\n', "\r\n") } else { text }
    })
}

/// The same few bytes again and again, with an answer in or after them.
pub(crate) fn flood() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "`",
        "{\"",
        "{\"a\":",
        "{\"a\":[",
        "[{",
        "{'a':",
        "{a:1}",
        "{}",
        "[{}",
        "{\"{\":",
        "{\"a\":\"{\",",
        "{\"a\":\"\\\"{",
        "{\"a\":1 x",
        "{ ",
        "{//",
        "{\"validated\":[",
        "1,",
        "```\n",
        "{\"validated\":{\"validated\":",
        "{\"x\\u0061\":\"",
        "}\"",
        "{\"a\n",
    ]);
    (piece.clone(), 1..24_usize, document(), piece, 0..12_usize).prop_map(
        |(before, n_before, text, after, n_after)| {
            before.repeat(n_before) + &text + &after.repeat(n_after)
        },
    )
}

fn between() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "",
        "\n",
        " ",
        "\n```\n",
        "\n```json\n",
        "\n~~~\n",
        "\n`````json\r\n",
        "\n``````\n",
        "\n~~~~ title=x\n",
        "\n```json ",
        "```",
        "\u{FEFF}",
        "\x1b[0m",
        "\x1b[32m",
        "\x07",
        ", ",
        "\n\n",
        "[",
        "]",
    ])
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => prop::sample::select(vec![
            "I checked all.", "fn main() { loop {} }", "use {x}", "a stray {", "} or", "\"", "[INFO] start",
            "{'validated': [{'finding_id': 'F1'}]}", "{validated: ", "{\"level\":\"info\"}", "é", "[1]",
        ]).prop_map(str::to_owned),
        4 => document(),
        2 => (document(), any::<prop::sample::Index>()).prop_map(|(text, end)| {
            let mut end = end.index(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text[..end].to_owned()
        }),
        2 => (document(), any::<prop::sample::Index>(), "[{}\\[\\]\",:\\\\x\n]").prop_map(
            |(mut text, place, damage)| {
                let mut at = place.index(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                text.insert_str(at, &damage);
                text
            }
        ),
    ]
}

/// An array or object, sometimes printed over several lines or inside a string.
fn document() -> impl Strategy<Value = String> {
    (prop_oneof![verdict(), wrapper(), entries(), value()], 0..12_u8).prop_map(|(value, style)| {
        let text = value.to_string();
        match style {
            0..3 => format!("{value:#}"),
            3 => Value::from(text).to_string(),
            4 => text.replace("validated", "valid\\u0061ted"),
            _ => text,
        }
    })
}

fn verdict() -> impl Strategy<Value = Value> {
    prop_oneof![
        entries().prop_map(|entries| json!({ "validated": entries })),
        (entries(), value()).prop_map(|(entries, x)| json!({ "validated": entries, "a": x })),
        value().prop_map(|value| json!({ "validated": value })),
    ]
}

fn wrapper() -> impl Strategy<Value = Value> {
    (verdict(), value()).prop_map(|(verdict, x)| json!({ "review": verdict, "a": x }))
}

fn entries() -> impl Strategy<Value = Value> {
    let entry = prop_oneof![
        text().prop_map(|id| json!({ "finding_id": id, "verdict": "confirmed" })),
        text().prop_map(|why| json!({ "finding_id": "F1", "reasoning": why })),
        Just(json!({ "finding_id": 1 })),
    ];
    prop::collection::vec(entry, 0..4).prop_map(Value::from)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(json!(true)),
        Just(json!(-1.5)),
        text().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        "x",
        "a{b",
        "}",
        "\"",
        "\\",
        "[{",
        ":",
        ",",
        "```",
        "\n```\n",
        "{\"validated\":[]}",
        "é\u{FEFF}",
        "validated",
        "{}",
        "\u{1b}",
    ])
    .prop_map(str::to_owned)
}
