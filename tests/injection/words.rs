//! Names, numbers and secrets out of chance, so that nothing planted is literal.

use crate::language::Language;
use crate::random::Random;

const VERBS: [&str; 24] = [
    "load", "fetch", "read", "collect", "resolve", "build", "render", "sync", "merge", "publish",
    "update", "scan", "parse", "apply", "attach", "derive", "sort", "reload", "prepare", "gather",
    "push", "pull", "record", "refresh",
];
const NOUNS: [&str; 36] = [
    "order", "invoice", "ledger", "cart", "route", "report", "session", "profile", "catalog",
    "price", "shipment", "address", "member", "ticket", "journal", "chart", "region", "metric",
    "archive", "stock", "voucher", "branch", "batch", "vessel", "garden", "tariff", "depot",
    "meter", "canvas", "harbor", "parcel", "column", "widget", "folder", "sensor", "quota",
];
const ADJECTIVES: [&str; 16] = [
    "open", "late", "daily", "remote", "outer", "recent", "signed", "active", "local", "first",
    "shared", "final", "pending", "nested", "stale", "extra",
];

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const DIGITS: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER_DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The words of a new name, two or three.
fn name_words(random: &mut Random) -> Vec<&'static str> {
    let mut words = Vec::new();
    match random.below(3) {
        0 => words.push(random.pick(&ADJECTIVES)),
        1 => words.push(random.pick(&VERBS)),
        _ => words.extend([random.pick(&VERBS), random.pick(&ADJECTIVES)]),
    }
    words.push(random.pick(&NOUNS));
    words
}

/// A name as functions and variables of the language have them.
pub(super) fn name(random: &mut Random, language: Language) -> String {
    let words = name_words(random);
    match language {
        Language::Rust | Language::Python | Language::Shell => words.join("_"),
        Language::Markdown => words.join("-"),
        Language::JavaScript | Language::TypeScript | Language::Go => {
            words[0].to_owned() + &capitals(&words[1..])
        }
    }
}

/// `LikeThis`.
pub(super) fn type_name(random: &mut Random) -> String {
    capitals(&name_words(random))
}

/// `LIKE_THIS`.
pub(super) fn constant(random: &mut Random) -> String {
    name_words(random).join("_").to_uppercase()
}

fn capitals(words: &[&str]) -> String {
    words.iter().map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// The value of an open place that stands for a word, a number or a secret.
pub(super) fn value(what: &str, random: &mut Random) -> Option<String> {
    let r = random;
    Some(match what {
        "word" => r.pick(&NOUNS).to_owned(),
        "verb" => r.pick(&VERBS).to_owned(),
        "adjective" => r.pick(&ADJECTIVES).to_owned(),
        "count" => {
            r.pick(&["20", "25", "50", "64", "100", "128", "200", "250", "500", "1000"]).to_owned()
        }
        "size" => {
            r.pick(&["200", "255", "256", "500", "512", "1000", "1024", "2000", "4096"]).to_owned()
        }
        "seconds" => (r.below(55) + 3).to_string(),
        "number" => (r.below(9000) + 100).to_string(),
        "port" => (r.below(50000) + 1024).to_string(),
        "host" => format!("{}.{}{}.io", r.pick(&VERBS), r.pick(&NOUNS), r.pick(&NOUNS)),
        "url" => format!("https://{}.{}.io/{}", r.pick(&VERBS), r.pick(&NOUNS), r.pick(&NOUNS)),
        "uuid" => {
            let groups = [8, 4, 4, 4, 12].map(|n| r.text(n, HEX));
            groups.join("-")
        }
        "hex32" => r.text(32, HEX),
        "hex40" => r.text(40, HEX),
        "hex64" => r.text(64, HEX),
        "password" => password(r),
        "base64" => r.text(43, BASE64) + "=",
        "aws-id" => format!("AKIA{}", r.text(16, UPPER_DIGITS)),
        "aws-key" => r.text(40, BASE64),
        "github-token" => format!("ghp_{}", r.text(36, ALNUM)),
        "gitlab-token" => format!("glpat-{}", r.text(20, ALNUM)),
        "slack-token" => {
            format!("xoxb-{}-{}-{}", r.text(12, DIGITS), r.text(12, DIGITS), r.text(24, ALNUM))
        }
        "stripe-key" => format!("sk_live_{}", r.text(24, ALNUM)),
        "google-key" => format!("AIza{}", r.text(35, ALNUM)),
        "npm-token" => format!("npm_{}", r.text(36, ALNUM)),
        "jwt" => format!(
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{}.{}",
            r.text(60, ALNUM),
            r.text(43, ALNUM)
        ),
        _ => return None,
    })
}

/// As people make them up: letters of both cases, digits, a sign.
fn password(random: &mut Random) -> String {
    let word = random.pick(&NOUNS);
    let capital = capitals(&[word]);
    match random.below(3) {
        0 => format!("{capital}{}!{}", random.text(4, DIGITS), random.text(3, LOWER)),
        1 => format!("{}#{capital}{}", random.text(4, LOWER), random.text(3, DIGITS)),
        _ => random.text(18, ALNUM),
    }
}

/// A line of a key in armour.
pub(super) fn armour(random: &mut Random) -> String {
    random.text(64, BASE64)
}
