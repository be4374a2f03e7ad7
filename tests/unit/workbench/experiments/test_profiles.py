"""Another chunk profile beside the one that serves: cut from the stored pages, switched to, rolled back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.domain.answer import Answer
from core.domain.search import SearchQuery
from core.jobs import ownership
from core.store.database.schema import passages
from core.store.database.visibility import Visibility
from core.workbench import Workbench
from core.workbench.work.variant_jobs import drop_unused

MACHINES = (
    "lathe",
    "press",
    "drill",
    "kiln",
    "crane",
    "boiler",
    "pump",
    "saw",
    "mill",
    "loom",
    "winch",
    "mixer",
)
LONG = {"ingest.profile": "long"}


def manual(place: str) -> str:
    """Some 900 tokens: four passages of the standard profile, one of the long one."""
    return "\n".join(
        f"The {machine} of {place} stands in hall {number}. It was bought in {1990 + number} and is serviced "
        f"every {number + 2} months by the crew of {place}, who write down each fault of the {machine} in "
        "the book beside it, with the day, the hour, and the name of whoever repaired it."
        for number, machine in enumerate(MACHINES)
    )


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who wrote the index before a switch lets go of it once not asked for a second, not half a minute."""
    monkeypatch.setattr(ownership, "_UNASKED_S", 1.0)
    monkeypatch.setattr(ownership, "_LEAD_RENEW_S", 0.3)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    for place in ("Oslo", "Bergen"):
        (tmp_path / f"{place}.txt").write_text(manual(place))
    with Workbench.open(home=tmp_path / "home") as opened:
        opened.ingest([tmp_path / "Oslo.txt", tmp_path / "Bergen.txt"])
        yield opened


def build(bench: Workbench, name: str = "wide") -> None:
    experiments = bench.local.experiments
    experiments.add(name, LONG)
    experiments.follow(experiments.build(name))


def switch(bench: Workbench, name: str) -> None:
    assert bench.local.experiments.switch(name) is None
    bench._look_at = 0.0


def require_citations_hold(bench: Workbench, answer: Answer) -> None:
    found = [each for claim in answer.claims for each in claim.citations]
    assert found
    for each in found:
        page = bench._parts.records.documents.page(
            each.document, each.version, each.page, Visibility.everything()
        )
        assert page.text[each.start : each.end] == each.quote


def test_a_profile_is_cut_beside_switched_to_and_rolled_back(bench: Workbench) -> None:
    question = "When was the kiln of Bergen bought?"
    before = bench.search(SearchQuery(question)).hits
    first = bench.ask(question, offline=True)
    build(bench)
    home, wide = bench.local.experiments.list()
    assert (home.status, wide.status, wide.missing, wide.uncut) == ("live", "ready", 0, 0)
    assert wide.passages < home.passages
    assert bench.search(SearchQuery(question)).hits == before

    switch(bench, "wide")
    after = bench.search(SearchQuery(question)).hits
    assert len(after[0].text) > max(len(each.text) for each in before)
    assert {each.passage for each in after}.isdisjoint({each.passage for each in before})
    require_citations_hold(bench, bench.ask(question, offline=True))
    require_citations_hold(bench, first)

    switch(bench, "home")
    assert bench.search(SearchQuery(question)).hits == before


def test_what_comes_in_under_either_is_cut_for_both(soon: None, bench: Workbench, tmp_path: Path) -> None:
    build(bench)
    (tmp_path / "Turku.txt").write_text(manual("Turku"))
    bench.ingest([tmp_path / "Turku.txt"])
    assert [(each.missing, each.uncut) for each in bench.local.experiments.list()] == [(0, 0)] * 2
    switch(bench, "wide")
    (tmp_path / "Visby.txt").write_text(manual("Visby"))
    (tmp_path / "Oslo.txt").write_text(manual("Oslo") + "\nThe sander of Oslo stands in hall 40.")
    bench.ingest([tmp_path / "Visby.txt", tmp_path / "Oslo.txt"])
    assert [(each.missing, each.uncut) for each in bench.local.experiments.list()] == [(0, 0)] * 2
    for name in ("wide", "home"):
        switch(bench, name)
        for sought in ("Turku", "Visby"):
            assert bench.search(SearchQuery(f"loom of {sought}")).hits[0].title == sought
        assert "hall 40" in bench.search(SearchQuery("sander of Oslo hall 40")).hits[0].text
    bench.local.documents.remove([bench.search(SearchQuery("loom of Visby")).hits[0].document])
    assert {each.uncut for each in bench.local.experiments.list()} == {0}


def test_questions_meet_one_cut_each_while_it_is_switched(bench: Workbench) -> None:
    build(bench)
    question = "crew of Oslo that services the boiler"
    expected = [bench.search(SearchQuery(question)).hits]
    switch(bench, "wide")
    expected.append(bench.search(SearchQuery(question)).hits)
    assert expected[0] != expected[1]
    stop, wrong, seen = threading.Event(), [], set()

    def ask() -> None:
        while not stop.is_set():
            try:
                found = bench.search(SearchQuery(question)).hits
            except Exception as error:
                wrong.append(error)
            else:
                wrong.extend([] if found in expected else [found])
                seen.update(at for at, hits in enumerate(expected) if hits == found)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for name in ("home", "wide", "home", "wide"):
        bench.local.experiments.switch(name)
        threading.Event().wait(0.6)
    stop.set()
    for thread in threads:
        thread.join()
    assert (wrong, seen) == ([], {0, 1})


def test_passages_of_a_profile_go_with_its_last_variant(bench: Workbench) -> None:
    build(bench)
    build(bench, "again")
    records = bench._parts.records
    sets = {each.variant.vector_set for each in bench.local.experiments.list()}
    assert len(sets) == 2
    bench.local.experiments.remove("wide")
    drop_unused(bench._parts)
    assert profiles(bench) == {"", "long"}
    bench.local.experiments.remove("again")
    drop_unused(bench._parts)
    assert profiles(bench) == {""}
    assert records.passages.count() == records.passages.count_vectors()


def profiles(bench: Workbench) -> set[str]:
    return set(bench._parts.records.database.scalars(sa.select(passages.c.profile).distinct()))
