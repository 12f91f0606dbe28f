//! Real children that misbehave in every way we know: none outlives its call, nothing said is lost.

mod bench;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tribunal_dispatch::{
    Cancel, Canceller, Ended, Invocation, LaunchErrorKind, Marker, Reply, Rung, Stdin, run, start,
    sweep,
};
use tribunal_test_support::{Program, carriers, processes_with_argument, wait_until};

use crate::bench::{Bench, End, PATIENCE, limited, text};

const NOBODY: [u32; 0] = [];

#[tokio::test]
async fn a_child_gets_its_input_environment_and_folder_and_nothing_else() {
    let bench = Bench::new("plain");
    let mut invocation = bench.script("cat; pwd -P; env | sort; echo oops >&2; exit 7");
    invocation.stdin = Stdin::Bytes(b"the prompt\n".to_vec());
    invocation.env.push(("TRIBUNAL_ROLE".into(), "seeker".into()));
    invocation.env.push(("TRIBUNAL_MARKER".into(), "somebody else's".into()));
    let End { reply, spooled, .. } = bench.run(&invocation).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Exited(7), None));
    assert_eq!(reply.stderr, b"oops\n");
    assert_eq!(reply.stdout.bytes, spooled);
    assert!(!reply.stdout.truncated && reply.stdout.total == spooled.len() as u64);
    let mut lines = text(&spooled).lines();
    assert_eq!(lines.next(), Some("the prompt"));
    assert_eq!(lines.next(), bench.folder().to_str());
    let names = lines.filter_map(|line| line.split_once('=')).map(|(name, _)| name);
    // The shell itself adds PWD, and may add its depth and last command.
    let given: Vec<&str> =
        names.filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name)).collect();
    assert_eq!(given, ["PATH", "TRIBUNAL_MARKER", "TRIBUNAL_ROLE"]);
    assert!(text(&spooled).contains(&format!("TRIBUNAL_MARKER={}\n", bench.marker)));
}

/// DI-01
#[tokio::test]
async fn a_deadline_ends_the_grandchildren_too() {
    let bench = Bench::new("di-01");
    let invocation = limited(bench.script("sleep 300.0101 & wait"), 300, 3000);
    let End { reply, took, .. } = bench.run(&invocation).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Deadline, Some(Rung::Term)));
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert_eq!(processes_with_argument("300.0101"), NOBODY);
}

