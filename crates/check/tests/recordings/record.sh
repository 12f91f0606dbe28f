#!/usr/bin/env bash
# Records what real tools print: `record.sh TOOL…`, each a function `record_TOOL` below.
#
# Writes TOOL-VERSION/CASE.txt beside itself and prints the exit statuses, which the rows of
# `recordings.rs` name. A tool must be on the PATH; machine paths are replaced.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d) || exit 1
trap 'rm -rf "$root"' EXIT
unset CI NO_COLOR FORCE_COLOR CARGO_TARGET_DIR RUST_BACKTRACE

# version TEXT: the first number in it that looks like a version.
version() { grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' <<<"$1" | head -n 1; }

# into TOOL VERSION: where the next shots go, with a fresh project to take them in.
into() {
    folder="$here/$1-$2"
    project="$root/project"
    rm -rf "$project"
    mkdir -p "$folder" "$project"
    cd "$project" || exit 1
}

# shot CASE COMMAND…
shot() {
    local case=$1 status
    shift
    "$@" >"$root/shot" 2>&1 </dev/null
    status=$?
    sed -e "s|$project|/project|g" -e "s|$root|/elsewhere|g" -e "s|$HOME|/me|g" \
        -e "s|[^ (]*[^*]/node_modules/|/tools/node_modules/|g" \
        -e "s|/tmp/[^ ]*/bin/|/usr/bin/|g" \
        "$root/shot" >"$folder/$case.txt"
    echo "$(basename "$folder")/$case: exit $status"
}

cargo_project() {
    mkdir -p src tests
    printf '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2024"\n[workspace]\n' >Cargo.toml
    cat >src/lib.rs <<'RS'
/// Adds.
///
/// ```
/// assert_eq!(sample::add(1, 2), 3);
/// ```
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(2, 2), 4);
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn overflows() {
        add(i32::MAX, 1);
    }

    #[test]
    #[ignore = "slow"]
    fn adds_many() {}
}
RS
    cat >tests/outside.rs <<'RS'
#[test]
fn adds() {
    assert_eq!(sample::add(1, 1), 2);
}
RS
}

cargo_cases() {
    shot pass "$@"
    sed -i 's/a + b/a - b/' src/lib.rs
    shot fail "$@" --no-fail-fast
    sed -i 's/a - b/a + c/' src/lib.rs
    shot broken "$@"
    printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' >src/lib.rs
    rm -r tests
    shot nothing "$@"
    printf '[dependencies]\nno-such-crate-of-ours = "1"\n' >>Cargo.toml
    shot environment "$@" --offline
}

record_libtest() {
    into libtest "$(version "$(rustc --version)")"
    cargo_project
    cargo_cases cargo test
    into libtest "$(version "$(rustc --version)")"
    cargo_project
    sed -i 's/add(2, 2), 4/add(2, 2), 5/' src/lib.rs
    shot quiet cargo test -q
    sed -i 's/assert_eq!(add(2, 2), 5)/std::process::abort()/' src/lib.rs
    shot aborted cargo test
}

record_nextest() {
    into nextest "$(version "$(cargo nextest --version)")"
    cargo_project
    cargo_cases cargo nextest run
    into nextest "$(version "$(cargo nextest --version)")"
    cargo_project
    sed -i 's/assert_eq!(add(2, 2), 4)/std::process::abort()/' src/lib.rs
    shot retried cargo nextest run --retries 1 --no-fail-fast
}

python_project() {
    cat >sums.py <<'PY'
def add(a, b):
    return a + b
PY
    cat >test_sums.py <<'PY'
import unittest

from sums import add


class Sums(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(2, 2), 4)

    def test_pairs(self):
        """Adds a pair."""
        for pair in ((1, 1), (2, 3)):
            with self.subTest(pair=pair):
                self.assertEqual(add(*pair), sum(pair))

    @unittest.skip("slow")
    def test_many(self):
        self.assertEqual(add(1, 2), 3)

    @unittest.expectedFailure
    def test_known(self):
        self.assertEqual(add(1, 2), 4)
PY
}

