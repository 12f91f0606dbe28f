use super::*;
use crate::Fields;

fn scope() -> Fields {
    let json = r#"{
        "audit_findings": {"findings": [{"id": "F1"}], "carried": []},
        "findings_text": "{\"findings\": []}",
        "validated_findings": {"confirmed_count": 2, "rate": 0.5},
        "recurse_decision": "new high findings\nCONTINUE:2",
        "text": "  Abc ", "count": 3, "ten": 10, "zero": 0, "half": 0.5, "yes": true, "nothing": null,
        "names": ["a", "b"], "numbers": [3, 1, 2], "empty": {}, "none": [], "said_no": "no",
        "said_false": "False", "digits": "12", "ünïcode": 1, "word": "naïve",
        "setting": {"fix_attempts": 2, "no_fix": false}
    }"#;
    Datum::from_json(json).expect("valid JSON").as_map().expect("an object").clone()
}

fn eval(text: &str) -> Result<Datum, ExprError> {
    Expr::parse(text).and_then(|expr| expr.eval(&scope()))
}

/// The expression has this value, written as JSON.
fn check(text: &str, expected: &str) {
    let found = eval(text).map(|value| value.to_json());
    assert_eq!(found.as_deref(), Ok(expected), "{text}");
}

/// The expression is refused: the text at the place, the message, the remedy.
fn check_refused(text: &str, at: &str, message: &str, remedy: &str) {
    let error = eval(text).expect_err(text);
    let found = (&text[error.span], error.message.as_str(), error.remedy.as_deref().unwrap_or(""));
    assert_eq!(found, (at, message, remedy), "{text}");
}

/// What people write in recipes for the reference runner means what they mean.
#[test]
fn idioms_of_the_reference() {
    check("'findings' in audit_findings", "true");
    check("'findings' in findings_text", "true");
    check("'confirmed' in validated_findings", "false");
    check("validated_findings['confirmed_count'] > 0", "true");
    check("validated_findings and validated_findings['confirmed_count'] > 0", "true");
    check("'CONTINUE:' in recurse_decision", "true");
    check("'CONTINUE:' not in recurse_decision", "false");
    check("not 'CONTINUE:' in recurse_decision", "false");
    check("text.strip() == 'Abc'", "true");
    check("text.strip().lower() == 'abc' and len(names) == 2", "true");
    check("(nothing and nothing['x'] > 1) or yes", "true");
}

/// RE-08: a condition that cannot be evaluated is an error, never false.
#[test]
fn traps_of_the_reference_are_errors() {
    check_refused(
        "findings_text['findings']",
        "findings_text['findings']",
        "`findings_text` is text and has no fields",
        "set `parse_json: true` on the step that writes it",
    );
    check_refused(
        "nothing['x'] > 0",
        "nothing['x']",
        "`nothing` is null and has no fields",
        "its step was skipped or gave nothing; ask for it first with `and`",
    );
    check_refused("undefind", "undefind", "nothing declares `undefind`", "");
    check_refused("coutn > 1", "coutn", "nothing declares `coutn`", "did you mean `count`?");
    check_refused(
        "validated_findings.confirmd_count",
        "validated_findings.confirmd_count",
        "there is no field `confirmd_count`",
        "did you mean `confirmed_count`?",
    );
    let number = "`int(…)` makes a number of a text";
    check_refused("digits > 2", "digits > 2", "text is not compared with a number", number);
    check_refused("count == '3'", "count == '3'", "a number is not compared with text", number);
    check_refused("yes == 'true'", "yes == 'true'", "a boolean is not compared with text", "");
    check_refused("yes and TRUE", "TRUE", "nothing declares `TRUE`", "");
    check_refused(
        "not foo(1)",
        "foo(1)",
        "there is no function `foo`",
        "there are int, float, str, bool, len, min, max",
    );
    check_refused(
        "text.stripp()",
        "text.stripp()",
        "there is no method `stripp`",
        "did you mean `strip`?",
    );
    check_refused(
        "'x' in nothing",
        "'x' in nothing",
        "nothing can be in null",
        "its step was skipped or gave nothing; ask for it first with `and`",
    );
    check_refused("'1' in count", "'1' in count", "text cannot be in a number", "");
    check_refused("'1' in numbers", "'1' in numbers", "a number is not compared with text", number);
    check_refused(
        "nothing < 1",
        "nothing < 1",
        "null is not compared with a number",
        "its step was skipped or gave nothing; ask for it first with `and`",
    );
    check_refused("names < names", "names < names", "`<` does not order a list", "");
}

