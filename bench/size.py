"""The size of the code, by package: lines, modules, patterns, classes, shapes.

    python -m bench.size            # prints the table
    python -m bench.size --write    # and writes docs/size.md; a figure that grew is refused
    python -m bench.size --write --grow core/ingest app   # these may have grown: say why in the commit

A shape is a class that holds values: a dataclass, a pydantic model, a named tuple, a typed dict. Blank lines,
comments and docstrings count as lines. `tests/architecture/test_sizes.py` holds the tree against the page.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "size.md"
HEAD = """# The size of the code

By `python -m bench.size --write`. The figures only shrink: a test holds the tree against this page, and
what has to grow is named when the page is written (`--grow PACKAGE`). A shape is a class that holds values.

"""
PRODUCT = ("app", "core", "crawler")
TOPS = (*PRODUCT, "bench", "tests")
PATTERN = re.compile(r"\b(?:re\.compile|any_case|late_pattern)\(")
SCRIPTS = "app, scripts and styles"
SHAPES = {"BaseModel", "BaseSettings", "NamedTuple", "TypedDict"}


@dataclass(frozen=True)
class Size:
    """Figures of one package or folder; lines of scripts and styles have no other figure."""

    lines: int = 0
    modules: int = 0
    patterns: int = 0
    classes: int = 0
    shapes: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def tracked() -> list[Path]:
    """Files of the repository that are there, relative to its root."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in listed.splitlines() if (ROOT / line).is_file()]


@cache
def classes(text: str) -> list[ast.ClassDef]:
    """Classes of one Python file."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)]


def bases(node: ast.ClassDef) -> set[str]:
    """Names of the bases of a class, without their modules and parameters."""
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}


def shape_names(texts: Iterable[str]) -> set[str]:
    """Names of all classes that hold values, by a decorator or by a base that does."""
    nodes = [node for text in texts for node in classes(text)]
    names = SHAPES | {
        node.name for node in nodes if any("dataclass" in ast.unparse(mark) for mark in node.decorator_list)
    }
    while more := {node.name for node in nodes if bases(node) & names} - names:
        names |= more
    return names


def size_of_module(text: str, shapes: set[str]) -> Size:
    """Figures of one Python file."""
    names = [node.name for node in classes(text)]
    return Size(
        len(text.splitlines()), 1, len(PATTERN.findall(text)), len(names), sum(n in shapes for n in names)
    )


def package(path: Path) -> str:
    """The row of a file: a package of core, or a folder of the top."""
    top, *inner = path.parts
    if top != "core":
        return top
    return f"core/{inner[0]}" if len(inner) > 1 else "core, its own modules"


def sizes(tops: tuple[str, ...] = TOPS) -> dict[str, Size]:
    """Figures by row, largest first, with a row for all of core and one for scripts and styles."""
    files = {
        path: package(path)
        for path in tracked()
        if path.parts[0] in tops and path.suffix in {".py", ".js", ".css"}
    }
    texts = {path: (ROOT / path).read_text("utf-8") for path in files}
    shapes = shape_names(text for path, text in texts.items() if path.suffix == ".py")
    rows: dict[str, Size] = {}
    for path, row in files.items():
        if path.suffix == ".py":
            rows[row] = rows.get(row, Size()) + size_of_module(texts[path], shapes)
        elif row == "app":
            rows[SCRIPTS] = rows.get(SCRIPTS, Size()) + Size(lines=len(texts[path].splitlines()))
    rows["core"] = sum((size for row, size in rows.items() if row.startswith("core")), Size())
    return dict(sorted(rows.items(), key=lambda each: -each[1].lines))


def table(rows: dict[str, Size]) -> str:
    """A Markdown table of these rows."""
    names = [field.name for field in fields(Size)]
    lines = [f"| | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    lines += [
        f"| {row} | " + " | ".join(f"{n:,}" for n in astuple(size)) + " |" for row, size in rows.items()
    ]
    return "\n".join(lines) + "\n"


def recorded() -> Iterator[tuple[str, Size]]:
    """Rows of docs/size.md; none where there is no such page."""
    text = PAGE.read_text("utf-8") if PAGE.is_file() else ""
    for row, cells in re.findall(r"(?m)^\| ([a-z][^|]*?) \| ([\d,| ]+) \|$", text):
        yield row, Size(*(int(cell.replace(",", "")) for cell in cells.split(" | ")))


def growth() -> dict[str, str]:
    """Figures of the product that are larger than docs/size.md says, by row; a row that is not there is new.

    Tests and benchmarks may grow: what they cost is time, which the gate shows.
    """
    ceilings = dict(recorded())
    grown = {}
    for row, size in sizes(PRODUCT).items():
        before = ceilings.get(row, Size())
        more = [
            f"{name} {a:,} -> {b:,}"
            for name, a, b in zip([f.name for f in fields(Size)], astuple(before), astuple(size), strict=True)
            if b > a
        ]
        if more:
            grown[row] = ", ".join(more)
    return grown


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write docs/size.md")
    parser.add_argument(
        "--grow", nargs="*", default=[], metavar="ROW", help="rows that may grow; 'all' for all"
    )
    args = parser.parse_args()
    page = table(sizes())
    print(page)
    refused = {row: more for row, more in growth().items() if "all" not in args.grow and row not in args.grow}
    if args.write and refused and PAGE.is_file():
        raise SystemExit(f"Grown: {refused}. Name what has to grow with --grow.")
    if args.write:
        PAGE.write_text(HEAD + page, "utf-8")


if __name__ == "__main__":
    main()