/// DI-05
#[tokio::test]
async fn an_agent_that_reads_to_the_end_of_its_input_is_given_one() {
    let bench = Bench::new("di-05");
    for stdin in [Stdin::Null, Stdin::Bytes(Vec::new()), Stdin::Bytes(b"prompt".to_vec())] {
        let mut invocation = bench.script("cat >/dev/null; echo '{\"validated\":[]}'");
        invocation.stdin = stdin;
        let End { reply, took, .. } = bench.run(&invocation).await;
        assert_eq!(reply.ended, Ended::Exited(0));
        assert_eq!(reply.stdout.bytes, b"{\"validated\":[]}\n");
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
}

/// DI-09
#[tokio::test]
async fn an_exit_code_and_what_was_said_before_it_reach_the_caller() {
    let bench = Bench::new("di-09");
    let invocation = bench.script("echo 'Prepared 12 agents'; echo 'Plugin ready'; exit 1");
    let End { reply, .. } = bench.run(&invocation).await;
    assert_eq!(reply.ended, Ended::Exited(1));
    assert_eq!(text(&reply.stdout.bytes), "Prepared 12 agents\nPlugin ready\n");
}

/// DI-11
#[tokio::test]
async fn a_character_that_comes_in_two_pieces_arrives_whole() {
    let bench = Bench::new("di-11");
    let invocation = bench.script(
        "printf 'reasoning: \\342'; until [ -e go ]; do sleep 0.01; done; printf '\\234\\223'",
    );
    let second_piece = async {
        let first = "reasoning: ".len() as u64 + 1;
        bench.until(|| bench.spooled_bytes() == first).await;
        fs::write(bench.file("go"), "").expect("our own folder");
    };
    let (End { reply, .. }, ()) = tokio::join!(bench.run(&invocation), second_piece);
    assert_eq!(text(&reply.stdout.bytes), "reasoning: ✓");
}

/// DI-12, DI-13
#[tokio::test]
async fn what_was_said_before_a_deadline_is_kept() {
    let bench = Bench::new("di-12");
    for said in ["Error: quota used up", r#"{"validated":[{"finding_id":"F1"}]}"#] {
        let script = format!("echo '{said}'; echo late >&2; sleep 100000");
        let invocation = limited(bench.script(&script), 500, 3000);
        let End { reply, spooled, .. } = bench.run(&invocation).await;
        assert_eq!((reply.ended, reply.rung), (Ended::Deadline, Some(Rung::Term)));
        assert_eq!(text(&spooled), format!("{said}\n"));
        assert_eq!(reply.stdout.bytes, spooled);
        assert_eq!(reply.stderr, b"late\n");
    }
}

/// DI-14
#[tokio::test]
async fn a_missing_agent_is_an_error_that_names_it() {
    let bench = Bench::new("di-14");
    let mut invocation = bench.script("");
    for program in ["no-such-agent", "./no-such-agent", "/no/such/agent"] {
        invocation.program = program.into();
        let error = bench.failure(&invocation).await;
        assert!(matches!(error.kind(), LaunchErrorKind::NotFound), "{error}");
        assert_eq!(error.to_string(), format!("`{program}`: not found (127)"));
    }
    invocation.program = "sh".into();
    invocation.env.clear();
    let error = bench.failure(&invocation).await;
    assert!(matches!(error.kind(), LaunchErrorKind::NotFound), "{error}");
}

#[tokio::test]
async fn a_program_that_cannot_be_executed_is_told_from_a_missing_one() {
    let bench = Bench::new("126");
    let mut invocation = bench.script("");
    for (name, content, mode) in
        [("plain.txt", "notes", 0o644), ("no-interpreter", "#!/no/such/interpreter\n", 0o755)]
    {
        fs::write(bench.file(name), content).expect("our own folder");
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(bench.file(name), mode).expect("our own file");
        invocation.program = format!("./{name}").into();
        let error = bench.failure(&invocation).await;
        assert!(matches!(error.kind(), LaunchErrorKind::NotExecutable(_)), "{error}");
        assert!(error.to_string().contains("not executable (126)"), "{error}");
    }
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_told_from_a_missing_program() {
    let bench = Bench::new("cwd");
    let mut invocation = bench.script("");
    fs::write(bench.file("file"), "").expect("our own folder");
    for folder in ["absent", "file"] {
        invocation.cwd = bench.file(folder);
        let error = bench.failure(&invocation).await;
        assert!(matches!(error.kind(), LaunchErrorKind::Cwd(_)), "{error}");
    }
}

#[tokio::test]
async fn what_the_system_refuses_is_an_error() {
    let bench = Bench::new("e2big");
    let mut invocation = bench.script(":");
    // Longer than one argument may be.
    invocation.args.push("x".repeat(1 << 20).into());
    let error = bench.failure(&invocation).await;
    assert!(matches!(error.kind(), LaunchErrorKind::Io(_)), "{error}");
    invocation.args.pop();
    invocation.env.push(("NAME".into(), OsString::from("a\0b")));
    let error = bench.failure(&invocation).await;
    assert!(matches!(error.kind(), LaunchErrorKind::Io(_)), "{error}");
}

#[tokio::test]
async fn a_flood_on_both_pipes_is_drained_and_kept() {
    const FLOOD: usize = 64 << 20;
    let bench = Bench::new("flood");
    let mut invocation = bench.script(
        "head -c 67108864 /dev/zero | tr '\\0' e >&2 & head -c 67108864 /dev/zero | tr '\\0' o; wait",
    );
    invocation.limits.stdout_cap = 1000;
    invocation.limits.stderr_cap = 2000;
    let End { reply, spooled, .. } = bench.run(&invocation).await;
    assert_eq!(reply.ended, Ended::Exited(0));
    assert_eq!(spooled.len(), FLOOD);
    assert!(spooled.iter().all(|byte| *byte == b'o'));
    assert_eq!((reply.stdout.truncated, reply.stdout.total), (true, FLOOD as u64));
    assert_eq!(reply.stdout.bytes, [b'o'; 1000]);
    assert_eq!(reply.stderr, [b'e'; 2000]);
}

#[tokio::test]
async fn a_flood_without_end_meets_its_deadline() {
    let bench = Bench::new("endless");
    let invocation = limited(bench.script("yes >&2 & yes >/dev/null"), 300, 3000);
    let End { reply, took, .. } = bench.run(&invocation).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Deadline, Some(Rung::Term)));
    assert!(took < Duration::from_secs(3), "{took:?}");
}

