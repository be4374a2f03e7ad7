"""Suites that can be run: what they hold, what is refused of a file, and what a large home has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import NotFoundError, UsageError
from core.evaluate.suite import AnswerShape, Case
from core.workbench.evaluation import suites
from core.workbench.evaluation.service import EvaluationService
from tests.support.contracts_at_hand import Contracts, contracts_at_hand


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path_factory.mktemp("suites") / "home") as found:
        yield found


def own(contracts: Contracts) -> EvaluationService:
    return contracts.bench.local.evaluations


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    base = {"shape": "list", "why": "It says so.", "question": "Which contracts are there?"}
    lines = [json.dumps({"id": f"case-{n}", **base, **row}) for n, row in enumerate(rows)]
    (folder / "own.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder / "own.jsonl"


def files(contracts: Contracts) -> list[str]:
    return sorted(each.source for each in contracts.bench.local.documents.list())


def test_wrong_lines_of_a_file_are_told_with_their_numbers(contracts: Contracts, tmp_path: Path) -> None:
    name = files(contracts)[0]
    good = {"expect": {"status": "answered", "documents": [name]}}
    other = {"expect": {"status": "answered", "documents": ["none.txt"]}, "question": "Which?"}

    with pytest.raises(UsageError, match=r"line 2: there is no document 'none.txt'; line 3: .*'none.txt'"):
        own(contracts).import_suite(written(tmp_path, good, other, other | {"question": "Who?"}))
    with pytest.raises(UsageError, match=r"line 2: the id 'case-0' stands twice"):
        own(contracts).import_suite(written(tmp_path, good, good | {"id": "case-0", "question": "Who?"}))
    with pytest.raises(UsageError, match="cannot be the name"):
        own(contracts).import_suite(written(tmp_path, good), "design")
    with pytest.raises(NotFoundError, match="no suite 'own'"):
        own(contracts).start("own")


def test_of_own_suites_only_the_one_that_is_asked_is_read(
    contracts: Contracts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, row = own(contracts), {"expect": {"status": "answered", "documents": files(contracts)[:1]}}
    for name in ("first", "second"):
        service.import_suite(written(tmp_path, row), name)
    read: list[str] = []
    read_case = Case.model_validate

    def noted(told: dict[str, Any]) -> Case:
        read.append(told["id"])
        return read_case(told)

    monkeypatch.setattr(Case, "model_validate", noted)
    monkeypatch.setattr(service._reviews, "cases", lambda: pytest.fail("verdicts are not asked for"))
    found = service.cases("first")
    monkeypatch.undo()
    for name in ("first", "second"):
        service.remove_suite(name)

    assert ([each.id for each in found], read) == (["case-0"], ["case-0"])


def test_the_suite_of_a_home_is_made_of_its_own_cells(contracts: Contracts) -> None:
    found = own(contracts).cases("home")

    asked = [each for each in found if each.shape is AnswerShape.LOOKUP]
    names = {each.expect.documents[0]: each for each in asked}
    assert "Harbor agreement.txt" in names
    assert names.keys() <= set(files(contracts))
    assert all(Path(name).stem in each.question for name, each in names.items())
    assert all(each.expect.value is not None and len(each.expect.documents) == 1 for each in asked)


def test_of_a_large_home_nothing_is_counted(contracts: Contracts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suites, "MOST_ROWS", 3)

    shapes = {each.shape for each in own(contracts).cases("home")}

    assert AnswerShape.LOOKUP in shapes
    assert shapes <= {AnswerShape.LOOKUP, AnswerShape.RETRIEVAL}
