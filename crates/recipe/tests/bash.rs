//! What real bash sees of a value: exactly its bytes, as data (D39).

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use tempfile::TempDir;
use tribunal_recipe::{Bound, Datum, Fields, Script, VALUES_VARIABLE};

fn scope(value: &str) -> Fields {
    [("v".to_owned(), Datum::from(value))].into_iter().collect()
}

fn bound(script: &str, scope: &Fields) -> Bound {
    let parsed = Script::parse(script).unwrap_or_else(|faults| panic!("{script}: {faults:?}"));
    parsed.bind(scope).expect("every name is declared")
}

/// Runs a bound script in an empty folder.
fn run_in(folder: &Path, bound: &Bound) -> Output {
    let values = folder.join("values");
    fs::create_dir(&values).expect("a fresh folder");
    for (name, bytes) in &bound.values {
        fs::write(values.join(name), bytes).expect("values are written");
    }
    let script = folder.join("script");
    fs::write(&script, &bound.text).expect("the script is written");
    let inside = folder.join("inside");
    fs::create_dir(&inside).expect("a fresh folder");
    Command::new("bash")
        .arg(script)
        .current_dir(inside)
        .env(VALUES_VARIABLE, values)
        .stdin(Stdio::null())
        .output()
        .expect("bash is there")
}

fn run(bound: &Bound) -> Output {
    run_in(TempDir::new().expect("a temporary folder").path(), bound)
}

/// What the script prints when the value of `v` has these bytes.
fn printed(script: &str, value: &[u8]) -> Vec<u8> {
    let mut bound = bound(script, &scope("placeholder"));
    for (_, bytes) in &mut bound.values {
        *bytes = value.to_vec();
    }
    let output = run(&bound);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{script}\n{}\n{stderr}", bound.text);
    output.stdout
}

/// Each script prints the text beside it, where `@` stands for the value.
const PLACES: [(&str, &str); 22] = [
    ("printf %s {{v}}", "@"),
    ("printf %s a{{v}}b", "a@b"),
    ("printf %s {{v}}{{v}}", "@@"),
    ("printf %s \"{{v}}\"", "@"),
    ("printf %s \"a {{v}} b\"", "a @ b"),
    ("printf %s '{{v}}'", "@"),
    ("printf %s 'a \"{{v}}\" $b'", "a \"@\" $b"),
    ("x={{v}}; printf %s \"$x\"", "@"),
    ("x='{{v}}'\nprintf %s \"$x\"", "@"),
    ("x=$(printf '%s.' {{v}}); printf %s \"$x\"", "@."),
    ("x=\"$(printf '%s.' \"{{v}}\")\"; printf %s \"$x\"", "@."),
    ("cat <<'END'\n  {{v}} $HOME `id` \\\\ \\\n\"'\nEND\n", "  @ $HOME `id` \\\\ \\\n\"'\n"),
    ("y=1\ncat <<END\n{{v}} $y \\$ \\\\\nEND\nprintf end", "@ 1 $ \\\nend"),
    ("cat <<-\\END\n\t{{v}}\n\tEND\nprintf end", "@\nend"),
    ("cat <<'A' <<\"B\"\n{{v}}1\nA\n{{v}}2\nB\n", "@2\n"),
    ("cat <<'EOF X'\n{{v}}\nEOF X\n", "@\n"),
    ("case {{v}} in {{v}}) printf yes ;; *) printf no ;; esac; printf %s {{v}}", "yes@"),
    ("[[ {{v}} == {{v}} && -n a{{v}} ]] && printf yes", "yes"),
    ("f() { printf %s \"$1\"; }; f {{v}}", "@"),
    ("# it's \"{{v}}\" $(\nprintf %s {{v}} # '{{v}}", "@"),
    ("set -euo pipefail\na=({{v}} \"{{v}}\")\nprintf %s \"${a[0]}\" \"${#a[@]}\"", "@2"),
    ("bash -c 'printf %s \"$1\"' _ {{v}}", "@"),
];

/// All places at once: one bash for each value.
fn check_places(value: &[u8]) {
    let script: String = PLACES.iter().map(|(script, _)| format!("(\n{script}\n)\n")).collect();
    let mut expected = Vec::new();
    for (_, text) in PLACES {
        let mut pieces = text.split('@');
        expected.extend_from_slice(pieces.next().expect("split gives one piece").as_bytes());
        for piece in pieces {
            expected.extend_from_slice(value);
            expected.extend_from_slice(piece.as_bytes());
        }
    }
    let found = printed(&script, value);
    assert_eq!(
        String::from_utf8_lossy(&found),
        String::from_utf8_lossy(&expected),
        "{:?}",
        String::from_utf8_lossy(value)
    );
    assert!(found == expected, "the bytes differ");
}