#[tokio::test]
async fn a_large_prompt_goes_in_while_as_much_comes_out() {
    let bench = Bench::new("echo");
    let prompt: Vec<u8> = (0..4_u32 << 20).map(|at| at.to_le_bytes()[1]).collect();
    let mut invocation = bench.script("cat");
    invocation.stdin = Stdin::Bytes(prompt.clone());
    let End { reply, spooled, .. } = bench.run(&invocation).await;
    assert_eq!(reply.ended, Ended::Exited(0));
    assert!(spooled == prompt, "{} of {} bytes", spooled.len(), prompt.len());
}

#[tokio::test]
async fn a_child_that_stops_reading_its_prompt_is_no_fault() {
    let bench = Bench::new("early-close");
    for script in ["exec <&-; echo answer", "head -c 10 >/dev/null; echo answer", "echo answer"] {
        let mut invocation = bench.script(script);
        invocation.stdin = Stdin::Bytes(vec![b'p'; 4 << 20]);
        let End { reply, spooled, .. } = bench.run(&invocation).await;
        assert_eq!((reply.ended, text(&spooled)), (Ended::Exited(0), "answer\n"), "{script}");
    }
}

#[tokio::test]
async fn one_that_is_deaf_to_term_is_killed_after_its_grace() {
    let bench = Bench::new("deaf");
    let script = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
    let End { reply, took, .. } = bench.run(&limited(bench.script(script), 300, 300)).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Deadline, Some(Rung::Kill)));
    assert!(took >= Duration::from_millis(600) && took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn one_that_cleans_up_on_term_has_the_time_to() {
    let bench = Bench::new("clean-up");
    let script = "trap 'sleep 0.2; echo cleaned; exit 0' TERM; echo ready; sleep 100 & wait";
    let End { reply, spooled, .. } = bench.cancel_after_first_words(1, script).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Cancelled, Some(Rung::Term)));
    assert_eq!(text(&spooled), "ready\ncleaned\n");
}

#[tokio::test]
async fn a_silent_child_is_ended_and_a_talking_one_is_not() {
    let bench = Bench::new("idle");
    let mut silent = bench.script("echo once; sleep 1000");
    silent.limits.idle = Some(Duration::from_millis(500));
    let End { reply, spooled, .. } = bench.run(&silent).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Idle, Some(Rung::Term)));
    assert_eq!(text(&spooled), "once\n");

    let mut talking = bench.script("for i in 1 2 3 4 5 6 7 8; do sleep 0.3; echo $i >&2; done");
    talking.limits.idle = Some(Duration::from_millis(2000));
    assert_eq!(bench.run(&talking).await.reply.ended, Ended::Exited(0));
}

#[tokio::test]
async fn a_signal_of_somebody_else_is_reported_as_such() {
    let bench = Bench::new("signal");
    let End { reply, .. } = bench.run(&bench.script("kill -9 $$")).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Signalled(9), None));
}

