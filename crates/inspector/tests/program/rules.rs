//! Rules of users, the choice of rules, and the commands for those who write them.

use std::ffi::OsString;
use std::path::Path;

use fs_err as fs;
use serde_json::Value;

use crate::{Answer, inspector, plant, rules, run};

const RULE: &str = "id: our-print
language: Python
message: Output goes past the log
note: Use the logger.
metadata:
  category: reliability
  severity: medium
  depth: 1
  unfixable: which level the line has is known to its writer
rule: { pattern: print($$$) }
";
const EXAMPLES: &str = "id: our-print
invalid: [print(a), 'print()', 'print(a, b)']
valid: [log(a), 'x.print(a)', '# print(a)']
";

fn rules_command(words: &[&str]) -> Answer {
    let args: Vec<OsString> = ["rules"].iter().chain(words).map(OsString::from).collect();
    run(args.into_iter(), "")
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    plant(folder.path(), files);
    folder
}

fn path(folder: &tempfile::TempDir) -> &str {
    folder.path().to_str().expect("UTF-8")
}

#[test]
fn rules_of_users_find_are_voted_on_and_can_be_chosen() {
    let ours = folder(&[("our-print.yml", RULE), ("our-print.examples.yml", EXAMPLES)]);
    let tree = folder(&[("a.py", "print(a)\nif a == None:\n    f()\n")]);
    let ask = |words: &str, prompt: &str| {
        inspector(tree.path(), &format!("{words} --rules {}", path(&ours)), prompt).json()
    };
    let seek = |words: &str| rules(&ask(&format!("--role seeker {words}"), ""));
    assert_eq!(seek(""), ["a.py our-print", "a.py py-none-comparison"]);
    assert_eq!(seek("--only our-print"), ["a.py our-print"]);
    assert_eq!(seek("--skip our-print"), ["a.py py-none-comparison"]);
    assert_eq!(seek("--only security"), Vec::<String>::new());
    assert_eq!(seek("--skip reliability"), Vec::<String>::new());

    let asked = crate::asked(&ask("--role seeker", "")["findings"]);
    for validator in 1..=3 {
        let ballot = ask(&format!("--role validator --validator {validator}"), &asked);
        assert_eq!(ballot["validated"][0]["verdict"], "confirmed", "{ballot:#}");
    }
}

#[test]
fn a_word_that_is_no_rule_and_no_category_is_a_usage_error() {
    let tree = folder(&[]);
    for flag in ["--only", "--skip"] {
        let answer = inspector(tree.path(), &format!("--role seeker {flag} py-non"), "");
        assert_eq!((answer.status, answer.stdout.as_str()), (2, ""));
        assert!(answer.stderr.contains("`py-non` is neither a rule"), "{}", answer.stderr);
    }
}

#[test]
fn list_and_show_tell_of_each_rule() {
    let list = rules_command(&["list", "--only", "security"]).stdout;
    assert!(list.contains("js-eval"), "{list}");
    assert!(!list.contains("js-debugger"), "{list}");
    let json: Value = rules_command(&["list", "--json"]).json();
    let ids: Vec<&str> =
        json.as_array().expect("a list").iter().filter_map(|r| r["id"].as_str()).collect();
    assert!(ids.contains(&"module-loc-limit") && ids.contains(&"sh-pipe-to-shell"), "{ids:?}");
    let shown = rules_command(&["show", "js-eval"]).stdout;
    for part in ["js-eval", "severity   high", "It finds:", "It leaves:"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    for words in [&["show", "js-evil"][..], &["show"], &["lst"], &[], &["list", "--all", "x"]] {
        assert_eq!(rules_command(words).status, 2, "{words:?}");
    }
}

#[test]
fn authors_are_told_which_example_fails() {
    assert_eq!(rules_command(&["test"]).status, 0);
    let good = folder(&[("our-print.yml", RULE), ("our-print.examples.yml", EXAMPLES)]);
    let answer = rules_command(&["test", "--rules", path(&good)]);
    assert_eq!((answer.status, answer.stdout.as_str()), (0, "rules tested: 1, failed: 0\n"));
    let json = rules_command(&["test", "--json", "--rules", path(&good)]).json();
    assert_eq!(json, serde_json::json!({"tested": 1, "failed": 0, "slips": []}));

    for (examples, expected) in [
        (EXAMPLES.replace("print(a, b)", "show(a)"), "is missed:\nshow(a)"),
        (EXAMPLES.replace("x.print(a)", "print(b)"), "is a false alarm:\nprint(b)"),
        (EXAMPLES.replace("[log(a), 'x.print(a)', '# print(a)']", "[log(a)]"), "needs 3 invalid"),
        (EXAMPLES.replace("id: our-print", "id: their-print"), "examples are for `their-print`"),
    ] {
        let bad = folder(&[("our-print.yml", RULE), ("our-print.examples.yml", &examples)]);
        let answer = rules_command(&["test", "--rules", path(&bad)]);
        assert_eq!(answer.status, 1, "{examples}");
        assert!(answer.stdout.contains(expected), "{}", answer.stdout);
    }
    let alone = folder(&[("our-print.yml", RULE)]);
    let answer = rules_command(&["test", "--rules", path(&alone)]);
    assert!(answer.stdout.contains("no examples beside it"), "{}", answer.stdout);
}

/// `documented` functions with a text, then one without.
fn module(documented: usize) -> String {
    let functions = (0..documented).map(|n| format!("def f{n}():\n    \"\"\"Says.\"\"\"\n\n\n"));
    format!("{}def bare():\n    return 1\n", functions.collect::<String>())
}

#[test]
fn an_item_without_documentation_counts_only_where_the_others_have_it() {
    let rule = RULE
        .replace("our-print", "our-doc")
        .replace("depth: 1", "depth: 1\n  weigh: undocumented")
        .replace("{ pattern: print($$$) }", "{ kind: function_definition }");
    let ours = folder(&[("our-doc.yml", &rule)]);
    for (documented, expected) in [(30, &["a.py our-doc"][..]), (5, &[])] {
        let tree = folder(&[("a.py", &module(documented))]);
        let words = format!("--role seeker --only our-doc --rules {}", path(&ours));
        assert_eq!(rules(&inspector(tree.path(), &words, "").json()), expected, "{documented}");
    }
}

#[test]
fn the_adversary_dissents_where_a_pattern_is_meant_all_over() {
    let tree = tempfile::tempdir().expect("a folder");
    let marked = |n: usize| format!("if a == None:  # noqa: E711\n    f({n})\n");
    for n in 0..8 {
        fs::write(tree.path().join(format!("m{n}.py")), marked(n)).expect("written");
    }
    plant(tree.path(), &[("z.py", "if a == None:\n    f()\n")]);
    let sought = crate::seek(tree.path(), 1);
    assert_eq!(rules(&sought), ["z.py py-none-comparison"]);
    let words: Vec<_> = crate::ballots(tree.path(), &sought["findings"])
        .iter()
        .map(|ballot| ballot["validated"][0].clone())
        .collect();
    assert_eq!(words[0]["verdict"], "confirmed");
    assert_eq!(words[2]["verdict"], "false_positive");
    let reason = words[2]["reasoning"].as_str().expect("a reason");
    assert!(reason.contains("8 of 9 places"), "{reason}");
}

#[test]
fn a_folder_of_rules_that_is_not_there_is_named() {
    let answer = inspector(Path::new("."), "--role seeker --rules /no/such/folder", "");
    assert_ne!(answer.status, 0);
    assert!(answer.stderr.contains("/no/such/folder"), "{}", answer.stderr);
}
