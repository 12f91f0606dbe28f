//! An external linter in a whole run: allowed by settings, asked again, mended, left without a trace.

use std::env;
use std::path::PathBuf;

use tribunal_test_support::Sandbox;

const MANIFEST: &str = "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const CODE: &str = "/// Doubles.\npub fn double(x: u32) -> u32 {\n    return x * 2;\n}\n";

/// The folder that a variable names, else the one it stands for without it.
fn folder(variable: &str, usual: &str) -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").expect("tests have a HOME")).join(usual);
    env::var_os(variable).map_or_else(home, PathBuf::from)
}

#[test]
fn a_linter_that_the_settings_allow_finds_and_mends() {
    let path = env::var_os("PATH").unwrap_or_default();
    if !env::split_paths(&path).any(|folder| folder.join("cargo-clippy").is_file()) {
        eprintln!("cargo-clippy: not installed, its run is skipped");
        return;
    }
    let sandbox = Sandbox::new();
    let settings = sandbox.config().join("tribunal/config.yaml");
    std::fs::create_dir_all(settings.parent().expect("a parent")).expect("created");
    let repo = sandbox.repo("crate");
    repo.write("Cargo.toml", MANIFEST);
    repo.write("src/lib.rs", CODE);
    repo.commit_all("a crate");
    let audit = || {
        sandbox
            .tribunal(&["audit", ".", "--json", "-c", "severity_threshold=low"])
            .env("CARGO_HOME", folder("CARGO_HOME", ".cargo"))
            .env("RUSTUP_HOME", folder("RUSTUP_HOME", ".rustup"))
            .dir(repo.root())
            .run()
    };
    assert!(!audit().expect_code(0).stdout.contains("needless_return"));

    std::fs::write(&settings, "inspector:\n  linters: [clippy]\n").expect("written");
    let outcome = audit();
    let found = outcome.expect_code(0).stdout.contains("[clippy::needless_return]");
    assert!(found, "{}", outcome.stdout);
    assert_eq!(repo.read("src/lib.rs"), CODE.replace("return x * 2;", "x * 2"));
    assert!(!repo.root().join("target").exists() && !repo.root().join("Cargo.lock").exists());
}
