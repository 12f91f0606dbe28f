//! The folder where people find raw replies and reports.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tribunal_journal::{JournalErrorKind, Kept, Output};
use tribunal_phase::RunId;

const CONFIGURED: &str = "./eval_results/quality_audit";

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["repo", "temp", "outside"] {
            fs::create_dir(folder.path().join(name)).expect("made");
        }
        Self { folder }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    fn output(&self, configured: &str) -> Output {
        Output::new(configured, &self.path("repo"), &self.path("temp"))
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("something is there").permissions().mode() & 0o7777
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("a folder").next().is_none()
}

#[test]
fn a_raw_reply_is_kept_as_received_and_printed_as_configured() {
    let place = Place::new();
    let bytes = b"\xff\x00 no JSON\r\n";
    let kept = place.output(CONFIGURED).keep_raw(3, 2, bytes).expect("kept");
    let printed = "./eval_results/quality_audit/cycle_3/validator_v2_raw.txt";
    assert_eq!((kept.printed.as_str(), &kept.fallback), (printed, &None));
    assert_eq!(fs::read(&kept.path).expect("there"), bytes);
    assert_eq!(kept.path, place.path("repo").join(printed));
    assert_eq!(mode(&kept.path), 0o600);
    for folder in ["", "/quality_audit", "/quality_audit/cycle_3"] {
        assert_eq!(mode(&place.path(&format!("repo/eval_results{folder}"))), 0o700, "{folder}");
    }
    assert!(is_empty(&place.path("temp")));
}

#[test]
fn a_failed_validator_leaves_a_file_also_without_a_byte() {
    let place = Place::new();
    let kept = place.output(CONFIGURED).keep_raw(1, 1, b"").expect("kept");
    assert_eq!(fs::read(kept.path).expect("there"), b"");
}

#[test]
fn a_file_is_replaced_whole_and_folders_that_were_there_keep_their_mode() {
    let place = Place::new();
    let cycle = place.path("repo/out/cycle_1");
    fs::create_dir_all(&cycle).expect("made");
    for folder in [&cycle, &place.path("repo/out")] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("set");
    }
    let file = cycle.join("validator_v1_raw.txt");
    fs::write(&file, "what an earlier run left, and it is long").expect("written");
    let second_name = place.path("second-name");
    fs::hard_link(&file, &second_name).expect("linked");
    let kept = place.output("out").keep_raw(1, 1, b"new").expect("kept");
    assert_eq!(kept.printed, "out/cycle_1/validator_v1_raw.txt");
    assert_eq!(fs::read(&file).expect("there"), b"new");
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(&cycle), 0o755);
    assert_eq!(mode(&place.path("repo/out")), 0o755);
    let old = fs::read_to_string(second_name).expect("there");
    assert!(old.starts_with("what an earlier run left"), "the old file is left alone: {old}");
    assert_eq!(fs::read_dir(cycle).expect("there").count(), 1, "no part stays");
}

fn fell_back(place: &Place, kept: &Kept, bytes: &[u8], reason: &str) {
    assert_eq!(kept.printed, kept.path.to_str().expect("a UTF-8 path"));
    assert!(kept.path.starts_with(place.path("temp")), "{}", kept.printed);
    assert!(kept.path.ends_with("cycle_1/validator_v1_raw.txt"), "{}", kept.printed);
    assert_eq!(fs::read(&kept.path).expect("there"), bytes);
    assert_eq!(mode(&kept.path), 0o600);
    let fresh = kept.path.ancestors().nth(2).expect("a fresh folder");
    assert_eq!(mode(fresh), 0o700);
    let why = kept.fallback.as_deref().expect("a reason");
    assert!(why.contains(reason), "{why}");
}

/// Plants something in the way, which gets `outside` as its only path out of the repository.
fn check_in_the_way(plant: impl FnOnce(&Path, &Path), reason: &str) {
    let place = Place::new();
    let outside = place.path("outside");
    plant(&place.path("repo"), &outside);
    let kept = place.output(CONFIGURED).keep_raw(1, 1, b"raw").expect("kept");
    fell_back(&place, &kept, b"raw", reason);
    assert!(is_empty(&outside), "nothing is written outside");
}

#[test]
fn a_link_on_the_way_is_never_followed() {
    check_in_the_way(
        |repo, outside| symlink(outside, repo.join("eval_results")).expect("linked"),
        "eval_results: is a link",
    );
    check_in_the_way(
        |repo, outside| {
            fs::create_dir(repo.join("eval_results")).expect("made");
            symlink(outside, repo.join("eval_results/quality_audit")).expect("linked");
        },
        "quality_audit: is a link",
    );
    check_in_the_way(
        |repo, outside| {
            fs::create_dir_all(repo.join("eval_results/quality_audit")).expect("made");
            symlink(outside, repo.join("eval_results/quality_audit/cycle_1")).expect("linked");
        },
        "cycle_1: is a link",
    );
}

