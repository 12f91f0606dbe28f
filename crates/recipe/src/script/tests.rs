use super::*;
use crate::Fields;

fn check_refused(script: &str, message: &str) {
    let faults = Script::parse(script).expect_err(script);
    let found: Vec<_> =
        faults.iter().map(|fault| (&script[fault.span.clone()], fault.message.as_str())).collect();
    assert_eq!(found, [("{{v}}", message)], "{script}");
}

fn check_taken(script: &str) {
    Script::parse(script).expect(script);
}

#[test]
fn where_bash_would_run_a_value_it_is_refused() {
    let arithmetic = "arithmetic would run a value as code";
    for script in [
        "echo $(( {{v}} + 1 ))",
        "echo \"$(( x + {{v}} ))\"",
        "(( {{v}} > 1 ))",
        "for ((i = 0; i < {{v}}; i++)); do :; done",
        "echo $[ {{v}} ]",
        "let x={{v}}",
        "let \"x = {{v}}\"",
        "declare -i x={{v}}",
        "f() { local -ir x={{v}}; }",
        "cat <<E\n$(( {{v}} ))\nE\n",
        "(( \"{{v}}\" ))",
        "let a=({{v}} 1)",
        "declare -i a=(1\n{{v}})",
        "echo $(( $(echo {{v}}) ))",
    ] {
        check_refused(script, arithmetic);
    }
    for script in
        ["a[{{v}}]=1", "a[x{{v}}]=1", "a=([{{v}}]=1)", "a+=(x [b {{v}}]=1)", "a=([\"{{v}}\"]=1)"]
    {
        check_refused(script, "an array index is arithmetic");
    }
    check_refused("eval \"$(echo {{v}})\"", "`eval` would run a value as code");
    check_refused("bash -c \"$(echo '{{v}}')\"", "`bash -c` would run a value as code");
    check_refused("echo \"${a[{{v}}]}\"", "inside ${…} a value cannot be bound");
    check_refused("[[ {{v}} -eq 1 ]]", "`-eq` inside [[ ]] is arithmetic");
    check_refused("[[ a && 1 -lt {{v}} ]] && echo", "`-lt` inside [[ ]] is arithmetic");
    check_refused("[[ -v {{v}} ]]", "`-v` inside [[ ]] is arithmetic");
    check_refused("eval echo {{v}}", "`eval` would run a value as code");
    check_refused("x=1 eval \"echo '{{v}}'\"", "`eval` would run a value as code");
    check_refused("if true; then command eval {{v}}; fi", "`eval` would run a value as code");
    check_refused("function f { eval {{v}}; }", "`eval` would run a value as code");
    check_refused("trap 'rm {{v}}' EXIT", "`trap` would run a value as code");
    check_refused("bash -c 'echo {{v}}'", "`bash -c` would run a value as code");
    check_refused("sudo /bin/sh -euc \"echo {{v}}\"", "`sh -c` would run a value as code");
    check_refused("python3 -c 'print(\"{{v}}\")'", "`python3 -c` would run a value as code");
    check_refused("bash <<E\necho {{v}}\nE\n", "an interpreter would run a value as code");
    check_refused("python3 - <<'E'\nprint({{v}})\nE\n", "an interpreter would run a value as code");
}

#[test]
fn where_bash_reads_text_in_another_way_a_value_is_refused() {
    check_refused("echo $'{{v}}'", "inside $'…' a value would be read as escapes");
    check_refused("echo `echo {{v}}`", "inside `…` a value cannot be bound");
    check_refused("echo \"`echo '{{v}}'`\"", "inside `…` a value cannot be bound");
    check_refused("echo ${x:-{{v}}}", "inside ${…} a value cannot be bound");
    check_refused("echo \"${x%{{v}}}\"", "inside ${…} a value cannot be bound");
    check_refused("echo ${{v}}", "a value cannot name a variable");
    check_refused("echo \\{{v}}", "a value cannot be bound where this stands");
    check_refused("cat <<{{v}}\nx\n", "a value cannot end a here-document");
    let deep = "$(".repeat(60) + "echo {{v}}" + &")".repeat(60);
    check_refused(&deep, "a value cannot be bound where this stands");
}

#[test]
fn what_only_looks_dangerous_is_taken() {
    for script in [
        "[ {{v}} -eq 1 ]",
        "test {{v}} -gt 1",
        "[[ {{v}} == 1 ]]",
        "[[ $x -eq 1 ]]; echo {{v}}",
        "echo $(( 1 << 2 )) {{v}}",
        "expr {{v}} + 1",
        "echo \"it's $(( 1 + 1 )) {{v}}\"",
        "bash script.sh {{v}}",
        "bash -c 'echo \"$1\"' _ {{v}}",
        "echo eval {{v}}",
        "declare -r x={{v}}",
        "x=$(case a in a) echo b;; esac; echo {{v}})",
        "echo \"${x#'}'}\" {{v}}",
        "echo \"${x:-it's}\" {{v}}",
        "echo $# $$ {{v}}",
        "a=(1 2); echo ${#a[@]} {{v}}",
        "cat <<E\nit's \"\nE\necho {{v}}",
        "echo a 2>&1 | grep {{v}}",
    ] {
        check_taken(script);
    }
}

#[test]
fn a_script_without_tokens_is_taken_as_it_is() {
    for text in ["", "echo 'unclosed", "echo $((1+1)); eval x; cat <<E\n{{ x }}\n"] {
        let script = Script::parse(text).expect(text);
        let bound = script.bind(&Fields::new()).expect("nothing to bind");
        assert_eq!(bound, Bound { text: text.to_owned(), values: Vec::new() });
    }
}

#[test]
fn a_name_that_occurs_twice_is_one_value() {
    let script = Script::parse("echo {{a}} \"{{b.c}}\" '{{a}}' # {{comment}}").expect("valid");
    let json = r#"{"a":1,"b":{"c":[null,"x"]}}"#;
    let scope = Datum::from_json(json).expect("valid").as_map().expect("an object").clone();
    let values = script.bind(&scope).expect("declared").values;
    assert_eq!(
        values,
        [("1".to_owned(), b"1".to_vec()), ("2".to_owned(), br#"[null,"x"]"#.to_vec())]
    );
    let names: Vec<_> = script.names().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn a_nul_byte_is_refused_by_name() {
    let script = Script::parse("echo {{a}}").expect("valid");
    let scope: Fields = [("a".to_owned(), Datum::from("x\0y"))].into_iter().collect();
    let error = script.bind(&scope).expect_err("bash cannot carry it");
    assert_eq!(error.message, "`a` holds a NUL byte, which bash cannot carry");
    assert_eq!(error.span, 5..10);
}
