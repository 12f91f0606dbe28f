//! The gate that keeps an agent at work while a phase is open.

use super::ground::Ground;

#[test]
fn the_gate_blocks_while_a_phase_is_open_and_names_the_next_step() {
    let ground = Ground::new();
    let gate = |more: &[&str], stdin: &str| {
        let outcome = ground.program(&["gate"]).args(more).stdin(stdin).run();
        assert_eq!(outcome.stdout, "");
        (outcome.code().expect("it ends by itself"), outcome.stderr)
    };
    let event = r#"{"session_id":"s","hook_event_name":"Stop","stop_hook_active":false}"#;
    let again = r#"{"session_id":"s","hook_event_name":"Stop","stop_hook_active":true}"#;
    assert_eq!(gate(&[], ""), (0, String::new()), "no loop, no gate");
    ground.start(&[]);
    let (code, said) = gate(&["--hook"], event);
    assert_eq!(code, 2);
    assert!(said.ends_with("Next: audit_review\n"), "{said}");
    assert_eq!(gate(&["--hook"], again), (0, String::new()), "once, not for ever");
    assert_eq!(gate(&["--hook"], "no event").0, 2);
    assert_eq!(gate(&[], again).0, 2, "without --hook nothing is read");
    ground.changes(0);
    assert!(gate(&[], "").1.ends_with("Next: audit_simplify\n"));
    ground.call(&["stop"], 1);
    assert_eq!(gate(&["--hook"], event), (0, String::new()));
    let outside = ground.sandbox.tribunal(&["loop", "gate", "--hook"]).stdin(event).run();
    outside.expect_code(0);
}
