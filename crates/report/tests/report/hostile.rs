//! Agents' words are data in all renderings (RP-06, RP-10).

use std::fmt::Write;

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use tribunal_finding::Severity;
use tribunal_report::{
    CheckEnd, CheckedCycle, Cycle, Decision, Fate, FindingProof, Isolated, KeptReply, Outcome,
    Proof, ProofVerdict, Snapshot, Undone, Verdict, View, json, markdown, text,
};

use crate::views::{empty, finding, full, vote};

/// A view in which everything that an agent, a recipe or a repository may word is `hostile`.
fn everywhere(hostile: &str) -> View {
    let say = || hostile.to_owned();
    let mut open = finding("F1", Severity::High, ("a.rs", 1), Fate::Open);
    open.place.file = say();
    open.description = say();
    open.evidence = say();
    open.recommendation = say();
    let mut counted = vote(Verdict::Confirmed, 2, 0, Some(Severity::High));
    counted.reasoning = vec![say(), say()];
    open.vote = Some(counted);
    let fate = Fate::Skipped { reason: say() };
    let mut skipped = finding("F2", Severity::High, ("b.rs", 1), fate);
    skipped.description = say();
    let mut view = View {
        target: say(),
        started: say(),
        outcome: Outcome::Paused { why: say(), resume: say() },
        findings: vec![open, skipped],
        summary: Some(say()),
        self_improvement: Some(say()),
        warnings: vec![say()],
        kept_replies: vec![KeptReply { cycle: 1, label: say(), place: say() }],
        snapshots: vec![Snapshot { number: 1, what: say(), place: say() }],
        undone: Some(Undone { complete: true, kept: say() }),
        isolated: Some(Isolated { worktree: say(), branch: say(), applied: false, apply: say() }),
        proof: Some(proof(hostile)),
        ..full()
    };
    view.recipe.name = say();
    view.recipe.origin = say();
    view.cycles = vec![Cycle {
        verification: vec![say()],
        decision: Some(Decision { next: None, reason: say() }),
        ..view.cycles[0].clone()
    }];
    for validator in &mut view.cycles[0].validators {
        validator.note = Some(say());
    }
    view
}

/// The same for what a check command prints.
fn proof(hostile: &str) -> Proof {
    let say = || vec![hostile.to_owned()];
    let end = CheckEnd { passed: false, exit: Some(1), failing: say() };
    let verdicts = [
        ProofVerdict::Proven,
        ProofVerdict::Unnoticed,
        ProofVerdict::Indeterminate { units: say() },
        ProofVerdict::NotTried { why: hostile.to_owned() },
    ];
    let findings = verdicts.map(|verdict| FindingProof {
        finding_id: crate::views::id("F1"),
        hunks: say(),
        together: false,
        fails_when_reverted: say(),
        verdict,
    });
    let cycle = CheckedCycle {
        cycle: 1,
        before: end.clone(),
        after: Some(end),
        mended: say(),
        findings: findings.to_vec(),
    };
    let command = hostile.to_owned();
    Proof { command, cycles: vec![cycle], broken: say(), unusable: Some(hostile.to_owned()) }
}

fn check_inert(hostile: &str) {
    let view = everywhere(hostile);
    let pages = [text(&view), markdown(&view), json(&view)];
    for page in &pages {
        for character in page.chars() {
            let is_safe = !character.is_control() || character == '\n';
            assert!(is_safe, "{character:?} in {page}");
            assert!(!matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
        }
        for line in page.lines() {
            assert!(!line.trim().starts_with("::"), "{line:?}");
            let line = line.to_lowercase();
            for command in ["##[", "##vso[", "##teamcity["] {
                assert!(!line.contains(command), "{line:?}");
            }
        }
    }
    let [_, markdown, _] = pages;
    let cells = Words::of(&markdown).cells;
    let fates: Vec<&str> = cells.chunks(7).map(|row| row[6].as_str()).collect();
    assert_eq!(fates, ["fate", "open", "skipped"], "{markdown}");
    assert_eq!(structure(&markdown), structure(&tribunal_report::markdown(&everywhere("word"))));
}

/// Everything that Markdown makes of a page apart from its words and line ends.
fn structure(page: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH;
    let mut seen: Vec<String> = Vec::new();
    for event in Parser::new_ext(page, options) {
        match event {
            Event::Text(_) | Event::SoftBreak | Event::HardBreak => {}
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) => {
                assert_eq!(&*kind, "text");
                seen.push("fence".to_owned());
            }
            Event::Start(Tag::Heading { level, .. }) => seen.push(format!("heading {level}")),
            // A quotation holds as many paragraphs as were said.
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
            other => seen.push(format!("{other:?}")),
        }
    }
    seen
}

