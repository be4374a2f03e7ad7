"""Jobs that build a variant: what breaks fails the job alone, and a resumed one goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.domain.job import JobState
from core.domain.search import SearchQuery
from core.encode.minilm import MiniLm
from core.workbench import Workbench
from core.workbench.work.handlers import Handlers
from core.workbench.work.variant_jobs import drop_unused
from tests.support.encoder_folders import tiny
from tests.support.variants import built, opened_home


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with opened_home(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda folder: (folder / "model.safetensors").write_bytes(b"no weights"), "weights"),
        (lambda folder: (folder / "config.json").write_text("{}"), "dimension|cannot be"),
    ],
    ids=("weights", "config"),
)
def test_an_encoder_that_breaks_fails_the_job_and_not_the_home(
    bench: Workbench, tmp_path: Path, damage: Callable[[Path], object], reason: str
) -> None:
    folder = tiny(tmp_path, "broken")
    variant = bench.local.experiments.add("broken", {"encode.model": str(folder)})
    damage(folder)
    job = bench.local.documents._writing.complete(bench.local.experiments.build(variant.name), None)
    assert job.state is JobState.FAILED
    assert re.search(reason, job.error or "")
    assert bench.search(SearchQuery("monthly rent")).hits
    bench.local.experiments.remove("broken")
    assert len(bench.local.experiments.list()) == 1


def test_memory_that_does_not_suffice_fails_the_job_and_it_goes_on(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object) -> object:
        raise MemoryError

    variant = bench.local.experiments.add("tiny", {"encode.model": str(tiny(tmp_path))})
    with monkeypatch.context() as patched:
        patched.setattr(MiniLm, "encode_passages", too_large)
        job = bench.local.documents._writing.complete(bench.local.experiments.build("tiny"), None)
    assert job.state is JobState.FAILED
    assert "memory" in (job.error or "")
    bench.local.jobs.resume(job.id)
    assert bench.local.documents._writing.complete(job.id, None).state is JobState.DONE
    assert bench.local.experiments.list()[1].status == "ready"
    assert variant.vector_set


def test_a_variant_of_the_same_vectors_writes_by_the_engine_that_is_open(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Handlers, "upkeep", lambda self: None)  # so that the job finds what is left to write
    records, experiments = bench._parts.records, bench.local.experiments
    records.documents.remove(next(iter(records.changes.since(0).documents)))
    variant = experiments.add("words", {"retrieval.alpha": "0.2"})
    assert experiments.follow(experiments.build(variant.name)).state is JobState.DONE
    assert bench._parts.engines.passages.status().sequence == records.changes.data_version()


def test_vectors_that_no_variant_searches_go_with_their_index(bench: Workbench, tmp_path: Path) -> None:
    variant = built(bench, tiny(tmp_path))
    variants, parts = bench._parts.records.variants, bench._parts
    folder = bench.settings.home / "index" / f"set{variant.vector_set}"
    drop_unused(parts)
    assert folder.is_dir()
    bench.local.experiments.remove(variant.name)
    assert variants.unused_sets() == {variant.vector_set}
    drop_unused(parts)
    assert not folder.exists()
    assert variants.encoder(variant.vector_set) is None
