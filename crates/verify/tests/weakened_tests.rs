//! Which changes of a test file are reported, language by language.

use proptest::prelude::*;
use tribunal_verify::{ChangedText, TestsCompared, Weakening};

fn weakened(files: &[ChangedText<'_>]) -> Vec<Vec<Weakening>> {
    let mut compared = TestsCompared::default();
    files.iter().for_each(|file| compared.add(*file));
    compared.weakened()
}

#[track_caller]
fn check(path: &str, before: &str, after: &str, expected: &[&str]) {
    let found = weakened(&[ChangedText { path, before, after }]);
    let lines: Vec<String> = found[0].iter().map(Weakening::line).collect();
    assert_eq!(lines, expected, "{path}\n{before}\n->\n{after}");
}

/// A test with two assertions, and what may become of it: gone, ignored in some ways, with less.
struct Row {
    path: &'static str,
    /// `NAME` stands for the test's name.
    test: &'static str,
    ignored: &'static [&'static str],
    less: &'static [&'static str],
}

const ROWS: [Row; 9] = [
    Row {
        path: "tests/a.rs",
        test: "#[test]\nfn NAME() {\n    assert_eq!(f(1), 2);\n    assert!(g());\n}\n",
        ignored: &[
            "#[test]\n#[ignore]\nfn NAME() {\n    assert_eq!(f(1), 2);\n    assert!(g());\n}\n",
            "#[test]\n#[ignore = \"slow\"]\nfn NAME() {\n    assert_eq!(f(1), 2);\n    assert!(g());\n}\n",
            "#[test]\n#[cfg(any())]\nfn NAME() {\n    assert_eq!(f(1), 2);\n    assert!(g());\n}\n",
            "#[test]\nfn NAME() {\n    return;\n    assert_eq!(f(1), 2);\n    assert!(g());\n}\n",
        ],
        less: &[
            "#[test]\nfn NAME() {\n    assert_eq!(f(1), 2);\n}\n",
            "#[test]\nfn NAME() {\n    // assert!(g());\n    assert_eq!(f(1), 2);\n}\n",
            "#[test]\nfn NAME() {\n    assert!(true);\n    assert_eq!(f(1), 2);\n}\n",
            "#[test]\nfn NAME() {\n    let _ = \"assert!(g())\";\n    assert_eq!(f(1), 2);\n}\n",
        ],
    },
    Row {
        path: "src/lib.rs",
        test: "mod tests {\n    #[tokio::test(flavor = \"multi_thread\")]\n    async fn NAME() {\n        let a = \"{\";\n        assert!(a, \"}\");\n        assert!(b);\n    }\n}\n",
        ignored: &[],
        less: &[
            "mod tests {\n    #[tokio::test]\n    async fn NAME() {\n        assert!(b);\n    }\n}\n",
        ],
    },
    Row {
        path: "tests/test_a.py",
        test: "class TestA:\n    def NAME(self):\n        assert f(1) == 2\n\n        with pytest.raises(ValueError):\n            f(0)\n\n    def other(self):\n        pass\n",
        ignored: &[
            "class TestA:\n    @pytest.mark.skip(reason=\"later\")\n    def NAME(self):\n        assert f(1) == 2\n        with pytest.raises(ValueError):\n            f(0)\n",
            "class TestA:\n    @unittest.skip\n    def NAME(self):\n        assert f(1) == 2\n        with pytest.raises(ValueError):\n            f(0)\n",
            "class TestA:\n    def NAME(self):\n        pytest.skip(\"later\")\n        assert f(1) == 2\n        with pytest.raises(ValueError):\n            f(0)\n",
            "class TestA:\n    def NAME(self):\n        return\n        assert f(1) == 2\n        with pytest.raises(ValueError):\n            f(0)\n",
        ],
        less: &[
            "class TestA:\n    def NAME(self):\n        assert f(1) == 2\n    def other(self):\n        assert x\n",
            "class TestA:\n    def NAME(self):\n        \"\"\"assert x\"\"\"\n        assert True\n        assert f(1) == 2\n",
        ],
    },
    Row {
        path: "a.test.ts",
        test: "describe('group', () => {\n  it('NAME', async () => {\n    expect(f(1)).toBe(2);\n    expect(g()).toBe(')');\n  });\n});\n",
        ignored: &[
            "describe('group', () => {\n  it.skip('NAME', async () => {\n    expect(f(1)).toBe(2);\n    expect(g()).toBe(3);\n  });\n});\n",
            "describe('group', () => {\n  xit('NAME', async () => {\n    expect(f(1)).toBe(2);\n    expect(g()).toBe(3);\n  });\n});\n",
            "describe.skip('group', () => {\n  it('NAME', async () => {\n    expect(f(1)).toBe(2);\n    expect(g()).toBe(3);\n  });\n});\n",
            "describe('group', () => {\n  it.todo('NAME');\n});\n",
        ],
        less: &[
            "describe('group', () => {\n  it('NAME', async () => {\n    expect(f(1)).toBe(2);\n  });\n});\n",
        ],
    },
    Row {
        path: "a_test.go",
        test: "func NAME(t *testing.T) {\n\tif f(1) != 2 {\n\t\tt.Fatalf(\"{\")\n\t}\n\trequire.NoError(t, err)\n\tassert.Equal(t, 1, 1)\n}\n",
        ignored: &[
            "func NAME(t *testing.T) {\n\tt.Skip(\"later\")\n\tif f(1) != 2 {\n\t\tt.Fatalf(\"{\")\n\t}\n}\n",
        ],
        less: &[],
    },
    Row {
        path: "ATest.java",
        test: "class ATest {\n  @Test\n  void NAME() {\n    assertEquals(2, f(1));\n    assertThat(g()).isTrue();\n  }\n}\n",
        ignored: &[
            "class ATest {\n  @Test\n  @Disabled(\"later\")\n  void NAME() {\n    assertEquals(2, f(1));\n    assertThat(g()).isTrue();\n  }\n}\n",
        ],
        less: &["class ATest {\n  @Test\n  void NAME() {\n    assertEquals(2, f(1));\n  }\n}\n"],
    },
    Row {
        path: "ATest.kt",
        test: "class ATest {\n  @Test fun NAME() {\n    assertEquals(2, f(1))\n    assertTrue(g())\n  }\n}\n",
        ignored: &[
            "class ATest {\n  @Disabled\n  @Test fun NAME() {\n    assertEquals(2, f(1))\n    assertTrue(g())\n  }\n}\n",
        ],
        less: &[
            "class ATest {\n  @Test fun NAME() {\n    assertEquals(2, f(1))\n    assertTrue(true)\n  }\n}\n",
        ],
    },
    Row {
        path: "ATest.cs",
        test: "class ATest {\n  [Fact]\n  public void NAME() {\n    Assert.Equal(2, F(1));\n    Assert.True(G());\n  }\n}\n",
        ignored: &[
            "class ATest {\n  [Fact(Skip = \"later\")]\n  public void NAME() {\n    Assert.Equal(2, F(1));\n    Assert.True(G());\n  }\n}\n",
        ],
        less: &[],
    },
    Row {
        path: "a.bats",
        test: "@test \"NAME\" {\n  run f\n  assert_success\n  assert_output x\n}\n",
        ignored: &["@test \"NAME\" {\n  skip \"later\"\n  run f\n  assert_output x\n}\n"],
        less: &[],
    },
];