#[test]
fn what_cannot_be_written_falls_back() {
    check_in_the_way(
        |repo, _| fs::write(repo.join("eval_results"), "a file").expect("written"),
        "eval_results: ",
    );
    check_in_the_way(
        |repo, _| {
            let taken = "eval_results/quality_audit/cycle_1/validator_v1_raw.txt";
            fs::create_dir_all(repo.join(taken)).expect("made");
        },
        "validator_v1_raw.txt: ",
    );
    check_in_the_way(|repo, _| fs::remove_dir(repo).expect("removed"), "");
}

#[test]
fn a_link_in_the_place_of_the_file_is_replaced() {
    let place = Place::new();
    let target = place.path("outside/precious");
    fs::write(&target, "precious").expect("written");
    let cycle = place.path("repo/out/cycle_1");
    fs::create_dir_all(&cycle).expect("made");
    symlink(&target, cycle.join("validator_v1_raw.txt")).expect("linked");
    let kept = place.output("out").keep_raw(1, 1, b"raw").expect("kept");
    assert_eq!(kept.fallback, None);
    assert!(fs::symlink_metadata(&kept.path).expect("there").is_file());
    assert_eq!(fs::read_to_string(target).expect("there"), "precious");
}

#[test]
fn all_that_falls_back_is_in_one_folder_and_goes_home_when_it_can() {
    let place = Place::new();
    fs::write(place.path("repo/out"), "a file").expect("written");
    let mut output = place.output("out");
    let one = output.keep_raw(1, 1, b"one").expect("kept");
    let other = output.write_result("report.md", b"# report").expect("kept");
    assert_eq!(one.path.ancestors().nth(2), other.path.parent());
    fs::remove_file(place.path("repo/out")).expect("removed");
    assert_eq!(output.keep_raw(1, 2, b"two").expect("kept").fallback, None);
}

#[test]
fn an_absolute_folder_is_made_and_only_its_last_name_may_be_no_link() {
    let place = Place::new();
    symlink(place.path("outside"), place.path("link")).expect("linked");
    let configured = place.path("link/new/out");
    let configured = configured.to_str().expect("a UTF-8 path");
    let kept = place.output(configured).keep_raw(1, 1, b"raw").expect("kept");
    assert_eq!(kept.printed, format!("{configured}/cycle_1/validator_v1_raw.txt"));
    assert!(place.path("outside/new/out/cycle_1/validator_v1_raw.txt").is_file());

    let link = place.path("link");
    let mut output = place.output(link.to_str().expect("a UTF-8 path"));
    fell_back(&place, &output.keep_raw(1, 1, b"raw").expect("kept"), b"raw", "link: is a link");
}

#[test]
fn results_are_written_in_the_folder_itself_under_plain_names_alone() {
    let place = Place::new();
    let mut output = place.output("out/");
    let kept = output.write_result("findings.json", b"{}").expect("kept");
    assert_eq!(kept.printed, "out/findings.json");
    assert_eq!(fs::read(place.path("repo/out/findings.json")).expect("there"), b"{}");
    for bad in ["", ".", "..", "a/b", "/etc/x", "a/", "./a"] {
        let error = output.write_result(bad, b"").expect_err(bad);
        assert!(matches!(error.kind, JournalErrorKind::BadFileName(_)), "{error}");
    }
    let kept = place.output("").write_result("report.md", b"#").expect("kept");
    assert_eq!(kept.printed, "./report.md");
}

#[test]
fn what_a_killed_run_left_half_written_goes_when_the_run_writes_again() {
    let place = Place::new();
    let run = RunId::new("r1");
    let mut output = place.output("out").of_run(&run);
    let kept = output.keep_raw(1, 1, b"raw").expect("kept");
    let folder = kept.path.parent().expect("a folder");
    let left = folder.join(".r1.part");
    for other in [".r2.part", "mine.part"] {
        fs::write(folder.join(other), "of somebody else").expect("written");
    }
    fs::write(&left, "ha").expect("written");
    output.keep_raw(1, 1, b"raw").expect("kept");
    assert_eq!(fs::read(&kept.path).expect("there"), b"raw");
    assert!(!left.exists());
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 3);
}

#[test]
fn a_fallback_that_cannot_be_written_either_is_an_error() {
    let place = Place::new();
    fs::write(place.path("repo/out"), "a file").expect("written");
    let mut output = Output::new("out", &place.path("repo"), &place.path("missing"));
    let error = output.keep_raw(1, 1, b"raw").expect_err("nowhere to go");
    assert_eq!(error.place, place.path("missing"));
}
