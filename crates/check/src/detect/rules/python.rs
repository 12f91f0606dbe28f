//! Python. A pyproject.toml alone says nothing about its tests.

use super::super::Ecosystem::Python;
use super::super::When::{Below, Beside, File, Line, Text};
use super::{Rule, rule};
use crate::Slot::{Build, Lint, Tests, Typecheck};

const PYPROJECT: &[&str] = &["pyproject.toml"];
const INI: &[&str] = &["setup.cfg", "tox.ini"];
/// What makes a folder a project of Python.
const PROJECT: &[&str] =
    &["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"];
/// Where a project declares what it needs.
const NEEDS: &[&str] = &[
    "pyproject.toml",
    "requirements.txt",
    "requirements-dev.txt",
    "requirements_dev.txt",
    "requirements-test.txt",
    "Pipfile",
    "setup.cfg",
];

pub(super) const RULES: &[Rule] = &[
    rule(
        Python,
        Tests,
        &[File(&["pytest.ini", ".pytest.ini", "pytest.toml"])],
        "{python} -m pytest",
    ),
    rule(Python, Tests, &[Line(PYPROJECT, "[tool.pytest")], "{python} -m pytest"),
    rule(Python, Tests, &[Line(INI, "[tool:pytest]")], "{python} -m pytest"),
    rule(Python, Tests, &[Line(INI, "[pytest]")], "{python} -m pytest"),
    rule(Python, Tests, &[File(&["conftest.py", "tests/conftest.py"])], "{python} -m pytest"),
    rule(Python, Tests, &[Text(NEEDS, "pytest")], "{python} -m pytest"),
    rule(Python, Tests, &[File(&["noxfile.py"])], "{py}nox"),
    rule(Python, Tests, &[Line(&["tox.ini"], "[tox]")], "{py}tox"),
    rule(Python, Tests, &[Line(PYPROJECT, "[tool.tox")], "{py}tox"),
    rule(Python, Tests, &[File(PROJECT), Below("test", ".py")], "{python} -m unittest"),
    rule(Python, Tests, &[Beside("test", ".py")], "{python} -m unittest"),
    rule(Python, Tests, &[File(&["tests/__init__.py"])], "{python} -m unittest"),
    rule(
        Python,
        Build,
        &[Line(PYPROJECT, "[tool.uv"), Line(PYPROJECT, "[build-system]")],
        "uv build",
    ),
    rule(Python, Build, &[File(&["uv.lock"]), Line(PYPROJECT, "[build-system]")], "uv build"),
    rule(Python, Build, &[Line(PYPROJECT, "[tool.poetry]")], "poetry build"),
    rule(Python, Build, &[Line(PYPROJECT, "[build-system]")], "{python} -m build"),
    rule(Python, Lint, &[Line(PYPROJECT, "[tool.ruff")], "{py}ruff check"),
    rule(Python, Lint, &[File(&["ruff.toml", ".ruff.toml"])], "{py}ruff check"),
    rule(Python, Lint, &[Text(NEEDS, "ruff")], "{py}ruff check"),
    rule(Python, Lint, &[File(&[".flake8"])], "{py}flake8"),
    rule(Python, Lint, &[Line(INI, "[flake8]")], "{py}flake8"),
    rule(Python, Lint, &[Line(PYPROJECT, "[tool.pylint")], "{py}pylint ."),
    rule(Python, Lint, &[File(&[".pylintrc", "pylintrc"])], "{py}pylint ."),
    rule(Python, Typecheck, &[Line(PYPROJECT, "[tool.mypy")], "{py}mypy ."),
    rule(Python, Typecheck, &[File(&["mypy.ini", ".mypy.ini"])], "{py}mypy ."),
    rule(Python, Typecheck, &[Line(INI, "[mypy]")], "{py}mypy ."),
    rule(Python, Typecheck, &[File(&["pyrightconfig.json"])], "{py}pyright"),
    rule(Python, Typecheck, &[Line(PYPROJECT, "[tool.pyright")], "{py}pyright"),
    rule(Python, Typecheck, &[Text(NEEDS, "mypy")], "{py}mypy ."),
];