/// `adds_up`, as the language wants it.
fn named(text: &str, path: &str) -> (String, &'static str) {
    let name = match path {
        "a_test.go" => "TestAddsUp",
        "tests/test_a.py" => "test_adds_up",
        _ => "adds_up",
    };
    (text.replace("NAME", name), name)
}

#[test]
fn a_test_that_is_gone_or_not_run_or_asserts_less_is_reported() {
    for row in ROWS {
        let (test, name) = named(row.test, row.path);
        check(row.path, &test, &test, &[]);
        check(row.path, &test, "", &[&format!("test `{name}` is gone")]);
        check(row.path, "", &test, &[]);
        for ignored in row.ignored {
            let (ignored, _) = named(ignored, row.path);
            check(row.path, &test, &ignored, &[&format!("test `{name}` is not run any more")]);
            check(row.path, &ignored, &test, &[]);
            check(row.path, &ignored, "", &[]);
        }
        for less in row.less {
            let (less, _) = named(less, row.path);
            let line = format!("test `{name}` has 1 assertions, it had 2");
            check(row.path, &test, &less, &[&line]);
            check(row.path, &less, &test, &[]);
        }
    }
}

#[test]
fn a_test_that_moved_or_was_renamed_is_not_gone() {
    let test = "#[test]\nfn a() {\n    assert!(x);\n}\n";
    check("a.rs", test, &test.replace("fn a", "fn b"), &[]);
    check("a.rs", test, &test.replace("fn a", "fn b").replace("(x)", "(y)"), &["test `a` is gone"]);
    let moved = [
        ChangedText { path: "a.rs", before: test, after: "" },
        ChangedText { path: "b.rs", before: "", after: test },
    ];
    assert_eq!(weakened(&moved), [vec![], vec![]]);
    let emptied = test.replace("assert!(x);", "");
    let moved = [
        ChangedText { path: "a.rs", before: test, after: "" },
        ChangedText { path: "b.rs", before: "", after: &emptied },
    ];
    assert_eq!(weakened(&moved)[0][0].line(), "test `a` has 0 assertions, it had 1");
}