python_cases() {
    shot pass "$@"
    sed -i 's/a + b/a - b/' sums.py
    shot fail "$@"
    sed -i 's/def add/def plus/' sums.py
    shot broken "$@"
    sed -i '1i import requests_of_nowhere' sums.py
    shot environment "$@"
    rm test_sums.py
    shot nothing "$@"
}

record_pytest() {
    into pytest "$(version "$(pytest --version)")"
    python_project
    python_cases python3 -m pytest -p no:cacheprovider
    into pytest "$(version "$(pytest --version)")"
    cat >test_words.py <<'PY'
import pytest


@pytest.fixture
def torn():
    raise OSError("torn")


@pytest.mark.parametrize("word", ["a - b", "c"])
def test_word(word):
    assert word == "c"


def test_torn(torn):
    pass
PY
    shot quiet python3 -m pytest -p no:cacheprovider -q
    shot verbose python3 -m pytest -p no:cacheprovider -v
}

record_unittest() {
    into unittest "$(version "$(python3 --version)")"
    python_project
    python_cases python3 -m unittest
    into unittest "$(version "$(python3 --version)")"
    python_project
    sed -i 's/a + b/a - b/' sums.py
    shot verbose python3 -m unittest -v
}

# Links the packages of NODE_TOOLS, a folder with a node_modules, into the project.
node_project() {
    ln -s "${NODE_TOOLS:?a folder with node_modules}/node_modules" node_modules
    printf '{"name":"sample","version":"1.0.0","type":"module"}\n' >package.json
    mkdir -p src test
    printf 'export const add = (a, b) => a + b;\n' >src/sums.mjs
}

# node_tests EXTENSION IMPORT: a suite with a group, a skipped test and one todo.
node_tests() {
    cat >"test/sums.$1" <<JS
$2
import { add } from '../src/sums.mjs';

describe('sums', () => {
  describe('small', () => {
    it('adds', () => {
      if (add(2, 2) !== 4) throw new Error('wrong sum ' + add(2, 2));
    });
    it('keeps zero', () => {
      if (add(0, 0) !== 0) throw new Error('not zero');
    });
  });
  it.skip('adds many', () => {});
});

it('stands alone', () => {
  if (add(1, 2) !== 3) throw new Error('wrong sum ' + add(1, 2));
});
JS
}

# node_cases IMPORT COMMAND…: IMPORT is how a module is asked for, %s its name.
node_cases() {
    local import=$1
    shift
    shot pass "$@"
    sed -i 's/a + b/a - b/' src/sums.mjs
    shot fail "$@"
    sed -i "1i ${import/\%s/.\/gone.mjs}" src/sums.mjs
    shot broken "$@"
    sed -i "1c ${import/\%s/no-such-package-of-ours}" src/sums.mjs
    shot environment "$@"
    rm -r test
    shot nothing "$@"
}

record_node_test() {
    into node-test "$(version "$(node --version)")"
    node_project
    node_tests test.mjs "import { describe, it } from 'node:test';"
    node_cases "import '%s';" node --test
    node_project_again node-test "$(version "$(node --version)")"
    node_tests test.mjs "import { describe, it } from 'node:test';"
    sed -i 's/a + b/a - b/' src/sums.mjs
    shot spec node --test --test-reporter=spec
}

node_project_again() {
    into "$1" "$2"
    node_project
}

record_mocha() {
    node_project_again mocha "$(version "$(node_modules_version mocha)")"
    node_tests test.mjs ""
    node_cases "import '%s';" npx --no-install mocha
    node_project_again mocha "$(version "$(node_modules_version mocha)")"
    node_tests test.mjs ""
    sed -i 's/a + b/a - b/' src/sums.mjs
    shot dot npx --no-install mocha --reporter dot
    shot tap npx --no-install mocha --reporter tap
}

node_modules_version() { grep -m 1 '"version"' "$NODE_TOOLS/node_modules/$1/package.json"; }