#[tokio::test]
async fn a_grandchild_in_the_group_does_not_outlive_a_normal_end() {
    let bench = Bench::new("leftover");
    let script = "sleep 300.0201 >/dev/null 2>&1 & echo done";
    let End { reply, took, .. } = bench.run(&bench.script(script)).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Exited(0), None));
    assert!(took < Duration::from_millis(450), "no pipe is held: {took:?}");
    assert_eq!(processes_with_argument("300.0201"), NOBODY);
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_delays_the_end_by_half_a_second() {
    let bench = Bench::new("holder");
    let End { reply, took, .. } = bench.run(&bench.script("sleep 300.0301 & echo done")).await;
    assert_eq!((reply.ended, text(&reply.stdout.bytes)), (Ended::Exited(0), "done\n"));
    assert!(took >= Duration::from_millis(500) && took < Duration::from_secs(3), "{took:?}");
    assert!(reply.wall < Duration::from_millis(450), "{:?}", reply.wall);
}

#[tokio::test]
async fn a_grandchild_in_a_session_of_its_own_is_found_by_its_marker() {
    let bench = Bench::new("setsid");
    for script in [
        "setsid sleep 300.0401 >/dev/null 2>&1 & echo done",
        "(setsid sh -c 'trap \"\" TERM HUP; sleep 300.0401; sleep 300.0401' &); echo done",
    ] {
        let End { reply, .. } = bench.run(&bench.script(script)).await;
        assert_eq!((reply.ended, text(&reply.stdout.bytes)), (Ended::Exited(0), "done\n"));
        assert_eq!(processes_with_argument("300.0401"), NOBODY);
    }
    let script = "setsid sleep 300.0402 & wait";
    let End { reply, .. } = bench.run(&limited(bench.script(script), 300, 3000)).await;
    assert_eq!(reply.ended, Ended::Deadline);
    assert_eq!(processes_with_argument("300.0402"), NOBODY);
}

#[tokio::test]
async fn cancelling_gives_a_grace_and_cancelling_twice_does_not() {
    let bench = Bench::new("cancel");
    let End { reply, .. } = bench.cancel_after_first_words(1, "echo up; sleep 1000").await;
    assert_eq!((reply.ended, reply.rung), (Ended::Cancelled, Some(Rung::Term)));
    let deaf = "trap '' TERM; echo up; while :; do sleep 0.05; done";
    let End { reply, took, .. } = bench.cancel_after_first_words(2, deaf).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Cancelled, Some(Rung::Kill)));
    assert!(took < Duration::from_millis(2500), "the grace is 3 s: {took:?}");
}

#[tokio::test]
async fn a_call_that_is_cancelled_before_it_begins_starts_nothing() {
    let bench = Bench::new("cancelled-before");
    let (canceller, cancel) = Canceller::new();
    canceller.cancel();
    let End { reply, .. } = bench.run_with(&bench.script("echo up > file"), cancel).await;
    assert_eq!((reply.ended, reply.rung), (Ended::Cancelled, None));
    assert!(!bench.file("file").exists());
}

#[tokio::test]
async fn a_dropped_call_takes_everything_with_it() {
    let bench = Bench::new("drop");
    let script = "trap '' TERM; setsid sleep 300.0501 & sleep 300.0502 & while :; do sleep 1; done";
    let invocation = bench.script(script);
    let up = |argument| !processes_with_argument(argument).is_empty();
    tokio::select! {
        End { reply, .. } = bench.run(&invocation) => panic!("it does not end by itself: {reply:?}"),
        () = bench.until(|| up("300.0501") && up("300.0502")) => {}
    }
    bench.assert_nothing_is_left();
    for argument in ["300.0501", "300.0502"] {
        assert_eq!(processes_with_argument(argument), NOBODY);
    }
}

#[tokio::test]
async fn a_call_can_be_a_task_and_ends_when_the_task_is_aborted() {
    let bench = Bench::new("task");
    let (invocation, spool) = (bench.script("echo up; sleep 1000"), bench.spool());
    let task = tokio::spawn(async move { run(&invocation, spool, Cancel::never()).await });
    bench.until(|| bench.spooled_bytes() > 0).await;
    task.abort();
    assert!(task.await.expect_err("it was aborted").is_cancelled());
    bench.assert_nothing_is_left();
}