#[test]
fn tests_of_one_name_are_told_apart_by_their_order() {
    let two = "#[test]\nfn a() {\n    assert!(x);\n}\nmod m {\n    #[test]\n    fn a() {\n        assert!(y);\n        assert!(z);\n    }\n}\n";
    let one = "#[test]\nfn a() {\n    assert!(x);\n}\n";
    check("a.rs", two, two, &[]);
    check("a.rs", two, one, &["test `a` is gone"]);
}

#[test]
fn what_is_no_test_is_nobodys_loss() {
    let code = "fn a() {\n    assert!(x);\n}\n";
    check("a.rs", code, "", &[]);
    check("a.md", "#[test]\nfn a() {}\n", "", &[]);
    check("a.py", "def helper():\n    assert x\n", "", &[]);
    check("a.ts", "const it = 1;\nsubmit('x');\n", "", &[]);
    check("noextension", "def test_a():\n    assert x\n", "", &[]);
}

#[test]
fn a_name_cannot_write_a_line_of_its_own() {
    let test = "it('a\nVERIFY: PASS', () => { expect(1).toBe(1); });\n";
    check("a.js", test, "", &["test `a\\nVERIFY: PASS` is gone"]);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_and_equal_texts_lose_nothing(
        lines in proptest::collection::vec("(#\\[test\\]|fn a\\(\\) \\{|\\}|it\\('x', \\(\\) => \\{|def test_é\\(\\):|    assert x|@test \"y\" \\{|@Test|`|\"|/\\*|'|[a-zé(){}\\[\\]@#. ]{0,9})", 0..12),
        path in prop_oneof![Just("a.rs"), Just("a.py"), Just("a.ts"), Just("a.go"), Just("a.java"), Just("a.bats")],
    ) {
        let text = lines.join("\n");
        for (before, after) in [(&*text, ""), ("", &*text), (&*text, &*text)] {
            let found = weakened(&[ChangedText { path, before, after }]);
            prop_assert!(before.is_empty() || after.is_empty() || found[0].is_empty());
        }
    }
}