#[test]
fn awkward_values_arrive_in_every_place() {
    for value in [
        "",
        "plain",
        "two words  *  ?",
        "trailing newlines\n\n\n",
        "\n\nleading",
        "it's \"quoted\" `id` $(id) $HOME ${HOME} \\ \\\\ \\n",
        "END\nA\nB\nEOF X\nE'ND",
        "-n -e --",
        "~ {a,b} !! #",
        "é 𝄞 \u{feff}",
        "\u{1}\u{7f}\u{1b}[31m\r\n",
        "{{v}} {{other}}",
        "a[$(touch pwned)]",
    ] {
        check_places(value.as_bytes());
    }
}

#[test]
fn bytes_that_are_no_text_arrive() {
    check_places(&(1..=255).collect::<Vec<u8>>());
    check_places(b"\xff\xfe");
    check_places(b"\xe2\x82");
    check_places(b"x\xc3\n");
}

/// Bytes that shells stumble over more often than others.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let awkward =
        prop::sample::select(b"'\"\\$`\n\t #!*?[]{}()<>|&;~=%END\x01\x7f\xff\xe2".to_vec());
    prop::collection::vec(prop_oneof![awkward, 1..=255u8], 0..40)
}

/// Pieces of scripts; many of their orders are no valid script.
const PIECES: [&str; 63] = [
    "{{v}}",
    "{{v}}",
    "{{v}}",
    "\"",
    "'",
    "$(",
    ")",
    "(",
    "`",
    "\\",
    "\n",
    " ",
    "; ",
    " | ",
    " && ",
    "${x:-",
    "${x#",
    "}",
    "((",
    "))",
    "$((",
    "[[ ",
    " ]]",
    " -eq ",
    "<<'E'\n",
    "<<E\n",
    "\nE\n",
    "#",
    "case x in ",
    "x) ",
    ";;",
    " esac",
    "echo ",
    "printf %s ",
    "x=",
    "a[",
    "]",
    "$",
    "$'",
    "=",
    "1",
    "-v ",
    "{{w}} ",
    "eval ",
    "read ",
    "printf -v ",
    "declare ",
    "unset ",
    "[ ",
    " ]",
    "=(",
    "<(",
    ">",
    ">&",
    "{ ",
    " }",
    "do ",
    "then ",
    "for x ",
    "function f ",
    "coproc ",
    "command ",
    "-p ",
];

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(&PIECES);
    prop::collection::vec(piece, 1..24).prop_map(|pieces| pieces.concat())
}

/// Ways to make a word; `@` is a smaller word, `%` a smaller command.
const WORDS: [&str; 31] = [
    "\"@\"",
    "'@'",
    "a@",
    "@@",
    "$(%)",
    "\"$(%)\"",
    "$(\n%\n)",
    "$(( @ ))",
    "$((1+@))",
    "$[ @ ]",
    "${x:-@}",
    "\"${x:-@}\"",
    "\"${x#@}\"",
    "`%`",
    "$'@'",
    "$\"@\"",
    "a[@]",
    "x[\"@\"]",
    "'x['@]",
    "\\@",
    "<(%)",
    "it\\'s@",
    "x=@",
    "x[@]=1",
    "-v@",
    "-@",
    "{-v,@}",
    "(@)",
    "\"(@)\"",
    "$(case x in case|esac) %;; esac)",
    "\"$(case x in (a) %;; *) %; esac)\"",
];

/// Ways to make a command.
const COMMANDS: [&str; 46] = [
    "echo @",
    "echo @ @",
    "@ x",
    "@ @",
    "z=@",
    "z=@ %",
    "%; %",
    "% | cat",
    "( % )",
    "((@))",
    "(( @ > 1 )) && %",
    "[[ @ -eq 1 ]]",
    "[[ 1 -lt @ ]] && %",
    "[[ ( 1 -lt @ ) || @ == @ ]] && %",
    "[[ @ == @ ]] && %",
    "[ @ -eq @ ]",
    "case @ in @) %;; esac",
    "case @ in (*) % ;; esac",
    "case x in\n[[) % ;; *) %\nesac",
    "eval \"@\"",
    "trap @ EXIT",
    "bash -c @",
    "bash -c 'echo @'",
    "# @\n%",
    "if %; then %; fi",
    "if { %; } then %; fi",
    "if [[ a ]] then %; fi",
    "f() { %; }; f @",
    "function f { %; }; f",
    "function f while %; do break; done; f",
    "cat <<E\n@\nE\n",
    "cat <<'E'\n@\nE\n",
    "cat <<-E\n\t@\n\tE\n",
    "cat <<E; %\n@\nE\n%",
    "bash <<E\n@\nE\n",
    "for i in @; do %; done",
    "for i do %; done",
    "for ((i=@; i<1; i++)); do :; done",
    "% 2>&1",
    "! %",
    "coproc %",
    "coproc c { %; }; wait",
    "(x=1 [[ a); %",
    "set -x; %",
    "x=(1) %",
    "x[1]=1; %",
];