record_vitest() {
    node_project_again vitest "$(version "$(node_modules_version vitest)")"
    node_tests test.mjs "import { describe, it } from 'vitest';"
    node_cases "import '%s';" npx --no-install vitest run
    node_project_again vitest "$(version "$(node_modules_version vitest)")"
    node_tests test.mjs "import { describe, it } from 'vitest';"
    sed -i 's/a + b/a - b/' src/sums.mjs
    shot verbose npx --no-install vitest run --reporter verbose
    shot junit npx --no-install vitest run --reporter junit
}

record_jest() {
    node_project_again jest "$(version "$(node_modules_version jest)")"
    jest_project
    node_cases "require('%s');" npx --no-install jest
    node_project_again jest "$(version "$(node_modules_version jest)")"
    jest_project
    cp test/sums.test.js test/more.test.js
    sed -i 's/a + b/a - b/' src/sums.mjs
    shot several npx --no-install jest
    shot verbose npx --no-install jest --verbose
}

# jest reads CommonJS.
jest_project() {
    printf '{"name":"sample","version":"1.0.0"}\n' >package.json
    node_tests test.js ""
    sed -i "s|^import.*|const { add } = require('../src/sums.mjs');|" test/sums.test.js
    printf 'const add = (a, b) => a + b;\nmodule.exports = { add };\n' >src/sums.mjs
    printf 'module.exports = { moduleFileExtensions: ["js", "mjs"] };\n' >jest.config.js
}

record_tsc() {
    node_project_again tsc "$(version "$(node_modules_version typescript)")"
    printf '{"compilerOptions":{"strict":true,"noEmit":true,"types":[]},"include":["src"]}\n' >tsconfig.json
    printf 'export const add = (a: number, b: number): number => a + b;\n' >src/sums.ts
    shot pass npx --no-install tsc --noEmit
    printf 'export const sum: string = 1;\nexport const other: string = 2;\nlet x = y;\n' >>src/sums.ts
    shot fail npx --no-install tsc --noEmit
    shot pretty npx --no-install tsc --noEmit --pretty
    printf "import { gone } from './gone';\n" >src/sums.ts
    shot broken npx --no-install tsc --noEmit
    printf "import { gone } from 'no-such-package-of-ours';\n" >src/sums.ts
    shot environment npx --no-install tsc --noEmit
    rm src/sums.ts
    shot nothing npx --no-install tsc --noEmit
}

record_eslint() {
    node_project_again eslint "$(version "$(node_modules_version eslint)")"
    printf "export default [{ rules: { 'no-undef': 'error', 'no-unused-vars': 'warn', 'no-var': 'error' } }];\n" \
        >eslint.config.mjs
    shot pass npx --no-install eslint src
    printf 'var unused = 1;\nvar other = gone;\n' >>src/sums.mjs
    shot fail npx --no-install eslint src
    shot json npx --no-install eslint --format json src
    printf 'const unused = 1;\n' >src/sums.mjs
    shot warned npx --no-install eslint --max-warnings 0 src
    printf 'const = 1;\n' >src/sums.mjs
    shot broken npx --no-install eslint src
    rm src/sums.mjs
    shot nothing npx --no-install eslint src
    printf 'export const add = 1;\n' >src/sums.mjs
    printf "import 'no-such-package-of-ours';\nexport default [];\n" >eslint.config.mjs
    shot environment npx --no-install eslint src
}

record_clippy() {
    into clippy "$(version "$(cargo clippy --version)")"
    cargo_project
    shot pass cargo clippy
    printf 'pub fn same(a: i32) -> i32 {\n    let unused = 1;\n    return a;\n}\n' >>src/lib.rs
    shot warned cargo clippy
    shot fail cargo clippy -- -D warnings
    shot json cargo clippy --message-format json -- -D warnings
    sed -i 's/a + b/a + c; let d: u8 = "x"/; s/pub fn add/pub fn add</' src/lib.rs
    shot broken cargo clippy
    printf '[dependencies]\nno-such-crate-of-ours = "1"\n' >>Cargo.toml
    shot environment cargo clippy --offline
}

