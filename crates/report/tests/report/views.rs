//! Views to be rendered.

use tribunal_finding::{Category, FindingId, Place, Severity};
use tribunal_report::{
    Answer, Cycle, Decision, Dropped, Fate, Finding, KeptReply, Outcome, Recipe, Snapshot, Usage,
    Validator, Verdict, View, Vote,
};

/// A completed run in which nothing happened.
pub(crate) fn empty() -> View {
    View {
        run: "0198c2a4-7f00-7cc1-8b1e-5d2f0a9e4b11".to_owned(),
        recipe: Recipe {
            name: "quality-audit-cycle".to_owned(),
            version: "4.0.0".to_owned(),
            origin: "built in".to_owned(),
        },
        target: "src".to_owned(),
        started: "2026-03-01 10:00:00 UTC".to_owned(),
        ended: "2026-03-01 10:04:12 UTC".to_owned(),
        outcome: Outcome::Completed,
        undone: None,
        isolated: None,
        cycles: Vec::new(),
        findings: Vec::new(),
        summary: None,
        self_improvement: None,
        proof: None,
        warnings: Vec::new(),
        kept_replies: Vec::new(),
        snapshots: Vec::new(),
        usage: Usage { invocations: 1, wall: 1_200, ..Usage::default() },
    }
}

pub(crate) fn id(text: &str) -> FindingId {
    FindingId::new(text).expect("an id")
}

pub(crate) fn finding(name: &str, severity: Severity, place: (&str, u32), fate: Fate) -> Finding {
    Finding {
        id: id(name),
        cycle: 1,
        category: Category::Security,
        severity,
        place: Place { file: place.0.to_owned(), line: Some(place.1) },
        description: format!("What is wrong with {name}."),
        evidence: "let key = \"secret\";".to_owned(),
        recommendation: "Read it from the environment.".to_owned(),
        vote: None,
        fate,
        reopens: None,
    }
}

pub(crate) fn vote(verdict: Verdict, yes: u32, no: u32, severity: Option<Severity>) -> Vote {
    Vote {
        verdict,
        confirmed: yes,
        false_positive: no,
        final_severity: severity,
        decision_severity: severity.filter(|_| verdict == Verdict::Confirmed),
        reasoning: Vec::new(),
    }
}

pub(crate) fn validators(answers: [Answer; 3]) -> Vec<Validator> {
    let one = |(answer, number)| Validator { label: format!("v{number}"), answer, note: None };
    answers.into_iter().zip(1..).map(one).collect()
}

/// A run with something of everything.
pub(crate) fn full() -> View {
    let mut first = finding("F1", Severity::Critical, ("src/login.py", 41), Fate::Fixed);
    first.description = "The password is written to the log in plain text.".to_owned();
    first.vote = Some(vote(Verdict::Confirmed, 3, 0, Some(Severity::High)));
    let mut second = finding("F2", Severity::High, ("src/cart.py", 7), Fate::Phantom);
    second.category = Category::ErrorSwallowing;
    second.description = "Every error of the payment provider is caught and dropped, so that an \
                          order counts as paid although no money came; nobody notices."
        .to_owned();
    second.evidence = "try:\n    pay(order)\nexcept Exception:\n    pass".to_owned();
    second.recommendation = "Catch PaymentError alone and give it back to the caller.".to_owned();
    let mut decisive = vote(Verdict::Confirmed, 3, 0, Some(Severity::Medium));
    decisive.decision_severity = Some(Severity::High);
    decisive.reasoning = vec!["The caller does not look.\nSeen in `checkout`.".to_owned()];
    second.vote = Some(decisive);
    let reason = "needs a change of the public API, planned with version 3".to_owned();
    let mut third = finding("F3", Severity::Medium, ("src/cart.py", 9), Fate::Skipped { reason });
    third.vote = Some(vote(Verdict::Confirmed, 2, 1, Some(Severity::Medium)));
    let mut fourth = finding("F4", Severity::Medium, ("README.md", 1), Fate::Rejected);
    fourth.category = Category::Documentation;
    fourth.place.line = None;
    fourth.vote = Some(vote(Verdict::FalsePositive, 0, 2, None));
    let mut fifth = finding("c2-F1", Severity::Low, ("src/util.py", 3), Fate::Unconfirmed);
    fifth.reopens = Some(id("F1"));
    fifth.cycle = 2;
    fifth.vote = Some(vote(Verdict::Unconfirmed, 0, 0, None));
    View {
        cycles: cycles(),
        findings: vec![first, second, third, fourth, fifth],
        summary: Some("Two cycles ran.\n\n- one fix holds\n- one does not".to_owned()),
        self_improvement: Some("Validators took most of the time.".to_owned()),
        warnings: vec![
            "[merge-validations] WARNING: validator v2 output unparseable; counting zero votes \
             from it. Raw output preserved at: \
             ./eval_results/quality_audit/cycle_1/validator_v2_raw.txt"
                .to_owned(),
        ],
        kept_replies: vec![KeptReply {
            cycle: 1,
            label: "v2".to_owned(),
            place: "./eval_results/quality_audit/cycle_1/validator_v2_raw.txt".to_owned(),
        }],
        snapshots: vec![Snapshot {
            number: 4,
            what: "the tree as the fixer left it".to_owned(),
            place: "refs/tribunal/0198c2a4/4".to_owned(),
        }],
        usage: Usage {
            invocations: 9,
            wall: 252_000,
            input_tokens: Some(120_431),
            output_tokens: Some(8_112),
            cost_micros: Some(420_000),
        },
        ..empty()
    }
}

fn cycles() -> Vec<Cycle> {
    let mut answers = validators([Answer::Ballot, Answer::Unparseable, Answer::NoBallot]);
    answers[1].note = Some("failed (exit 1)".to_owned());
    let verification = [
        "Confirmed findings: 3",
        "Fixed: 1",
        "Skipped: 1",
        "Unfixed: 1",
        "VERIFY: FAIL — phantom fix for finding F2: src/cart.py did not change",
    ];
    let one = Cycle {
        number: 1,
        found: Some(4),
        carried: Vec::new(),
        dropped: Dropped { below_threshold: 2, unfit: 1, ..Dropped::default() },
        validators: answers,
        verification: verification.map(str::to_owned).to_vec(),
        decision: Some(Decision {
            next: Some(2),
            reason: "new confirmed findings of severity high or critical: 1".to_owned(),
        }),
    };
    let two = Cycle {
        number: 2,
        found: Some(1),
        carried: vec![id("F2")],
        validators: validators([Answer::Empty; 3]),
        decision: Some(Decision {
            next: None,
            reason: "the maximum number of cycles has run".to_owned(),
        }),
        ..Cycle::default()
    };
    vec![one, two]
}