/// Builtins with the operands that they take; among them names of variables.
const BUILTINS: [&str; 76] = [
    "printf @ x",
    "printf -- @ x",
    "printf '%s' @ @",
    "printf -v @ x",
    "printf -v y %s @",
    "printf $'-v' @ x",
    "read @ <<< 1",
    "read -r a @ <<< '1 2'",
    "read -ra @ <<< 1",
    "read -d @ a < @",
    "read y <<< @",
    "mapfile @ <<< 1",
    "readarray -t @ < /dev/null",
    "mapfile -C @ -c 1 y <<< 1",
    "mapfile -n @ y <<< @",
    "declare @",
    "declare @=1",
    "declare y=@",
    "declare -a y=@",
    "declare -A y=@",
    "declare -a y=(@ [1]=@)",
    "declare -i y=@",
    "declare -n y=@; echo $y",
    "y=(); declare y=@",
    "typeset -x @ z=@",
    "g() { local @; }; g",
    "g() { local y=@; }; g",
    "export @",
    "export y=@",
    "readonly y=@ @",
    "declare -i y; y=@",
    "declare -i y; y=(@)",
    "declare -i y; export y=@",
    "declare -i y; for y in @; do :; done",
    "declare -n y; y=@; echo $y",
    "RANDOM=@",
    "set -x; PS4=@; %",
    "BASH_ENV=@ bash -c :",
    "env BASH_ENV=@ bash -c :",
    "test -v @",
    "test @ @",
    "test @",
    "[ -v @ ]",
    "[ ! -v @ ]",
    "[ x = x -a -v @ ]",
    "[ @ @ @ ]",
    "[ @ = x -o @ @ ]",
    "[[ -v @ ]]",
    "[[ -R @ ]]",
    "unset @",
    "unset -v 'x[@]'",
    "getopts @ @ -a",
    "getopts ab o @",
    "true & wait -p @ -n",
    "true & wait @",
    "coproc @ { :; }",
    "for @ in a; do :; done",
    "select @ in a; do :; done <<< 1",
    "let @",
    "let y=@",
    "let y=(@)",
    "exec {@}> /dev/null",
    "exec {x[@]}> /dev/null",
    "echo >& @",
    "echo > @ 2>& @",
    "echo &> @",
    "alias y=@; alias @",
    "compgen -W @",
    "compgen -C @ x",
    "set -- @ @",
    "shift @",
    "command -v @",
    "hash @",
    "arr=(@ @)",
    "arr=([@]=1)",
    "x[@]=1",
];

/// Ways to call a builtin by another spelling, or behind something else; `~` is the call.
const CALLS: [&str; 19] = [
    "~",
    "~",
    "~",
    "~",
    "builtin ~",
    "command ~",
    "command -p -- ~",
    "command builtin ~",
    "\\~",
    "\"\"~",
    "$''~",
    "z=1 ~",
    "z=(1) ~",
    "> /dev/null ~",
    "2>/dev/null ~",
    "time -p ~",
    "$(:)~",
    "$u ~",
    "\"$@\" ~",
];

fn filled(template: &str, inner: &[(String, String)]) -> String {
    let mut inner = inner.iter().cycle();
    let mut text = String::new();
    for c in template.chars() {
        match c {
            '@' => text.push_str(&inner.next().expect("it goes round").0),
            '%' => text.push_str(&inner.next().expect("it goes round").1),
            _ => text.push(c),
        }
    }
    text
}

fn builtin() -> impl Strategy<Value = String> {
    (prop::sample::select(&CALLS), prop::sample::select(&BUILTINS))
        .prop_map(|(call, builtin)| call.replace('~', builtin))
}

/// Commands inside words inside commands, as shells allow.
fn nested() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["{{v}}", "{{v}}", "{{v}}", "{{w}}", "x", "1"]);
    let pair = (leaf, builtin()).prop_map(|(word, builtin)| {
        let inner = [(word.to_owned(), format!("echo {word}"))];
        (word.to_owned(), filled(&builtin, &inner))
    });
    let pair = pair.prop_recursive(4, 24, 3, |inner| {
        let command =
            prop_oneof![prop::sample::select(&COMMANDS).prop_map(str::to_owned), builtin(),];
        let ways = (prop::sample::select(&WORDS), command);
        (ways, prop::collection::vec(inner, 3))
            .prop_map(|((word, command), inner)| (filled(word, &inner), filled(&command, &inner)))
    });
    pair.prop_map(|(_, command)| command)
}

