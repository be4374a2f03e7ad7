"""Other encoders beside the one that serves: built, switched to with questions running, rolled back."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from core.domain.job import JobState
from core.domain.search import SearchQuery
from core.errors import EncoderError, RefusedError, UsageError
from core.jobs import ownership
from core.search.search import Retriever
from core.workbench import Workbench
from core.workbench.work.worker import run_worker
from tests.support.encoder_folders import TINY_DIMENSION, tiny, tuned
from tests.support.variants import built, opened_home
from tests.support.waiting import wait_for

QUESTIONS = ("monthly rent of the warehouse", "notice to terminate", "working from home", "delivery of pumps")


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoders")
    tuned(folder)
    tiny(folder)
    return folder


def let_go_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who wrote the index before a switch lets go of it once not asked for a second, not half a minute."""
    monkeypatch.setattr(ownership, "_UNASKED_S", 1.0)
    monkeypatch.setattr(ownership, "_LEAD_RENEW_S", 0.3)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with opened_home(tmp_path) as opened:
        yield opened


def looked(bench: Workbench) -> None:
    bench._look_at = 0.0


def test_a_variant_is_built_beside_switched_to_and_rolled_back(bench: Workbench, encoders: Path) -> None:
    before = bench.search(SearchQuery("monthly rent")).hits[0]
    variant = built(bench, encoders / "tiny")
    [home, state] = bench.local.experiments.list()
    assert (home.status, state.status, state.missing) == ("live", "ready", 0)
    assert (state.encoder, state.dimension) == ("tiny", TINY_DIMENSION)

    assert bench.local.experiments.switch(variant.name) is None
    looked(bench)
    assert bench._parts.query_encoder.signature.dimension == TINY_DIMENSION
    other = bench.search(SearchQuery("monthly rent")).hits[0]
    assert (other.document, other.cosine != before.cosine) == (before.document, True)
    assert bench.ask("What is the monthly rent?", offline=True).text

    assert bench.local.experiments.rollback() is None
    looked(bench)
    assert bench.search(SearchQuery("monthly rent")).hits[0] == before
    with pytest.raises(UsageError, match="No variant served before"):
        bench.local.experiments.rollback()


