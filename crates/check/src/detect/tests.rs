//! Detection, row by row.

use super::*;
use crate::Slot::{Build, Lint, Tests, Typecheck};

/// Files of a tree; what stands after ` = ` is the text of the file.
fn listing(files: &[&str]) -> Listing {
    let paths = files.iter().map(|file| file.split(" = ").next().unwrap_or(file).to_owned());
    let listing = Listing::new(paths);
    files
        .iter()
        .filter_map(|file| file.split_once(" = "))
        .fold(listing, |listing, (path, text)| listing.with_text(path, text))
}

const NPM_TEST: &str = r#"package.json = {"scripts": {"test": "node --test"}}"#;
const PLACEHOLDER: &str =
    r#"package.json = {"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;

/// One row at least for each rule, in the order of the rules.
const ROWS: &[(&[&str], Slot, &str)] = &[
    (&["Cargo.toml", ".config/nextest.toml"], Tests, "cargo nextest run"),
    (&["Cargo.toml = [package]"], Tests, "cargo test"),
    (&["Cargo.toml = [workspace]"], Tests, "cargo test --workspace"),
    (&["Cargo.toml"], Build, "cargo build --all-targets"),
    (&["Cargo.toml"], Lint, "cargo clippy --all-targets -- -D warnings"),
    (&["Cargo.toml"], Typecheck, "cargo check --all-targets"),
    (&["go.mod"], Tests, "go test ./..."),
    (&["go.mod"], Build, "go build ./..."),
    (&["go.mod", ".golangci.yml"], Lint, "golangci-lint run"),
    (&["go.mod"], Lint, "go vet ./..."),
    (&["go.mod"], Typecheck, "go build ./..."),
    (&["pom.xml", "mvnw"], Tests, "./mvnw -B test"),
    (&["pom.xml"], Tests, "mvn -B test"),
    (&["pom.xml"], Build, "mvn -B -DskipTests package"),
    (&["pom.xml = spotless-maven-plugin"], Lint, "mvn -B spotless:check"),
    (&["pom.xml = maven-checkstyle-plugin"], Lint, "mvn -B checkstyle:check"),
    (&["pom.xml"], Typecheck, "mvn -B test-compile"),
    (&["build.gradle.kts", "gradlew"], Tests, "./gradlew test"),
    (&["settings.gradle"], Tests, "gradle test"),
    (&["build.gradle"], Build, "gradle assemble"),
    (&["build.gradle = spotless { }"], Lint, "gradle spotlessCheck"),
    (&["build.gradle = detekt { }"], Lint, "gradle detekt"),
    (&["build.gradle = ktlint { }"], Lint, "gradle ktlintCheck"),
    (&["build.gradle = checkstyle { }"], Lint, "gradle checkstyleMain"),
    (&["build.gradle"], Typecheck, "gradle testClasses"),
    (&["All.sln"], Tests, "dotnet test"),
    (&["One.csproj"], Build, "dotnet build"),
    (&["One.fsproj"], Lint, "dotnet format --verify-no-changes"),
    (&["All.slnx"], Typecheck, "dotnet build"),
    (
        &["CMakeLists.txt = enable_testing()"],
        Tests,
        "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    ),
    (
        &["CMakeLists.txt = include(CTest)"],
        Tests,
        "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    ),
    (&["CMakeLists.txt = project(a)"], Build, "cmake -S . -B build && cmake --build build"),
    (&["Package.swift"], Tests, "swift test"),
    (&["Package.swift"], Build, "swift build"),
    (&["Package.swift", ".swiftlint.yml"], Lint, "swiftlint --strict"),
    (&["Package.swift"], Typecheck, "swift build"),
    (&[NPM_TEST], Tests, "npm run test"),
    (&[NPM_TEST, "pnpm-lock.yaml"], Tests, "pnpm run test"),
    (&[NPM_TEST, "yarn.lock"], Tests, "yarn run test"),
    (&[NPM_TEST, "bun.lock"], Tests, "bun run test"),
    (&[NPM_TEST, "bun.lockb"], Tests, "bun run test"),
    (
        &[
            r#"package.json = {"packageManager": "pnpm@9.1.0", "scripts": {"test": "x"}}"#,
            "yarn.lock",
        ],
        Tests,
        "pnpm run test",
    ),
    (
        &[
            r#"package.json = {"workspaces": ["packages/*"]}"#,
            r#"packages/a/package.json = {"scripts": {"test": "x"}}"#,
        ],
        Tests,
        "npm run --workspaces --if-present test",
    ),
    (
        &[
            "package.json = {}",
            "pnpm-workspace.yaml",
            r#"packages/a/package.json = {"scripts": {"test": "x"}}"#,
        ],
        Tests,
        "pnpm --recursive run test",
    ),
    (
        &[
            r#"package.json = {"workspaces": {"packages": ["a"]}}"#,
            "yarn.lock",
            ".yarnrc.yml",
            r#"a/package.json = {"scripts": {"build": "x", "lint": "y", "tsc": "z"}}"#,
        ],
        Build,
        "yarn workspaces foreach --all run build",
    ),
    (
        &[
            r#"package.json = {"workspaces": ["a"]}"#,
            "yarn.lock",
            r#"a/package.json = {"scripts": {"lint": "y"}}"#,
        ],
        Lint,
        "yarn workspaces run lint",
    ),
    (
        &[
            r#"package.json = {"workspaces": ["a"]}"#,
            "bun.lock",
            r#"a/package.json = {"scripts": {"tsc": "z"}}"#,
        ],
        Typecheck,
        "bun run --filter '*' tsc",
    ),
    (
        &[r#"package.json = {"devDependencies": {"vitest": "4"}}"#, "bun.lock"],
        Tests,
        "bunx --no-install vitest run",
    ),
    (&[r#"package.json = {"devDependencies": {"jest": "30"}}"#], Tests, "npx --no-install jest"),
    (&[r#"package.json = {"devDependencies": {"mocha": "12"}}"#], Tests, "npx --no-install mocha"),
    (&[r#"package.json = {"scripts": {"compile": "x"}}"#], Build, "npm run compile"),
    (&[r#"package.json = {"scripts": {"lint": "x"}}"#], Lint, "npm run lint"),
    (&["package.json = {}", "eslint.config.mjs"], Lint, "npx --no-install eslint ."),
    (&["package.json = {}", "biome.json"], Lint, "npx --no-install biome check"),
    (&[r#"package.json = {"scripts": {"type-check": "x"}}"#], Typecheck, "npm run type-check"),
    (
        &["package.json = {}", "tsconfig.json", "pnpm-lock.yaml"],
        Typecheck,
        "pnpm exec tsc --noEmit",
    ),
    (&[r#"deno.json = {"tasks": {"test": "x"}}"#], Tests, "deno task test"),
    (&["deno.jsonc = // {}"], Tests, "deno test"),
    (&[r#"deno.json = {"tasks": {"build": {"command": "x"}}}"#], Build, "deno task build"),
    (&[r#"deno.json = {"tasks": {"lint": "x"}}"#], Lint, "deno task lint"),
    (&["deno.json"], Lint, "deno lint"),
    (&[r#"deno.json = {"tasks": {"check": "x"}}"#], Typecheck, "deno task check"),
    (&["deno.json"], Typecheck, "deno check ."),
    (&["mix.exs"], Tests, "mix test"),
    (&["mix.exs"], Build, "mix compile"),
    (&["mix.exs = {:credo, \"~> 1.7\"}"], Lint, "mix credo"),
    (&["mix.exs"], Lint, "mix format --check-formatted"),
    (&["mix.exs = {:dialyxir, \"~> 1\"}"], Typecheck, "mix dialyzer"),
    (&["Gemfile", "bin/rails", "test/a_test.rb"], Tests, "bin/rails test"),
    (&["Gemfile = gem 'rspec'", "spec/a_spec.rb"], Tests, "bundle exec rspec"),
    (&["Gemfile", "Rakefile = Rake::TestTask.new"], Tests, "bundle exec rake test"),
    (&["Gemfile = gem 'rubocop'"], Lint, "bundle exec rubocop"),
    (&["Gemfile", ".rubocop.yml"], Lint, "bundle exec rubocop"),
    (&["Gemfile", "sorbet/config"], Typecheck, "bundle exec srb tc"),
    (&["Gemfile", "Steepfile"], Typecheck, "bundle exec steep check"),
    (&[r#"composer.json = {"scripts": {"test": ["x"]}}"#], Tests, "composer run-script test"),
    (&["composer.json", "phpunit.xml.dist"], Tests, "vendor/bin/phpunit"),
    (&[r#"composer.json = {"scripts": {"build": "x"}}"#], Build, "composer run-script build"),
    (&[r#"composer.json = {"scripts": {"lint": "x"}}"#], Lint, "composer run-script lint"),
    (&["composer.json", "phpcs.xml"], Lint, "vendor/bin/phpcs"),
    (&[r#"composer.json = {"scripts": {"psalm": "x"}}"#], Typecheck, "composer run-script psalm"),
    (&["composer.json", "phpstan.neon"], Typecheck, "vendor/bin/phpstan analyse"),
    (&["composer.json", "psalm.xml"], Typecheck, "vendor/bin/psalm"),
    (&["pytest.ini"], Tests, "python3 -m pytest"),
    (&["pyproject.toml = [tool.pytest.ini_options]", "uv.lock"], Tests, "uv run python -m pytest"),
    (&["setup.cfg = [tool:pytest]", "Pipfile"], Tests, "pipenv run python -m pytest"),
    (&["tox.ini = [tox]\n[pytest]"], Tests, "python3 -m pytest"),
    (&["tests/conftest.py"], Tests, "python3 -m pytest"),
    (
        &["pyproject.toml = [tool.poetry]\n[tool.poetry.group.dev.dependencies]\npytest = \"*\""],
        Tests,
        "poetry run python -m pytest",
    ),
    (&["requirements-dev.txt = pytest==9"], Tests, "python3 -m pytest"),
    (&["noxfile.py"], Tests, "nox"),
    (&["tox.ini = [tox]"], Tests, "tox"),
    (&["pyproject.toml = [tool.tox]", "pdm.lock"], Tests, "pdm run tox"),
    (&["setup.py", "src/a/test_a.py"], Tests, "python3 -m unittest"),
    (&["test_a.py"], Tests, "python3 -m unittest"),
    (&["tests/__init__.py", "tests/cases.py"], Tests, "python3 -m unittest"),
    (&["pyproject.toml = [build-system]\n[tool.uv]"], Build, "uv build"),
    (&["pyproject.toml = [build-system]", "uv.lock"], Build, "uv build"),
    (&["pyproject.toml = [tool.poetry]"], Build, "poetry build"),
    (&["pyproject.toml = [build-system]"], Build, "python3 -m build"),
    (&["pyproject.toml = [tool.ruff.lint]"], Lint, "ruff check"),
    (&["ruff.toml", "uv.lock"], Lint, "uv run ruff check"),
    (&["requirements.txt = ruff"], Lint, "ruff check"),
    (&[".flake8"], Lint, "flake8"),
    (&["tox.ini = [flake8]"], Lint, "flake8"),
    (&["pyproject.toml = [tool.pylint.main]"], Lint, "pylint ."),
    (&[".pylintrc"], Lint, "pylint ."),
    (&["pyproject.toml = [tool.mypy]"], Typecheck, "mypy ."),
    (&["mypy.ini"], Typecheck, "mypy ."),
    (&["setup.cfg = [mypy]"], Typecheck, "mypy ."),
    (&["pyrightconfig.json"], Typecheck, "pyright"),
    (&["pyproject.toml = [tool.pyright]"], Typecheck, "pyright"),
    (&["requirements.txt = mypy>=1"], Typecheck, "mypy ."),
    (&["Makefile = .PHONY: test\nbuild:\ncheck: build"], Tests, "make check"),
    (&["GNUmakefile = all: x"], Build, "make all"),
    (&["makefile = lint:"], Lint, "make lint"),
    (&["Makefile = a typecheck: b"], Typecheck, "make typecheck"),
    (&["justfile = test *ARGS:"], Tests, "just test"),
    (&[".justfile = @build: clean"], Build, "just build"),
    (&["Justfile = lint:"], Lint, "just lint"),
    (&["justfile = types:"], Typecheck, "just types"),
];

#[test]
fn every_row_gives_its_command_and_no_other() {
    for (files, slot, command) in ROWS {
        let detection = detect(&listing(files), "", *slot);
        let Choice::One(proposal) = detection.choice() else {
            panic!("{files:?} {slot}: {detection:?}")
        };
        assert_eq!(proposal.command, *command, "{files:?}");
        assert!(!proposal.why.is_empty(), "{files:?}");
    }
}

#[test]
fn every_rule_has_a_row_of_its_own() {
    for (number, rule) in rules::all().enumerate() {
        let is_its_own = ROWS.iter().any(|(files, slot, _)| {
            let listing = listing(files);
            let first = rules::all()
                .position(|rule| rule.slot == *slot && rule.proposal(&listing.place("")).is_some());
            first == Some(number)
        });
        assert!(is_its_own, "{rule:?}");
    }
}

#[test]
fn two_ecosystems_side_by_side_are_both_named() {
    let tests: Vec<(&[&str], Ecosystem)> = vec![
        (&["Cargo.toml"], Ecosystem::Cargo),
        (&[NPM_TEST], Ecosystem::Node),
        (&["deno.json"], Ecosystem::Deno),
        (&["pytest.ini"], Ecosystem::Python),
        (&["go.mod"], Ecosystem::Go),
        (&["pom.xml"], Ecosystem::Maven),
        (&["build.gradle"], Ecosystem::Gradle),
        (&["One.csproj"], Ecosystem::Dotnet),
        (&["CMakeLists.txt = enable_testing()"], Ecosystem::Cmake),
        (&["Makefile = test:"], Ecosystem::Make),
        (&["justfile = test:"], Ecosystem::Just),
        (&["mix.exs"], Ecosystem::Mix),
        (&["Gemfile = gem 'rspec'", "spec/a.rb"], Ecosystem::Bundler),
        (&["composer.json", "phpunit.xml"], Ecosystem::Composer),
        (&["Package.swift"], Ecosystem::Swift),
    ];
    for (index, (files, ecosystem)) in tests.iter().enumerate() {
        for (others, other) in &tests[index + 1..] {
            let both = listing(&[*files, *others].concat());
            let detection = detect(&both, "", Tests);
            let Choice::Several(several) = detection.choice() else {
                panic!("{ecosystem:?} and {other:?}: {detection:?}")
            };
            let found: Vec<Ecosystem> = several.iter().map(|c| c.ecosystem).collect();
            assert_eq!(found, [*ecosystem, *other]);
        }
    }
}

#[test]
fn the_nearest_project_is_meant() {
    let files = [
        "Cargo.toml = [workspace]",
        "crates/a/Cargo.toml",
        "crates/a/src/lib.rs",
        "web/package.json = {\"scripts\": {\"test\": \"x\"}}",
        "yarn.lock",
        "web/src/index.js",
        "docs/index.md",
        "tools/Cargo.toml",
        "tools/.config/nextest.toml",
    ];
    for (folder, expected) in [
        ("", (".", "cargo test --workspace")),
        ("docs", (".", "cargo test --workspace")),
        ("crates", (".", "cargo test --workspace")),
        ("crates/a/src", ("crates/a", "cargo test")),
        ("web/src/", ("web", "yarn run test")),
        ("nowhere/at/all", (".", "cargo test --workspace")),
        ("tools", ("tools", "cargo nextest run")),
    ] {
        let detection = detect(&listing(&files), folder, Tests);
        let Choice::One(proposal) = detection.choice() else { panic!("{folder}: {detection:?}") };
        let folder_shown = if proposal.folder.is_empty() { "." } else { &proposal.folder };
        assert_eq!((folder_shown, proposal.command.as_str()), expected, "{folder}");
    }
}

#[test]
fn a_member_is_tested_as_its_workspace_is() {
    let files = ["Cargo.toml = [workspace]", ".config/nextest.toml", "crates/a/Cargo.toml"];
    let detection = detect(&listing(&files), "crates/a", Tests);
    let commands: Vec<&str> = detection.proposals.iter().map(|c| c.command.as_str()).collect();
    assert_eq!(commands, ["cargo nextest run"]);
}

#[test]
fn a_placeholder_is_no_test_and_is_named() {
    let detection = detect(&listing(&[PLACEHOLDER]), "", Tests);
    assert_eq!(detection.choice(), Choice::Nothing);
    assert_eq!(
        detection.refused,
        [
            "package.json: the script `test` is a placeholder: echo \"Error: no test specified\" && exit 1"
        ]
    );
    for script in ["", "true", "exit 0", "echo todo; exit 0", ":"] {
        assert!(listing::is_placeholder(script), "{script}");
    }
    for script in ["echo start && node --test", "truely", "node --test || exit 1"] {
        assert!(!listing::is_placeholder(script), "{script}");
    }
}

#[test]
fn what_looks_like_a_check_and_is_none_gives_nothing() {
    for files in [
        &["README.md"] as &[&str],
        &["pyproject.toml = [project]"],
        &["package.json = not json"],
        &["Makefile = test := 1\n\ttest: x\nother:"],
        &["justfile = test := '1'\ntests-of-mine:"],
        &["CMakeLists.txt = project(a)"],
        &["Gemfile = gem 'rails'"],
        &["docs/test_plan.md"],
    ] {
        assert_eq!(detect(&listing(files), "", Tests).choice(), Choice::Nothing, "{files:?}");
    }
}

#[test]
fn the_better_command_of_an_ecosystem_comes_first_and_the_rest_is_named() {
    let files = ["Cargo.toml", ".config/nextest.toml"];
    let detection = detect(&listing(&files), "", Tests);
    let others: Vec<&str> = detection.others.iter().map(|c| c.command.as_str()).collect();
    assert_eq!(others, ["cargo test"]);
    assert_eq!(
        detection.proposals[0].to_string(),
        "cargo nextest run (in .: Cargo.toml, .config/nextest.toml)"
    );
}

#[test]
fn manifests_tell_what_is_declared_and_what_is_the_projects_own() {
    let listing = listing(&[
        "pyproject.toml = [project]\nname = \"sums\"\ndependencies = [\n  \"requests[socks]>=2\",\n]",
        "requirements.txt = # needs\nPyYAML==6\n-r more.txt",
        "package.json = {\"dependencies\": {\"left-pad\": \"1\"}, \"name\": \"root\"}",
        "kit/package.json = {\"name\": \"@own/kit\", \"devDependencies\": {\"jest\": \"30\"}}",
        "go.mod = module example.org/own\nrequire (\n\texample.org/a v1.2.3\n)",
        "Gemfile = gem 'rails', '~> 8'",
        "src/sums/parts.py",
        "tests/requests.py",
    ]);
    let known = known(&listing, "kit", true);
    let declared = known.declared.expect("manifests were read");
    for name in ["requests", "PyYAML", "left-pad", "jest", "example.org/a", "rails"] {
        assert!(declared.contains(name), "{name}: {declared:?}");
    }
    for name in ["sums", "parts", "@own/kit", "root", "tests"] {
        assert!(known.own.contains(name), "{name}: {:?}", known.own);
    }
    assert!(!known.own.contains("requests"), "declared, and only by chance a module of the tests");
    assert_eq!(super::known(&Listing::default(), "", false).declared, None);
}

#[test]
fn manifests_are_told_by_their_names() {
    for (path, expected) in [
        ("Cargo.toml", true),
        ("a/b/package.json", true),
        ("requirements-dev.txt", true),
        ("a/package.json.bak", false),
        ("README.md", false),
    ] {
        assert_eq!(is_manifest(path), expected, "{path}");
    }
}
