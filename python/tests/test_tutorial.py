"""The tutorial, the examples, those of docstrings and those of the front pages run as they stand."""

import doctest
import pathlib
import re
import subprocess
import sys

import pytest

import pliant

PYTHON = pathlib.Path(__file__).resolve().parent.parent
# a reference of a whole second takes half a minute; the tutorial has a test of its own
ARGUMENTS = {"compare_methods.py": ["0.1"]}
EXAMPLES = sorted(path.name for path in (PYTHON / "examples").glob("*.py"))
# how the last line of each program tells the force upwards, N
FRONT_PAGES = {
    "README.md": r"^\[ *\S+ +(\S+) +\S+ *\] N$",
    "docs/book/first-ten-minutes.md": r"^10\.0 mm +(\S+) N$",
}


def run(program: str, folder: pathlib.Path, *arguments: str) -> str:
    command = [sys.executable, str(PYTHON / program), *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=300).stdout


def test_the_tutorial_runs_from_top_to_bottom(tmp_path):
    told = run("examples/tutorial.py", tmp_path, str(tmp_path))
    assert "N on the finger" in told and "mm apart at most" in told
    for figure in ("python-force.png", "python-skin.png"):
        assert 5_000 < (tmp_path / figure).stat().st_size < 300_000


@pytest.mark.parametrize("example", [name for name in EXAMPLES if name != "tutorial.py"])
def test_examples_run_in_an_empty_folder(example, tmp_path):
    told = run(f"examples/{example}", tmp_path, *ARGUMENTS.get(example, []))
    assert len(re.findall(r"\d", told)) > 5


def test_the_example_of_the_package_runs():
    failed, tried = doctest.testmod(pliant)
    assert failed == 0 and tried >= 7


@pytest.mark.parametrize("page", FRONT_PAGES)
def test_the_program_of_a_front_page_runs_in_an_empty_folder(page, tmp_path):
    text = (PYTHON.parent / page).read_text(encoding="utf-8")
    (block,) = re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    program = tmp_path / "program.py"
    # an error then names the line of the page
    program.write_text("\n" * text[: block.start(1)].count("\n") + block[1], encoding="utf-8")
    told = run(str(program), tmp_path).splitlines()[-1]
    force = re.search(FRONT_PAGES[page], told)
    assert force and float(force[1]) > 0.1, told


def test_the_page_names_every_example():
    page = (PYTHON / "README.md").read_text(encoding="utf-8")
    assert len(EXAMPLES) >= 5
    for example in EXAMPLES:
        assert example in page
