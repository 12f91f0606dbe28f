//! Ecosystems whose manifests name scripts: Node, Deno, PHP, Ruby, Elixir.

use super::super::Ecosystem::{Bundler, Composer, Deno, Mix, Node};
use super::super::When::{ComposerScript, File, Folder, MemberScript, Package, Script, Task, Text};
use super::{Rule, rule};
use crate::Slot::{Build, Lint, Tests, Typecheck};

const PACKAGE: &[&str] = &["package.json"];
const TYPES: &[&str] = &["typecheck", "type-check", "types", "check-types", "check:types", "tsc"];
const ESLINT: &[&str] = &[
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.cjs",
    "eslint.config.ts",
    ".eslintrc",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".eslintrc.json",
    ".eslintrc.yml",
    ".eslintrc.yaml",
];
const DENO: &[&str] = &["deno.json", "deno.jsonc"];
const GEMFILE: &[&str] = &["Gemfile"];
const MIX: &[&str] = &["mix.exs"];
const COMPOSER: &[&str] = &["composer.json"];
const PHPSTAN: &[&str] = &["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"];

pub(super) const RULES: &[Rule] = &[
    rule(Node, Tests, &[Script(&["test", "tests"])], "{run} {name}"),
    rule(Node, Tests, &[MemberScript(&["test"])], "{each} {name}"),
    rule(Node, Tests, &[Package("vitest")], "{exec} vitest run"),
    rule(Node, Tests, &[Package("jest")], "{exec} jest"),
    rule(Node, Tests, &[Package("mocha")], "{exec} mocha"),
    rule(Node, Build, &[Script(&["build", "compile"])], "{run} {name}"),
    rule(Node, Build, &[MemberScript(&["build"])], "{each} {name}"),
    rule(Node, Lint, &[Script(&["lint"])], "{run} {name}"),
    rule(Node, Lint, &[MemberScript(&["lint"])], "{each} {name}"),
    rule(Node, Lint, &[File(PACKAGE), File(ESLINT)], "{exec} eslint ."),
    rule(Node, Lint, &[File(PACKAGE), File(&["biome.json", "biome.jsonc"])], "{exec} biome check"),
    rule(Node, Typecheck, &[Script(TYPES)], "{run} {name}"),
    rule(Node, Typecheck, &[MemberScript(TYPES)], "{each} {name}"),
    rule(Node, Typecheck, &[File(PACKAGE), File(&["tsconfig.json"])], "{exec} tsc --noEmit"),
    rule(Deno, Tests, &[Task(&["test"])], "deno task {name}"),
    rule(Deno, Tests, &[File(DENO)], "deno test"),
    rule(Deno, Build, &[Task(&["build"])], "deno task {name}"),
    rule(Deno, Lint, &[Task(&["lint"])], "deno task {name}"),
    rule(Deno, Lint, &[File(DENO)], "deno lint"),
    rule(Deno, Typecheck, &[Task(&["check", "typecheck"])], "deno task {name}"),
    rule(Deno, Typecheck, &[File(DENO)], "deno check ."),
    rule(Mix, Tests, &[File(MIX)], "mix test"),
    rule(Mix, Build, &[File(MIX)], "mix compile"),
    rule(Mix, Lint, &[Text(MIX, ":credo")], "mix credo"),
    rule(Mix, Lint, &[File(MIX)], "mix format --check-formatted"),
    rule(Mix, Typecheck, &[Text(MIX, ":dialyxir")], "mix dialyzer"),
    rule(Bundler, Tests, &[File(GEMFILE), File(&["bin/rails"]), Folder("test")], "bin/rails test"),
    rule(Bundler, Tests, &[Text(GEMFILE, "rspec"), Folder("spec")], "bundle exec rspec"),
    rule(
        Bundler,
        Tests,
        &[File(GEMFILE), Text(&["Rakefile"], "TestTask")],
        "bundle exec rake test",
    ),
    rule(Bundler, Lint, &[Text(GEMFILE, "rubocop")], "bundle exec rubocop"),
    rule(Bundler, Lint, &[File(GEMFILE), File(&[".rubocop.yml"])], "bundle exec rubocop"),
    rule(Bundler, Typecheck, &[File(GEMFILE), Folder("sorbet")], "bundle exec srb tc"),
    rule(Bundler, Typecheck, &[File(GEMFILE), File(&["Steepfile"])], "bundle exec steep check"),
    rule(Composer, Tests, &[ComposerScript(&["test", "tests"])], "composer run-script {name}"),
    rule(
        Composer,
        Tests,
        &[File(COMPOSER), File(&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"])],
        "vendor/bin/phpunit",
    ),
    rule(Composer, Build, &[ComposerScript(&["build"])], "composer run-script {name}"),
    rule(Composer, Lint, &[ComposerScript(&["lint"])], "composer run-script {name}"),
    rule(
        Composer,
        Lint,
        &[File(COMPOSER), File(&["phpcs.xml", "phpcs.xml.dist", ".phpcs.xml"])],
        "vendor/bin/phpcs",
    ),
    rule(
        Composer,
        Typecheck,
        &[ComposerScript(&["phpstan", "psalm", "typecheck"])],
        "composer run-script {name}",
    ),
    rule(Composer, Typecheck, &[File(COMPOSER), File(PHPSTAN)], "vendor/bin/phpstan analyse"),
    rule(Composer, Typecheck, &[File(COMPOSER), File(&["psalm.xml"])], "vendor/bin/psalm"),
];