def test_a_list_counts_once_for_each_variant_and_reads_jobs_once(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    records, experiments = bench._parts.records, bench.local.experiments
    for name in ("one", "two"):
        experiments.add(name, {"retrieval.alpha": "0.3"})
    job = experiments.build("two")
    calls: Counter[str] = Counter()

    def count(of: object, name: str) -> None:
        asked: Callable[..., object] = getattr(of, name)
        monkeypatch.setattr(of, name, lambda *given: calls.update([name]) or asked(*given))

    for name in ("missing", "uncut"):
        count(records.variants, name)
    for name in ("list", "order"):
        count(records.jobs, name)
    found = experiments.list()

    assert [each.job and each.job.id for each in found] == [None, None, job]
    assert calls == {"missing": 3, "uncut": 3, "list": 1, "order": 1}


def test_a_roll_back_goes_to_the_variant_that_served_whatever_another_is_called(bench: Workbench) -> None:
    variants, experiments = bench._parts.records.variants, bench.local.experiments
    variants.add("2", {"retrieval.alpha": "0.3"}, None, "ann")
    assert experiments.add("real", {"retrieval.alpha": "0.4"}).id == 2
    for name in ("real", "home"):
        assert experiments.switch(name) is None
    assert experiments.rollback() is None
    assert variants.serving().variant.name == "real"
    with pytest.raises(UsageError, match="cannot be called '3'"):
        experiments.add("3", {"retrieval.alpha": "0.5"})


@pytest.mark.parametrize("name", ["tuned", "tiny"])
def test_questions_that_run_meet_no_error_and_one_encoder_each(
    bench: Workbench, encoders: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = built(bench, encoders / name)
    expected = {"home": answers(bench)}
    bench.local.experiments.switch(variant.name)
    looked(bench)
    expected[name] = answers(bench)
    bench.local.experiments.rollback()
    looked(bench)
    assert expected["home"] != expected[name]
    stop, errors, mixed, seen = threading.Event(), [], [], set()
    known = [found for each in expected.values() for found in each.items()]

    def ask() -> None:
        while not stop.is_set():
            for question in QUESTIONS:
                try:
                    found = answer(bench, question)
                except Exception as error:
                    errors.append(error)
                    continue
                sides = [side for side in expected if expected[side][question] == found]
                seen.update(sides)
                if (question, found) not in known:
                    mixed.append((question, found))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        bench.local.experiments.switch(variant.name)
        threading.Event().wait(0.6)
        bench.local.experiments.rollback()
        threading.Event().wait(0.6)
    stop.set()
    for thread in threads:
        thread.join()
    assert (errors, mixed, seen) == ([], [], {"home", name})


def answer(bench: Workbench, question: str) -> tuple[tuple[str, float | None, float | None], ...]:
    hits = bench.search(SearchQuery(question)).hits
    return tuple((each.title, each.cosine, each.sentence_cosine) for each in hits)


def answers(bench: Workbench) -> dict[str, tuple[tuple[str, float | None, float | None], ...]]:
    return {question: answer(bench, question) for question in QUESTIONS}


def test_who_began_on_one_variant_ends_on_it(bench: Workbench, encoders: Path) -> None:
    variant = built(bench, encoders / "tiny")
    session = bench.local
    before = session.documents.search(SearchQuery("monthly rent")).hits
    session.experiments.switch(variant.name)
    looked(bench)
    assert bench.search(SearchQuery("monthly rent")).hits[0].cosine != before[0].cosine
    looked(bench)
    bench.local  # noqa: B018 - looks again, and would close what nobody uses
    assert session.documents.search(SearchQuery("monthly rent")).hits == before


def test_what_is_ingested_while_two_are_kept_is_found_by_both(
    monkeypatch: pytest.MonkeyPatch, bench: Workbench, encoders: Path, tmp_path: Path
) -> None:
    variant = built(bench, encoders / "tiny")
    (tmp_path / "late.txt").write_text("The boiler of the annex is serviced every spring by Harbour Heating.")
    bench.ingest([tmp_path / "late.txt"])
    assert bench.local.experiments.list()[1].missing == 0
    let_go_soon(monkeypatch)
    bench.local.experiments.switch(variant.name)
    looked(bench)
    assert bench.search(SearchQuery("boiler serviced")).hits[0].title == "late"
    (tmp_path / "later.txt").write_text("The lift is inspected in autumn.")
    bench.ingest([tmp_path / "later.txt"])
    bench.local.experiments.rollback()
    looked(bench)
    found = bench.search(SearchQuery("lift inspected", mode="semantic")).hits
    assert "later" in [each.title for each in found]


def test_a_worker_goes_over_to_what_serves_while_it_ingests(
    bench: Workbench, encoders: Path, tmp_path: Path
) -> None:
    variant = built(bench, encoders / "tiny")
    folder = tmp_path / "more"
    folder.mkdir()
    for number in range(12):
        (folder / f"n{number}.txt").write_text(f"Machine {number} stands in hall {number % 3}. " * 20)
    home, stop = bench.settings.home, threading.Event()
    bench.close()  # who ingested keeps the right to write
    worker = threading.Thread(target=lambda: run_worker(home=home, stop=stop))
    with Workbench.open(home=home) as asking:
        asking.local.documents.submit_ingest([folder])
        worker.start()
        try:
            assert asking.local.experiments.switch(variant.name) is None
            wait_for(lambda: all(job.state.is_ended for job in asking.local.jobs.list()), within_s=60)
            assert {job.state for job in asking.local.jobs.list()} == {JobState.DONE}
            both = lambda: [each.missing for each in asking.local.experiments.list()] == [0, 0]  # noqa: E731
            wait_for(both, within_s=90)
            found = lambda: len(asking.search(SearchQuery("machine in hall", top_k=50)).hits) >= 12  # noqa: E731
            wait_for(found, within_s=90)
            assert asking._parts.variant == variant
        finally:
            stop.set()
            worker.join()


def test_what_is_no_encoder_is_refused_and_nothing_is_lost(
    bench: Workbench, encoders: Path, tmp_path: Path
) -> None:
    experiments = bench.local.experiments
    empty = tmp_path / "empty"
    empty.mkdir()
    for wrong, reason in ((empty, "without an encoder"), (tmp_path / "none", "No encoder")):
        with pytest.raises(EncoderError, match=reason):
            experiments.add("wrong", {"encode.model": str(wrong)})
    with pytest.raises(UsageError, match="cannot change"):
        experiments.add("wrong", {"app.port": "1"})
    with pytest.raises(UsageError, match=r"retrieval\.alpha"):
        experiments.add("wrong", {"retrieval.alpha": "7"})
    assert len(experiments.list()) == 1
    assert bench.search(SearchQuery("monthly rent")).hits


def test_only_admins_see_or_change_variants(bench: Workbench) -> None:
    from core.domain.principal import Principal
    from tests.support.roles import MAY_ASK

    experiments = bench.for_principal(Principal("ann", MAY_ASK)).experiments
    for call in (experiments.list, experiments.rollback, lambda: experiments.switch("home")):
        with pytest.raises(RefusedError):
            call()
    with pytest.raises(RefusedError):
        experiments.add("mine", {})


def test_one_retriever_reads_vectors_of_its_own_encoder_alone(bench: Workbench, encoders: Path) -> None:
    variant = built(bench, encoders / "tiny")
    parts = bench._parts.beside(variant)
    try:
        retriever: Retriever = parts.retriever
        found = retriever.retrieve(SearchQuery("monthly rent"), bench.local.documents._visible)
        assert {each.sentence_vectors.shape[1] for each in found.candidates} == {TINY_DIMENSION}
        assert np.isclose(np.linalg.norm(found.analysis.vector), 1)
    finally:
        parts.close()
