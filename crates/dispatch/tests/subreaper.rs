//! What changes once this process adopts the orphans of its children.
//!
//! In a program of its own: every child that `dispatch` did not start counts as an orphan here.

#[expect(dead_code, reason = "the tests without adoption use the rest")]
mod bench;

use std::fs;
use std::process;

use tokio::sync::{Mutex, MutexGuard};
use tribunal_dispatch::{Cancel, Ended, Invocation, Marker, become_subreaper, run, sweep};
use tribunal_test_support::{children_of, processes_with_argument};

use crate::bench::{Bench, End, limited};

const NOBODY: [u32; 0] = [];

/// Adopted children belong to the process, so one test at a time may have any.
async fn adopting() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::const_new(());
    let turn = TURN.lock().await;
    become_subreaper().expect("the system allows it");
    turn
}

#[tokio::test]
async fn an_orphan_without_a_marker_does_not_outlive_the_last_call() {
    let _turn = adopting().await;
    let bench = Bench::new("unmarked");
    for script in [
        "(env -i setsid sleep 300.0701 >/dev/null 2>&1 &); echo done",
        "(env -i setsid sh -c 'setsid sleep 300.0701; sleep 300.0701' >/dev/null 2>&1 &); echo done",
    ] {
        let End { reply, .. } = bench.run(&bench.script(script)).await;
        assert_eq!(reply.ended, Ended::Exited(0));
        assert_eq!(processes_with_argument("300.0701"), NOBODY);
        assert_eq!(children_of(process::id()), NOBODY, "an adopted child was not reaped");
    }
    let script = "env -i setsid sleep 300.0702 & wait";
    let End { reply, .. } = bench.run(&limited(bench.script(script), 300, 3000)).await;
    assert_eq!(reply.ended, Ended::Deadline);
    assert_eq!(processes_with_argument("300.0702"), NOBODY);
    assert_eq!(children_of(process::id()), NOBODY);
}

#[tokio::test]
async fn an_orphan_that_ended_meanwhile_is_reaped() {
    let _turn = adopting().await;
    let bench = Bench::new("zombie");
    let script = "(setsid true &); (true &); until [ -e go ]; do sleep 0.01; done";
    let invocation = bench.script(script);
    let orphans_are_there = async {
        bench.until(|| children_of(process::id()).len() == 3).await;
        fs::write(bench.file("go"), "").expect("our own folder");
    };
    tokio::join!(bench.run(&invocation), orphans_are_there);
    assert_eq!(children_of(process::id()), NOBODY);
}

#[tokio::test]
async fn an_orphan_of_a_running_call_is_left_alone_until_that_call_ends() {
    let _turn = adopting().await;
    let bench = Bench::new("others");
    let call = |number: u32, script: &str| Invocation {
        marker: bench.marker.below(&number.to_string()),
        ..bench.script(script)
    };
    let long = call(
        1,
        "(env -i setsid sleep 300.0801 >/dev/null 2>&1 &); (setsid sleep 300.0802 >/dev/null 2>&1 &); \
         until [ -e go ]; do sleep 0.01; done",
    );
    let short = call(2, "(setsid sleep 300.0803 >/dev/null 2>&1 &); echo done");
    let spool = |name| fs::File::create(bench.file(name)).expect("our own folder");
    let up = |argument| processes_with_argument(argument).len() == 1;
    let second = async {
        bench.until(|| up("300.0801") && up("300.0802")).await;
        run(&short, spool("short"), Cancel::never()).await.expect("it starts");
        assert!(up("300.0801") && up("300.0802") && !up("300.0803"));
        fs::write(bench.file("go"), "").expect("our own folder");
    };
    let (first, ()) = tokio::join!(run(&long, spool("long"), Cancel::never()), second);
    assert_eq!(first.expect("it starts").ended, Ended::Exited(0));
    for argument in ["300.0801", "300.0802"] {
        assert_eq!(processes_with_argument(argument), NOBODY);
    }
    assert_eq!(children_of(process::id()), NOBODY);
}

#[tokio::test]
async fn a_sweep_of_the_run_ends_its_calls_and_their_own_end_is_still_seen() {
    let _turn = adopting().await;
    let bench = Bench::new("run-sweep");
    let run_marker = Marker::of_run(&format!("run-sweep-{}", process::id()));
    let invocation = bench.script("sleep 300.0901 & echo up; wait");
    let sweeping = async {
        bench.until(|| bench.spooled_bytes() > 0).await;
        let swept = tokio::task::spawn_blocking(move || sweep(&run_marker)).await;
        assert_eq!(swept.expect("it does not panic").left, NOBODY);
    };
    let (End { reply, .. }, ()) = tokio::join!(bench.run(&invocation), sweeping);
    assert_eq!((reply.ended, reply.rung), (Ended::Signalled(9), None));
    assert_eq!(children_of(process::id()), NOBODY);
}
