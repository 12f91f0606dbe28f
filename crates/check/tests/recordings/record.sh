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

for tool in "$@"; do
    "record_$tool"
done
