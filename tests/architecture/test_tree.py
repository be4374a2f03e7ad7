"""Rules of CONTRIBUTING.md that the source tree shows: sizes, names, docstrings, tests, access."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_MODULES = 20
MOST_LINES = 600
MOST_RELATIVE_CLAUSES = 0.03
LEAST_STATEMENTS = 40  # with at least one branch: from there on a module has logic of its own
WITHOUT_OWN_TEST = ROOT / "tests" / "architecture" / "without_own_test.txt"
SHORT_CUTS = "core/workbench/facade.py"  # acts as the local admin where nobody else is named
MAKES_THE_PRINCIPAL = {"app/services.py"}  # the local start

RELATIVE_CLAUSE = re.compile(r"(what|whether|which|how|where|when|who|whose|whom|why)\b", re.IGNORECASE)
BENCH = re.compile(r"(\w+\.)?bench(\(\))?")
OWNERS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.Try, ast.Match, ast.comprehension)


@cache
def modules() -> dict[str, ast.Module]:
    """Modules of app and core by their path, parsed."""
    paths = [path for folder in ("app", "core") for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def docstrings() -> Iterator[tuple[str, str]]:
    """The place and the first line of every docstring."""
    for name, tree in modules().items():
        for node in ast.walk(tree):
            doc = ast.get_docstring(node) if isinstance(node, OWNERS) else None
            if doc:
                yield f"{name}:{getattr(node, 'lineno', 1)}", doc.split("\n")[0]


def has_logic(tree: ast.Module) -> bool:
    """True where a module has LEAST_STATEMENTS statements beside docstrings and imports, and a branch."""
    statements = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
        and not isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    return len(statements) >= LEAST_STATEMENTS and any(isinstance(node, BRANCHES) for node in ast.walk(tree))


def own_tests(name: str) -> list[Path]:
    """Tests of a module in the folder of tests/unit that mirrors its own: `test_rank.py` of `rank.py`."""
    path = Path(name)
    parts = path.parts if path.parts[0] == "app" else path.parts[1:]
    folder = ROOT.joinpath("tests", "unit", *parts[:-1])
    return sorted(folder.glob(f"test_{path.stem}*.py"))


def without_own_test() -> set[str]:
    """Modules of WITHOUT_OWN_TEST; each line is a path, a colon, and the reason."""
    lines = WITHOUT_OWN_TEST.read_text("utf-8").splitlines()
    return {line.split(": ")[0] for line in lines if line and not line.startswith("#")}


def test_no_folder_has_more_modules_than_a_person_can_look_through() -> None:
    sizes = Counter(str(Path(name).parent) for name in modules() if not name.endswith("__init__.py"))

    assert {folder: size for folder, size in sizes.items() if size > MOST_MODULES} == {}


def test_no_module_is_longer_than_one_job_takes() -> None:
    sizes = {name: len((ROOT / name).read_text("utf-8").splitlines()) for name in modules()}

    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}


def test_a_public_class_name_stands_once_in_core() -> None:
    homes = defaultdict(list)
    for name, tree in modules().items():
        for node in tree.body:
            if name.startswith("core/") and isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)

    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_docstrings_begin_with_the_thing() -> None:
    lines = list(docstrings())
    relative = [f"{place}: {line}" for place, line in lines if RELATIVE_CLAUSE.match(line)]

    assert len(relative) <= MOST_RELATIVE_CLAUSES * len(lines), "\n".join(relative)


def test_a_module_with_logic_has_a_test_of_its_own() -> None:
    missing = {name for name, tree in modules().items() if has_logic(tree) and not own_tests(name)}

    assert sorted(missing - without_own_test()) == []


def test_the_list_of_modules_without_a_test_of_their_own_only_shrinks() -> None:
    needed = {name for name, tree in modules().items() if has_logic(tree) and not own_tests(name)}

    assert sorted(without_own_test() - needed) == []


def test_no_function_of_core_has_a_default_principal() -> None:
    defaults = []
    for name, tree in modules().items():
        if not name.startswith("core/") or name == SHORT_CUTS:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                named = [*node.args.posonlyargs, *node.args.args]
                given = [*zip(named[::-1], node.args.defaults[::-1], strict=False)]
                given += list(zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True))
                found = [each.arg for each, default in given if default is not None]
                defaults += [f"{name}:{node.lineno}" for each in found if each in ("principal", "visibility")]

    assert defaults == []


def test_the_app_asks_as_a_principal_and_never_by_default() -> None:
    """Only the local start makes a principal, and nothing uses the short cuts of an opened workbench."""
    acts = {"ingest", "documents", "search", "ask", "stream", "plan", "run", "matrix", "evaluate", "local"}
    faults = []
    for name, tree in modules().items():
        if not name.startswith("app/") or name in MAKES_THE_PRINCIPAL:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Name | ast.alias) and "LOCAL_ADMIN" in ast.unparse(node):
                faults.append(f"{name}: LOCAL_ADMIN")
            elif (
                isinstance(node, ast.Attribute)
                and node.attr in acts
                and BENCH.fullmatch(ast.unparse(node.value))
            ):
                faults.append(f"{name}:{node.lineno}: {ast.unparse(node)}")

    assert faults == []


def test_no_folder_beside_the_main_script_is_one_that_streamlit_reads() -> None:
    """A folder `pages` there makes an older kind of app of it: "Page not found" over the first page."""
    assert not (ROOT / "app" / "pages").exists()
