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

/// Bash evaluates an index in the name of a variable: `x[$(…)]`.
#[test]
fn a_value_names_no_variable() {
    for script in [
        "printf -v {{v}} x",
        "printf -v{{v}} x",
        "printf -v 'a[{{v}}]' x",
        "read {{v}}",
        "read -r a {{v}} <<< 'a b'",
        "read -ra {{v}}",
        "mapfile {{v}}",
        "readarray -t {{v}} < file",
        "declare {{v}}=1",
        "declare {{v}}",
        "typeset -x \"{{v}}=1\"",
        "f() { local {{v}}; }",
        "export {{v}}",
        "readonly {{v}}=x",
        "declare \"a[{{v}}]=1\"",
        "declare \"a[x={{v}}]=1\"",
        "test -v {{v}}",
        "[ -v {{v}} ]",
        "[ ! -v {{v}} ]",
        "[ a = a -a -v {{v}} ]",
        "[[ -v {{v}} ]]",
        "[[ a && -R {{v}} ]]",
        "[ -R {{v}} ]",
        "unset {{v}}",
        "unset 'a[{{v}}]'",
        "getopts o {{v}}",
        "getopts {{v}} o",
        "wait -np {{v}}",
        "wait {{v}}",
        "coproc {{v}} { :; }",
        "function {{v}} { :; }",
        "for {{v}} in a; do :; done",
        "select {{v}} in a; do :; done",
    ] {
        check_refused(script, "a value cannot name a variable");
    }
}

#[test]
fn a_value_names_no_variable_however_the_builtin_is_called() {
    for script in [
        "builtin printf -v {{v}} x",
        "command -p -- read {{v}}",
        "pr\"int\"f -v {{v}} x",
        "\\read {{v}}",
        "$'\\x72ead' {{v}}",
        "$\"read\" {{v}}",
        "\"re\\\nad\" {{v}}",
        "printf $'-v' {{v}} x",
        "echo \"$(read {{v}} <<< 1)\"",
        "<<< 1 read {{v}}",
        ">/dev/null 2>&1 printf -v {{v}} x",
        "x=1 read {{v}}",
        "$x read {{v}}",
        "printf $x -v {{v}} x",
    ] {
        check_refused(script, "a value cannot name a variable");
    }
    check_refused("read 'a'[{{v}}]", "an array index is arithmetic");
    check_refused("read a[\"{{v}}\"]", "an array index is arithmetic");
    check_refused("exec {a[{{v}}]}> file", "an array index is arithmetic");
    check_refused("exec {{{v}}}> file", "a value cannot name a variable");
    for script in
        ["printf {{v}}", "printf \"{{v}}\\n\" x", "printf -{{v}} x", "printf {-v,{{v}}} x"]
    {
        check_refused(script, "a value cannot be the format of `printf`");
    }
    check_refused("mapfile -C {{v}} -c 1 a", "`mapfile -C` would run a value as code");
}

#[test]
fn a_value_is_neither_a_command_with_values_nor_an_operator() {
    let fault = |script: &str| Script::parse(script).expect_err(script)[0].message.clone();
    assert_eq!(fault("{{v}} {{w}}"), "a command that a value names could be `eval`");
    let operator = "a value in front of another word could be an operator of `[`";
    for script in ["[ {{v}} {{w}} ]", "test \"{{v}}\" {{w}}", "[ ! {{v}} {{w}} ]"] {
        assert_eq!(fault(script), operator, "{script}");
    }
}

