from __future__ import annotations

from pathlib import Path

import pytest

from bench.model_concurrency import open_plants, plants, run
from core.workbench import Workbench


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROQ_API_KEY", "GROUNDWORK_LLM__API_KEY", "GROUNDWORK_LLM__BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_ten_questions_at_once_cite_their_own_evidence_and_who_leaves_frees_the_model(
    tmp_path: Path,
) -> None:
    with open_plants(tmp_path / "home", 10, between_s=0.01) as (bench, server):
        assert isinstance(bench, Workbench)
        report = run(bench, server, 10)

    assert report.faults == []
    assert (len(report.outcomes), report.cancelled) == (9, 2)  # the eight that stayed, and one afterwards
    assert report.is_free


def test_no_two_plants_are_alike() -> None:
    found = plants(100)

    assert len({each.name for each in found}) == len({each.code for each in found}) == 100
    assert not [one for one in found for other in found if one is not other and one.name in other.text]
