"""Runs the tutorial: every Python block of README.md, one after the other, as one program. Its figures are those of the page.

    python python/examples/tutorial.py [FOLDER]

Files go to FOLDER, else to a temporary one, from which the figures go to docs/pictures.
"""

import contextlib
import os
import pathlib
import re
import shutil
import sys
import tempfile

import matplotlib

PYTHON = pathlib.Path(__file__).resolve().parent.parent


def blocks() -> list[str]:
    """The Python blocks of the page, each with its line numbers."""
    page = (PYTHON / "README.md").read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return ["\n" * page[: block.start(1)].count("\n") + block[1] for block in found]


@contextlib.contextmanager
def inside(folder: pathlib.Path):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(folder: pathlib.Path) -> int:
    """Runs the tutorial in a folder; the number of its blocks."""
    matplotlib.use("Agg")
    names: dict[str, object] = {}
    with inside(folder):
        for block in blocks():
            exec(compile(block, PYTHON / "README.md", "exec"), names)
    return len(blocks())


def main() -> None:
    if len(sys.argv) > 1:
        folder = pathlib.Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        run(folder)
        return
    with tempfile.TemporaryDirectory() as temporary:
        run(pathlib.Path(temporary))
        for figure in pathlib.Path(temporary).glob("*.png"):
            shutil.copy(figure, PYTHON.parent / "docs" / "pictures" / figure.name)


if __name__ == "__main__":
    main()
