//! Ecosystems with a compiler: Rust, Go, the JVM, .NET, C and C++, Swift.

use super::super::Ecosystem::{Cargo, Cmake, Dotnet, Go, Gradle, Maven, Swift};
use super::super::When::{Above, Ending, File, Line, Text};
use super::{Rule, rule};
use crate::Slot::{Build, Lint, Tests, Typecheck};

const CARGO: &[&str] = &["Cargo.toml"];
const GO: &[&str] = &["go.mod"];
const POM: &[&str] = &["pom.xml"];
const GRADLE: &[&str] = &["build.gradle.kts", "build.gradle"];
const GRADLE_ROOT: &[&str] =
    &["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"];
const DOTNET: &[&str] = &[".sln", ".slnx", ".csproj", ".fsproj", ".vbproj"];
const CMAKE: &[&str] = &["CMakeLists.txt"];
const SWIFT: &[&str] = &["Package.swift"];
const GOLANGCI: &[&str] = &[".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"];

pub(super) const RULES: &[Rule] = &[
    rule(
        Cargo,
        Tests,
        &[File(CARGO), Above(&[".config/nextest.toml"])],
        "cargo nextest run{workspace}",
    ),
    rule(Cargo, Tests, &[File(CARGO)], "cargo test{workspace}"),
    rule(Cargo, Build, &[File(CARGO)], "cargo build{workspace} --all-targets"),
    rule(Cargo, Lint, &[File(CARGO)], "cargo clippy{workspace} --all-targets -- -D warnings"),
    rule(Cargo, Typecheck, &[File(CARGO)], "cargo check{workspace} --all-targets"),
    rule(Go, Tests, &[File(GO)], "go test ./..."),
    rule(Go, Build, &[File(GO)], "go build ./..."),
    rule(Go, Lint, &[File(GO), File(GOLANGCI)], "golangci-lint run"),
    rule(Go, Lint, &[File(GO)], "go vet ./..."),
    rule(Go, Typecheck, &[File(GO)], "go build ./..."),
    rule(Maven, Tests, &[File(POM)], "{mvn} -B test"),
    rule(Maven, Build, &[File(POM)], "{mvn} -B -DskipTests package"),
    rule(Maven, Lint, &[Text(POM, "spotless-maven-plugin")], "{mvn} -B spotless:check"),
    rule(Maven, Lint, &[Text(POM, "maven-checkstyle-plugin")], "{mvn} -B checkstyle:check"),
    rule(Maven, Typecheck, &[File(POM)], "{mvn} -B test-compile"),
    rule(Gradle, Tests, &[File(GRADLE_ROOT)], "{gradle} test"),
    rule(Gradle, Build, &[File(GRADLE_ROOT)], "{gradle} assemble"),
    rule(Gradle, Lint, &[Text(GRADLE, "spotless")], "{gradle} spotlessCheck"),
    rule(Gradle, Lint, &[Text(GRADLE, "detekt")], "{gradle} detekt"),
    rule(Gradle, Lint, &[Text(GRADLE, "ktlint")], "{gradle} ktlintCheck"),
    rule(Gradle, Lint, &[Text(GRADLE, "checkstyle")], "{gradle} checkstyleMain"),
    rule(Gradle, Typecheck, &[File(GRADLE_ROOT)], "{gradle} testClasses"),
    rule(Dotnet, Tests, &[Ending(DOTNET)], "dotnet test"),
    rule(Dotnet, Build, &[Ending(DOTNET)], "dotnet build"),
    rule(Dotnet, Lint, &[Ending(DOTNET)], "dotnet format --verify-no-changes"),
    rule(Dotnet, Typecheck, &[Ending(DOTNET)], "dotnet build"),
    rule(
        Cmake,
        Tests,
        &[Line(CMAKE, "enable_testing(")],
        "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    ),
    rule(
        Cmake,
        Tests,
        &[Line(CMAKE, "include(CTest)")],
        "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    ),
    rule(Cmake, Build, &[Line(CMAKE, "project(")], "cmake -S . -B build && cmake --build build"),
    rule(Swift, Tests, &[File(SWIFT)], "swift test"),
    rule(Swift, Build, &[File(SWIFT)], "swift build"),
    rule(Swift, Lint, &[File(SWIFT), File(&[".swiftlint.yml"])], "swiftlint --strict"),
    rule(Swift, Typecheck, &[File(SWIFT)], "swift build"),
];