record_rustc() {
    into rustc "$(version "$(rustc --version)")"
    cargo_project
    shot pass cargo build
    sed -i 's/a + b/a + c/; $a use crate::gone::Thing;\nfn other() -> String { 1 }' src/lib.rs
    shot fail cargo build
    shot json cargo build --message-format json
    shot short cargo build --message-format short
    sed -i '1i use no_such_crate_of_ours::Thing;' src/lib.rs
    shot broken cargo build
    printf "[dependencies]\nno-such-crate-of-ours = \"1\"\n" >>Cargo.toml
    shot environment cargo build --offline
}

record_ruff() {
    into ruff "$(version "$(ruff --version)")"
    printf 'def add(a, b):\n    return a + b\n' >sums.py
    shot pass ruff check --no-cache
    printf 'import os\nimport sys\nx = gone\n' >>sums.py
    shot fail ruff check --no-cache
    shot concise ruff check --no-cache --output-format concise
    printf 'def add(:\n' >sums.py
    shot broken ruff check --no-cache
    rm sums.py
    shot nothing ruff check --no-cache
    shot environment bash -c 'no-such-ruff-of-ours check'
}

record_mypy() {
    into mypy "$(version "$(mypy --version)")"
    printf 'def add(a: int, b: int) -> int:\n    return a + b\n' >sums.py
    shot pass mypy --cache-dir=/dev/null .
    printf 'x: str = add(1, 2)\ny: str = add("1", 2)\nz = gone\n' >>sums.py
    shot fail mypy --cache-dir=/dev/null .
    printf 'import no_such_module_of_ours\n' >sums.py
    shot environment mypy --cache-dir=/dev/null .
    printf 'def add(:\n' >sums.py
    shot broken mypy --cache-dir=/dev/null .
    rm sums.py
    shot nothing mypy --cache-dir=/dev/null .
}

go_project() {
    export GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local
    printf 'module example.org/sample\n\ngo 1.19\n' >go.mod
    mkdir -p empty
    printf 'package empty\n' >empty/empty.go
    printf 'package sample\n\nfunc Add(a, b int) int { return a + b }\n' >sums.go
    cat >sums_test.go <<'GO'
package sample

import "testing"

var names = map[int]string{3: "small", 0: "zero"}

func TestAdd(t *testing.T) {
	for _, c := range [][3]int{{1, 2, 3}, {0, 0, 0}} {
		t.Run(names[c[2]], func(t *testing.T) {
			if got := Add(c[0], c[1]); got != c[2] {
				t.Errorf("got %d", got)
			}
		})
	}
}

func TestMany(t *testing.T) { t.Skip("slow") }

func TestOne(t *testing.T) {
	if Add(0, 1) != 1 {
		t.Fatal("not one")
	}
}
GO
}

go_cases() {
    shot pass "$@"
    sed -i 's/a + b/a - b/' sums.go
    shot fail "$@"
    sed -i 's/return a - b/panic("torn")/' sums.go
    shot aborted "$@"
    sed -i 's/panic("torn")/return c/' sums.go
    shot broken "$@"
    sed -i 's/^package sample$/&\n\nimport _ "example.org\/no-such-module-of-ours"/' sums.go
    shot environment "$@"
    sed -i 's/^import.*//; s/return c/return a/' sums.go
    rm sums_test.go
    shot nothing "$@"
}

record_go() {
    into go "$(version "$(go version)")"
    go_project
    go_cases go test ./...
    into go-json "$(version "$(go version)")"
    go_project
    go_cases go test -json ./...
    into go "$(version "$(go version)")"
    go_project
    sed -i 's/a + b/a - b/' sums.go
    shot verbose go test -v ./...
    shot vet go vet ./...
}

record_junit() {
    into junit "$(version "$(pytest --version)")"
    python_project
    sed -i 's/a + b/a - b/' sums.py
    shot fail bash -c 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml >/dev/null; s=$?; cat report.xml; exit $s'
    sed -i 's/a - b/a + b/' sums.py
    shot pass bash -c 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml >/dev/null; s=$?; cat report.xml; exit $s'
    rm test_sums.py
    shot nothing bash -c 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml >/dev/null; s=$?; cat report.xml; exit $s'
}

for tool in "$@"; do
    "record_$tool"
done