/// RE-10: a text that says no is no condition.
#[test]
fn texts_that_say_no_are_no_conditions() {
    let remedy = "compare it (`== 'true'`) or give the boolean without quotes";
    let message = "the text `no` is not empty and would count as true";
    check_refused("not said_no", "said_no", message, remedy);
    check_refused("yes and said_no", "said_no", message, remedy);
    check_refused("said_no or yes", "said_no", message, remedy);
    let condition = Expr::parse("said_false").and_then(|expr| expr.condition(&scope()));
    assert_eq!(condition.map_err(|error| error.span), Err(0..10));
    check("said_false == 'False'", "true");
    check("bool(said_false)", "false");
}

#[test]
fn logic_gives_the_operand_that_decides_and_looks_no_further() {
    check("count and names", r#"["a","b"]"#);
    check("zero or count", "3");
    check("zero and undefined_name", "0");
    check("yes or undefined_name", "true");
    check("zero or none or nothing", "null");
    check("not zero", "true");
    check("not not count", "true");
    check("not zero and count", "3");
    check("zero and zero or yes", "true");
    check("yes || zero && zero", "true");
}

/// Found by fuzzing: `&&` was read as the word `and`, which may name a field.
#[test]
fn signs_name_no_field() {
    check_refused("setting.&&", "&&", "expected the name of a field, found `&&`", "");
    check_refused("names.||", "||", "expected the name of a field, found `||`", "");
}

#[test]
fn comparing() {
    check("count == 3.0", "true");
    check("half < 1", "true");
    check("1 < half", "false");
    check("-1 < half", "true");
    check("9007199254740993 == 9007199254740992.0", "false");
    check("count != ten", "true");
    check("ten > 9", "true");
    check("'10' < '9'", "true");
    check("nothing == null", "true");
    check("nothing == ''", "false");
    check("count == None", "false");
    check("nothing != count", "true");
    check("names == ['a', 'b']", "true");
    check("yes == true", "true");
    check("'a' in names", "true");
    check("'c' not in names", "true");
    check("1 in [1, 'a']", "true");
    check("'b' in [1, 'a']", "false");
    check("null in [nothing]", "true");
    check("'x' in []", "false");
    check("'' in text", "true");
}

#[test]
fn fields_and_items() {
    check("audit_findings.findings[0].id", r#""F1""#);
    check("audit_findings['findings'][-1]['id']", r#""F1""#);
    check("setting.fix_attempts", "2");
    check("not setting.no_fix", "true");
}

#[test]
fn items_that_are_not_there_are_refused() {
    check_refused("names[2]", "names[2]", "the list has 2 items, none at 2", "");
    check_refused("names[-3]", "names[-3]", "the list has 2 items, none at -3", "");
    check_refused("names['a']", "names['a']", "a list is not indexed by text", "");
    check_refused("empty[0]", "empty[0]", "an object is not indexed by a number", "");
    check_refused("count.x", "count.x", "`count` is a number and has no fields", "");
    check_refused(
        "empty.key",
        "empty.key",
        "there is no field `key`",
        "ask for it first: `'key' in …`",
    );
}

#[test]
fn functions() {
    check("int(digits)", "12");
    check("int(' 7 ')", "7");
    check("int(3.9)", "3");
    check("int(yes)", "1");
    check("float('1.5')", "1.5");
    check("float(count)", "3.0");
    check("str(42)", r#""42""#);
    check("str(nothing)", r#""""#);
    check("str(names)", r#""[\"a\",\"b\"]""#);
    check("bool('TRUE')", "true");
    check("bool('')", "false");
    check("bool(names)", "true");
    check("len(word)", "5");
    check("len(names)", "2");
    check("len(empty)", "0");
    check("min(3, 1, 2)", "1");
    check("max(numbers)", "3");
    check("max(half, 0)", "0.5");
    check_refused("int('abc')", "int('abc')", "`int` makes nothing of the text `abc`", "");
    check_refused("int(null)", "int(null)", "`int` makes nothing of null", "");
    check_refused("float('nan')", "float('nan')", "`float` makes nothing of the text `nan`", "");
    check_refused("bool('maybe')", "bool('maybe')", "`bool` makes nothing of the text `maybe`", "");
    check_refused("len(count)", "len(count)", "`len` makes nothing of a number", "");
    check_refused("len(1, 2)", "len(1, 2)", "`len` takes one value, not 2", "");
    check_refused("max([])", "max([])", "`max` of nothing has no value", "");
    check_refused(
        "max(1, 'a')",
        "max(1, 'a')",
        "text is not compared with a number",
        "`int(…)` makes a number of a text",
    );
}

#[test]
fn methods_of_text() {
    check("text.strip()", r#""Abc""#);
    check("text.lstrip()", r#""Abc ""#);
    check("text.rstrip()", r#""  Abc""#);
    check("'xxaxx'.strip('x')", r#""a""#);
    check("'Ab'.lower()", r#""ab""#);
    check("'Ab'.upper()", r#""AB""#);
    check("'one two'.title()", r#""One Two""#);
    check("'abc'.startswith('ab')", "true");
    check("'abc'.endswith('ab')", "false");
    check("'a-b-c'.replace('-', '+')", r#""a+b+c""#);
    check("'a,b'.split(',')", r#"["a","b"]"#);
    check("' a  b '.split()", r#"["a","b"]"#);
    check("', '.join(names)", r#""a, b""#);
    check("'abcabc'.count('b')", "2");
    check("word.find('v')", "3");
    check("word.find('z')", "-1");
    check_refused(
        "count.strip()",
        "count.strip()",
        "`.strip()` is for text, not for a number",
        "`str(…)` makes text of a value",
    );
    check_refused("text.split(1)", "text.split(1)", "`.split()` does not take (number)", "");
    check_refused(
        "text.replace('', 'x')",
        "text.replace('', 'x')",
        "`.replace()` does not take (text, text)",
        "",
    );
    check_refused("','.join(numbers)", "','.join(numbers)", "`.join()` does not take (list)", "");
}

#[test]
fn texts_are_quoted_either_way() {
    check(r#""it's""#, r#""it's""#);
    check(r"'it\'s'", r#""it's""#);
    check(r"'a\nb\\c'", r#""a\nb\\c""#);
    check("'é' in 'né'", "true");
}

#[test]
fn what_is_not_one_expression_is_refused() {
    check_refused("", "", "the expression is empty", "");
    check_refused("  ", "  ", "the expression is empty", "");
    check_refused(
        "count > 1 garbage",
        "garbage",
        "expected the end of the expression, found `garbage`",
        "",
    );
    check_refused("count >", "", "expected a value, found the end", "");
    check_refused("(count", "", "expected `)`, found the end", "");
    check_refused("names[", "", "expected a value, found the end", "");
    check_refused("1 < count < 3", "<", "comparisons do not chain", "join two of them with `and`");
    check_refused("count = 3", "=", "`=` has no meaning here", "`==` compares");
    check_refused("!count", "!", "`!` has no meaning here", "write `not`");
    check_refused(
        "{{count}} > 1",
        "{",
        "`{` has no meaning here",
        "a condition names its variables without braces",
    );
    check_refused("count - 1", "-", "`-` has no meaning here", "there is no arithmetic");
    check_refused("count + 1", "+", "`+` has no meaning here", "there is no arithmetic");
    check_refused("'open", "'open", "the text is not closed by '", "");
    check_refused("ünïcode", "ü", "`ü` has no meaning here", "");
    check_refused("1_000", "1_000", "`1_000` is no number", "");
    check_refused(
        "9223372036854775808",
        "9223372036854775808",
        "`9223372036854775808` is no number",
        "",
    );
    check_refused("and", "and", "expected a value, found `and`", "");
    check_refused("text.'x'", "'x'", "expected the name of a field, found a text", "");
}

#[test]
fn depth_and_length_are_bounded() {
    for text in [
        "(".repeat(40) + "1" + &")".repeat(40),
        format!("names{}", "[0]".repeat(20)),
        format!("text{}", ".strip()".repeat(20)),
        "a".repeat(9000),
    ] {
        Expr::parse(&text).expect_err(&text);
    }
    for text in [
        "(".repeat(30) + "1" + &")".repeat(30),
        vec!["yes"; 900].join(" and "),
        "not ".repeat(2000) + "yes",
        format!("text{}", ".strip()".repeat(16)),
    ] {
        eval(&text).expect("within the bounds");
    }
}

#[test]
fn names_come_with_their_places() {
    let expr = Expr::parse("a.b > 1 and 'x' in c or d[e] and len(f.g()) == setting.no_fix")
        .expect("valid");
    let names: Vec<_> =
        expr.names().into_iter().map(|(name, span)| (name, expr.text()[span].to_owned())).collect();
    let plain = ["a", "c", "d", "e", "f"].map(|name| (name.to_owned(), name.to_owned()));
    assert_eq!(names[..5], plain);
    assert_eq!(names[5..], [("setting.no_fix".to_owned(), "setting.no_fix".to_owned())]);
}

mod laws {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_within_its_bounds(text in ".{0,60}") {
            if let Err(error) = eval(&text) {
                prop_assert!(text.get(error.span).is_some());
            }
        }

        #[test]
        fn any_words_are_read_or_refused(words in prop::collection::vec(prop::sample::select(vec![
            "count", "text", "names", "nothing", "and", "or", "not", "in", "==", "<", "(", ")", "[",
            "]", ".", ",", "'a'", "1", "-1", "0.5", "len", "strip", "null",
        ]), 0..30)) {
            let text = words.join(" ");
            if let Err(error) = eval(&text) {
                prop_assert!(text.get(error.span).is_some());
            }
        }
    }
}