#[test]
fn markup_controls_and_workflow_commands_do_nothing() {
    for hostile in [
        "::add-mask::x\n::error file=src/a.rs,line=1::pwned\n::stop-commands::tok\n",
        "x\n   ::error::indented\n\t::error::tab\n\u{a0}::error::blank",
        "##[error]x ##vso[task.setvariable]y ##teamcity[z] ###[q] ##VSO[t]",
        "a | b\nsecond | line",
        "```\nlet x = 1;\n```\n<img src=x onerror=alert(1)> *bold*",
        "````` inside ````` and ~~~\n~~~\n`````",
        "<script>alert(1)</script> <!-- --> &lt; <details>",
        "# heading\n\nSetext\n===\n---\n- list\n1. list\n1) list\n+ list\n* list",
        "> quote\n\n    code\n\n***\n___\n",
        "![x](http://x) [a](b) [a]: b\n[^1]: note\n- [ ] task",
        "\u{1b}[2J\u{1b}]0;title\u{7}\u{8}\r\rgone\u{0}\u{9b}31m",
        "\u{202e}reversed\u{2066}\u{200b}\u{feff}\u{2028}line\u{2029}",
        "$math$ $$more$$ ~~gone~~ __em__ **b** _e_ a_b_c",
        "trailing\\\n\\",
        "|---|---|\n| a | b |\n|---|---|",
        "-",
        "=",
        "#",
        "1.",
        "+ ",
        "\\",
        "`",
    ] {
        check_inert(hostile);
    }
}

/// What stands in a page's table cells, in its fences, and elsewhere.
#[derive(Default)]
struct Words {
    cells: Vec<String>,
    fences: Vec<String>,
    elsewhere: String,
}

impl Words {
    fn of(page: &str) -> Self {
        let mut words = Self::default();
        let (mut is_cell, mut is_fence) = (false, false);
        for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::TableCell) => {
                    is_cell = true;
                    words.cells.push(String::new());
                }
                Event::End(TagEnd::TableCell) => is_cell = false,
                Event::Start(Tag::CodeBlock(_)) => {
                    is_fence = true;
                    words.fences.push(String::new());
                }
                Event::End(TagEnd::CodeBlock) => is_fence = false,
                Event::Text(text) => match (words.cells.last_mut(), words.fences.last_mut()) {
                    (Some(cell), _) if is_cell => cell.push_str(&text),
                    (_, Some(fence)) if is_fence => fence.push_str(&text),
                    _ => writeln!(words.elsewhere, "{text}").expect("a String takes all"),
                },
                Event::Html(html) | Event::InlineHtml(html) => panic!("{html}"),
                _ => {}
            }
        }
        words
    }
}

#[test]
fn a_table_keeps_its_columns_and_evidence_its_words() {
    let mut one = finding("F1", Severity::High, ("a.rs", 1), Fate::Open);
    one.description = "a | b\nsecond line".to_owned();
    one.evidence = "```\nlet x = 1;\n```\n<img src=x onerror=alert(1)> *bold*".to_owned();
    let evidence = one.evidence.clone();
    let after = finding("F2", Severity::Low, ("b.rs", 9), Fate::Open);
    let page = markdown(&View { findings: vec![one, after], ..empty() });
    let words = Words::of(&page);
    let rows: Vec<&[String]> = words.cells.chunks(7).collect();
    assert_eq!(rows.len(), 3, "{page}");
    let what = "a | b second line";
    assert_eq!(rows[1], ["F1", "high", "security", "a.rs:1", what, "not counted", "open"]);
    assert_eq!(rows[2][6], "open");
    assert_eq!(words.fences.len(), 2);
    assert_eq!(words.fences[0].trim_end(), evidence);
    assert!(words.elsewhere.contains("F2: low, open"), "nothing after it is swallowed:\n{page}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_words_change_the_shape_of_a_report(
        hostile in "([-:#`*_|<>\\[\\]()~$&!=+>. \\\\@\n\r\t0-9a-c]|\u{1b}|\u{202e}|##\\[|::|```|~~~|\n\n){0,40}"
    ) {
        // Blank words leave out what they would stand for.
        prop_assume!(hostile.chars().any(char::is_alphanumeric));
        check_inert(&hostile);
    }

    #[test]
    fn json_gives_back_what_was_said(said in any::<String>()) {
        let view = View { summary: Some(said.clone()), ..empty() };
        let file: serde_json::Value = serde_json::from_str(&json(&view)).expect("JSON");
        prop_assert_eq!(file["summary"].as_str(), Some(said.as_str()));
    }
}