#[test]
fn what_bash_computes_or_runs_gets_no_value() {
    for script in [
        "RANDOM={{v}}",
        "PS4={{v}}; set -x",
        "export BASH_ENV={{v}}",
        "env BASH_ENV={{v}} bash x",
        "read PS4 <<< {{v}}",
        "declare -i n; n={{v}}",
        "n={{v}}; declare -i n",
        "declare -i n; n=({{v}})",
        "declare -i n; export n={{v}}",
        "declare -i n; export n=({{v}})",
        "declare -i n; printf -v n %s {{v}}",
        "declare -i n; for n in {{v}}; do :; done",
        "declare -n n; n={{v}}; echo $n",
        "a=(); declare a={{v}}",
        "a[0]=1; local a={{v}}",
        "read -a a; declare a={{v}}",
        "mapfile a; declare \"a={{v}}\"",
        "declare -a a={{v}}",
        "declare -A a=\"({{v}})\"",
        "declare DIRSTACK={{v}}",
    ] {
        check_refused(script, "bash would run what is assigned to this variable");
    }
    check_refused("alias a={{v}}", "`alias` would run a value as code");
    check_refused("compgen -W {{v}}", "`compgen` would run a value as code");
    check_refused("echo >& {{v}}", "bash would expand a value behind `>&` twice");
    check_refused("declare -n a={{v}}", "a value cannot name a variable");
    check_refused("a[\"{{v}}\"]=1", "an array index is arithmetic");
    check_refused("a[$(echo {{v}})]=1", "an array index is arithmetic");
    check_refused("a[ {{v}} ]=1", "an array index is arithmetic");
    check_refused("z=1 a[({{v}})]=1", "an array index is arithmetic");
    check_refused("declare a[1 + ({{v}})]=1", "an array index is arithmetic");
    check_refused("[[ ( 1 -eq {{v}} ) ]]", "`-eq` inside [[ ]] is arithmetic");
    check_refused("perl -e{{v}}", "`perl -e` would run a value as code");
}

#[test]
fn wherever_it_hides_a_command_is_known() {
    for script in [
        ">/dev/null eval {{v}}",
        "2>/dev/null eval {{v}}",
        "&>x eval {{v}}",
        "eval <(:) {{v}}",
        "[[ -e <(eval {{v}}) ]]",
        "``eval {{v}}",
        "$(:)ev\"$x\"al {{v}}",
        "$x eval {{v}}",
        "\"$@\" command -p eval {{v}}",
        "$'eval' {{v}}",
        "time -p eval {{v}}",
        "command -p eval {{v}}",
        "coproc eval {{v}}",
        "coproc c { eval {{v}}; }",
        "function f while eval {{v}}; do :; done",
        "function f { eval {{v}}; }",
        "for x do eval {{v}}; done",
        "if { :; } then eval {{v}}; fi",
        "if [[ a ]] then eval {{v}}; fi",
        "a=(1) eval {{v}}",
        "a[$x]=1 eval {{v}}",
        "a[ 1 ]=1 eval {{v}}",
        "eval { {{v}}",
        "(x=1 [[ a); eval {{v}}",
        "case x in\n[[) eval {{v}};; esac",
        "\"$(case x in case) a;; esac)\"; eval {{v}}",
        "\"$(case x in esac)\"; eval {{v}}",
        "\"$(case x\nin (esac) a;; b|esac) c;; esac)\"; eval {{v}}",
        "\"$([[ (a) ]])\"; eval {{v}}",
        "shopt -s extglob\neval @(a|b) {{v}}",
    ] {
        check_refused(script, "`eval` would run a value as code");
    }
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
        "printf '%s\\n' {{v}}",
        "printf -v x %s {{v}}",
        "printf \"$format\" {{v}}",
        "printf -- {{v}}",
        "printf \"a {{v}}\\n\"",
        "export X={{v}} Y='{{v}}'",
        "declare -x X=\"a={{v}}\"; typeset y[0]={{v}}",
        "f() { local x={{v}} y; readonly z={{v}}; }",
        "declare -a a=({{v}} b)",
        "declare -A a=([k]={{v}})",
        "a=(); a={{v}}; export a={{v}}x b={{v}}",
        "[ {{v}} = x ]",
        "[ -n {{v}} ]",
        "test -n \"{{v}}\" -a {{v}} != y",
        "[ {{v}} ]",
        "[[ ( {{v}} == a || -n {{v}} ) && 1 -eq 1 ]] && echo {{v}}",
        "read -r x <<< {{v}}",
        "read -r -d {{v}} x < {{v}}",
        "mapfile -t -n {{v}} lines < {{v}}",
        "while read -r x; do echo {{v}}; done < {{v}}",
        "getopts ab o {{v}}",
        "for x in {{v}}; do echo {{v}}; done",
        "command -v {{v}}",
        "{{v}} --version",
        "$tool {{v}} {{v}}",
        "\"$tool\" -v {{v}}",
        "case {{v}} in {{v}}|b) echo {{v}};; esac",
        "echo {{v}} > {{v}} 2> {{v}} &> {{v}}",
        "PATH={{v}}:$PATH command ls {{v}}",
        "diff <(echo {{v}}) {{v}}",
        "echo ENV={{v}} n {{v}}",
        "set -- {{v}} {{v}}",
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