/// Values that do harm when bash reads them as anything but data.
fn attack() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "x[$(touch pwned)]",
        "x[$(touch pwned)]",
        "x[$(touch pwned)]=1",
        "-vx[$(touch pwned)]",
        "-px[$(touch pwned)]",
        "($(touch pwned))",
        "$(touch pwned)",
        "$(touch pwned)",
        "`touch pwned`",
        "'; touch pwned; '",
        "\"; touch pwned; \"",
        "\nE\ntouch pwned\n",
        "; touch pwned #",
        ") ; touch pwned; (",
        "}; touch pwned",
    ])
}

/// Values that make bash read another value as something else.
fn accomplice() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "eval", "read", "declare", "let", "builtin", "-v", "-vy", "-i", "-n", "-a", "-R", "!", "(",
        "y", "PS4", "-eq", "--",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes_arrive_in_every_place(value in bytes()) {
        check_places(&value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn whatever_the_script_looks_like_a_value_is_never_run(
        script in prop_oneof![1 => pieces(), 3 => nested()],
        value in attack(),
        other in accomplice(),
    ) {
        let Ok(parsed) = Script::parse(&script) else { return Ok(()) };
        let mut scope = scope(value);
        scope.insert("w".to_owned(), Datum::from(other));
        let bound = parsed.bind(&scope).expect("the names are declared");
        if bound.values.is_empty() {
            return Ok(());
        }
        let folder = TempDir::new().expect("a temporary folder");
        run_in(folder.path(), &bound);
        prop_assert!(!folder.path().join("inside/pwned").exists(), "{value:?}, {other:?} in {}", bound.text);
    }

    #[test]
    fn the_text_does_not_depend_on_the_values(script in pieces(), one in "[^\0]*", two in "[^\0]*") {
        if let Ok(parsed) = Script::parse(&script.replace("{{w}}", "{{v}}")) {
            let text = |value: &str| parsed.bind(&scope(value)).expect("declared").text;
            prop_assert_eq!(text(&one), text(&two));
        }
    }
}

/// RE-16.
#[test]
fn any_size_works() {
    let value = "x".repeat(200_000);
    assert_eq!(
        String::from_utf8_lossy(&printed("cat <<'E' | wc -c\n{{v}}\nE\n", value.as_bytes())).trim(),
        "200001"
    );
    let large = "line\n".repeat(1 << 20);
    assert!(printed("printf %s \"{{v}}\"", large.as_bytes()) == large.as_bytes());
}

/// RE-01: the value ends no here-document.
#[test]
fn a_value_that_holds_the_end_word_is_harmless() {
    let value = "first line\nEOF_REQ\ntouch pwned; echo it's";
    let folder = TempDir::new().expect("a temporary folder");
    let output = run_in(folder.path(), &bound("cat <<'EOF_REQ'\n{{v}}\nEOF_REQ\n", &scope(value)));
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{value}\n"));
    assert!(!folder.path().join("inside/pwned").exists());
}

/// RE-04: quotes around a token are harmless.
#[test]
fn quotes_of_the_author_are_harmless() {
    let script = "S='{{v}}'\nprintf '%s' \"$S\"\n";
    let value = r#"{"name":"O'Neil"}"#;
    assert_eq!(printed(script, value.as_bytes()), value.as_bytes());
}

/// RE-05: what a step gave is never read as a token again, and braces that are none stay.
#[test]
fn tokens_are_replaced_once() {
    assert_eq!(printed("printf '%s' '{' '{secret}' '}'", b""), b"{{secret}}");
    assert_eq!(printed("cat <<'E'\n{{v}}\nE\n", b"{{secret}}"), b"{{secret}}\n");
}

#[test]
fn lines_are_counted_as_in_the_recipe() {
    let output = run(&bound("echo {{v}}\nnosuchcommand\n", &scope("x")));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2"), "{output:?}");
}

#[test]
fn a_value_that_is_not_there_ends_the_script() {
    let mut bound = bound("echo start {{v}}", &scope("x"));
    bound.values.clear();
    let output = run(&bound);
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
}

#[test]
fn children_do_not_learn_where_values_are() {
    let found = printed(&format!("printf '%s' \"${{{VALUES_VARIABLE}-gone}}\" {{{{v}}}}"), b"x");
    assert_eq!(found, b"gonex");
}
