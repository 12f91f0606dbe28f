use super::*;

fn entries(text: &str) -> Vec<Entry> {
    match read(text).expect("valid YAML").0.value {
        Value::Map(entries) => entries,
        other => panic!("{other:?}"),
    }
}

fn check_value(yaml: &str, expected: &Datum) {
    assert_eq!(entries(&format!("k: {yaml}\n"))[0].value.to_datum(), *expected, "{yaml}");
}

#[test]
fn values_mean_what_they_look_like() {
    check_value("true", &Datum::Bool(true));
    check_value("False", &Datum::Bool(false));
    check_value("no", &Datum::from("no"));
    check_value("off", &Datum::from("off"));
    check_value("'true'", &Datum::from("true"));
    check_value("007", &Datum::from("007"));
    check_value("1_000", &Datum::from("1_000"));
    check_value("12", &Datum::Int(12));
    check_value("1.5", &Datum::Float(1.5));
    check_value("", &Datum::Null);
    check_value("~", &Datum::Null);
    check_value("[1, {a: b}]", &Datum::from_json(r#"[1,{"a":"b"}]"#).expect("valid"));
}

#[test]
fn keys_and_values_know_their_place() {
    let text = "a: one\n'b c': 'two'\nd:\n  e: [1, 2]\n";
    let found = entries(text);
    let keys: Vec<_> = found.iter().map(|entry| &text[entry.key_span.clone()]).collect();
    assert_eq!(keys, ["a", "'b c'", "d"]);
    assert_eq!(&text[found[0].value.span.clone()], "one");
    assert_eq!(&text[found[1].value.span.clone()], "'two'");
    assert!(text[found[2].value.span.clone()].ends_with('2'));
}

fn check_part(text: &str, part: &str) {
    let value = &entries(text)[0].value;
    let Value::Scalar(Datum::Text(content)) = &value.value else { panic!("{value:?}") };
    let at = content.find(part).expect("the part is in the value");
    let place = value.part(text, &(at..at + part.len()));
    assert_eq!(&text[place], part, "{text}");
}

#[test]
fn a_part_of_a_text_is_found_again_in_the_source() {
    check_part("k: one {{two}} three\n", "{{two}}");
    check_part("k: \"one {{two}} three\"\n", "{{two}}");
    check_part("k: |\n  é one\n    {{two}}\n\n  three {{four}}\n", "{{two}}");
    check_part("k: |\n  é one\n    {{two}}\n\n  three {{four}}\n", "{{four}}");
    check_part("k: |-\n  {{two}}", "{{two}}");
}

#[test]
fn a_part_that_cannot_be_placed_is_the_whole_value() {
    let text = "k: >\n  one\n  {{two}}\n";
    let value = &entries(text)[0].value;
    assert_eq!(value.part(text, &(4..11)), value.span);
}

fn check_refused(text: &str, at: &str, message: &str, remedy: Option<&str>) {
    let problem = read(text).expect_err(text);
    let span = problem.span.expect("a place");
    assert!(problem.message.contains(message), "{text}: {}", problem.message);
    assert!(text[span.start..].starts_with(at), "{text}: {span:?}");
    assert_eq!(problem.remedy.as_deref(), remedy, "{text}");
}

#[test]
fn what_is_no_yaml_is_refused_with_its_place() {
    let tabs = Some("indent with spaces, not with tabs");
    check_refused("a:\n\tb: 2\n", "b", "tab", tabs);
    check_refused("a: 1\nb: [", "[", "unclosed bracket", None);
    check_refused("a: b: c\n", ": c", "mapping values", None);
    check_refused("a: &x {}\n<<: *x\n", "<<", "merge keys", None);
    check_refused("---\na: 1\n---\nb: 1\n", "---\nb", "more than one document", None);
}

#[test]
fn a_bomb_of_aliases_and_deep_nesting_are_refused() {
    let mut bomb = String::from("a0: &a0 [x, x]\n");
    for i in 1..30 {
        bomb.push_str(&format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1));
    }
    bomb.push_str("steps: *a29\n");
    let problem = read(&bomb).expect_err("a bomb");
    assert!(problem.message.contains("more than 20000 values"), "{problem}");
    read(&format!("a: {}", "[".repeat(20_000))).expect_err("nested too deep");
    read(&"a: 1\n".repeat(250_000)).expect_err("too long");
}

#[test]
fn every_duplicate_key_is_reported_at_its_place() {
    let text = "a: 1\nb:\n  - c: 1\n    c: 2\na: 3\n";
    let (_, problems) = read(text).expect("valid YAML");
    let found: Vec<_> = problems.iter().map(|p| (p.message.as_str(), p.span.clone())).collect();
    assert_eq!(found, [("duplicate key `c`", Some(21..22)), ("duplicate key `a`", Some(26..27))]);
}