#[tokio::test]
async fn a_started_child_is_there_before_it_is_waited_for() {
    let bench = Bench::new("start");
    let mut invocation = bench.script("exec cat");
    invocation.stdin = Stdin::Bytes(Vec::new());
    let running = start(&invocation, bench.spool()).expect("it starts");
    let pid = running.pid().expect("it was not waited for");
    wait_until(|| bench.living() == [pid], PATIENCE, "the child carries its marker");
    let reply = running.finish(Cancel::never()).await.expect("its output is kept");
    assert_eq!(reply.ended, Ended::Exited(0));
    bench.assert_nothing_is_left();
}

#[tokio::test]
async fn output_that_cannot_be_kept_ends_the_child_and_is_an_error() {
    let bench = Bench::new("spool");
    let invocation = bench.script("echo words; sleep 1000");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let error = run(&invocation, full, Cancel::never()).await.expect_err("no space is left");
    assert!(matches!(error.kind(), LaunchErrorKind::Spool(_)), "{error}");
    bench.assert_nothing_is_left();
}

#[tokio::test]
async fn calls_run_at_once_and_one_ending_leaves_the_others_alone() {
    let bench = Bench::new("at-once");
    let call = async |number: u32| {
        // Each leaves something behind and waits until all three have started.
        let script = format!(
            "(setsid sleep 300.060{number} >/dev/null 2>&1 &); touch up-{number}; \
             until [ -e up-1 ] && [ -e up-2 ] && [ -e up-3 ]; do sleep 0.01; done; \
             sleep 0.{number}; echo fine"
        );
        let marker = bench.marker.below(&number.to_string());
        let invocation = Invocation { marker, ..bench.script(&script) };
        let spool = fs::File::create(bench.file(&format!("spool-{number}"))).expect("our folder");
        run(&invocation, spool, Cancel::never()).await.expect("it starts")
    };
    let replies: [Reply; 3] = tokio::join!(call(1), call(2), call(3)).into();
    for (reply, number) in replies.iter().zip(1..) {
        assert_eq!((reply.ended, text(&reply.stdout.bytes)), (Ended::Exited(0), "fine\n"));
        assert_eq!(processes_with_argument(&format!("300.060{number}")), NOBODY);
    }
}

#[tokio::test]
async fn the_end_of_a_child_is_seen_at_once() {
    let bench = Bench::new("latency");
    let invocation = bench.script("exec date +%s%N");
    let mut fastest = Duration::MAX;
    for _ in 0..20 {
        let spool = bench.spool();
        let reply = run(&invocation, spool, Cancel::never()).await.expect("it starts");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
        // The child's last act is to say what time it is.
        let nanos = text(&reply.stdout.bytes).trim().parse().expect("a number");
        fastest = fastest.min(now.saturating_sub(Duration::from_nanos(nanos)));
    }
    println!("seen after {fastest:?}");
    assert!(fastest < Duration::from_millis(20), "{fastest:?}");
}

#[test]
fn a_sweep_by_the_marker_of_a_run_takes_all_its_calls_and_no_other() {
    let run = Marker::of_run(&format!("sweep-{}", std::process::id()));
    let other = Marker::of_run(&format!("sweep-{}0", std::process::id()));
    let path = std::env::var_os("PATH").expect("tests have a PATH");
    let start = |marker: &Marker| {
        let environment =
            [("PATH".into(), path.clone()), (Marker::VARIABLE.into(), marker.as_str().into())];
        Program::new("sleep", &environment).arg("1000").spawn()
    };
    let entry = |marker: &Marker| format!("{}={marker}", Marker::VARIABLE);
    let (call, owner, foreign) = (start(&run.below("1/seek/1")), start(&run), start(&other));
    wait_until(|| carriers(&entry(&other)).len() == 1, PATIENCE, "the other one is up");
    let swept = sweep(&run);
    assert_eq!((swept.killed.len(), swept.left.len()), (2, 0));
    assert_eq!(carriers(&entry(&other)), [foreign.pid()]);
    assert_eq!(call.wait().signal(), Some(9));
    assert_eq!(owner.wait().signal(), Some(9));
}
