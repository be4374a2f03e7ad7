from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.domain.principal import Principal
from core.errors import RefusedError
from core.jobs import queue
from core.workbench.facade import Workbench


def test_figures_tell_what_waits_and_what_is_there_and_no_name(tmp_path: Path) -> None:
    file = tmp_path / "secret-lease.txt"
    file.write_text("The rent is $5 a month.", encoding="utf-8")
    with Workbench.open(home=tmp_path / "home", verify_encoder=False) as bench:
        bench.ingest([file], bucket="leases")
        queue.submit(bench._parts.records, "ingest", "secret title", {}, user="ann")

        found = bench.local.settings.figures()

        values = {(each.name, *each.labels.values()): each.value for each in found}
        assert values["groundwork_documents", "ready"] == 1
        assert values["groundwork_jobs", "queued"] == 1
        assert values["groundwork_jobs", "done"] == 1
        assert values["groundwork_worker_up",] == 0
        assert values["groundwork_index_passages",] == values["groundwork_passages",] == 1
        assert values["groundwork_audit_entries",] >= 1
        assert 0 < values["groundwork_disk_free_bytes",] < values["groundwork_disk_bytes",]
        text = repr(found)
        assert not any(word in text for word in ("secret", "leases", "ann", str(tmp_path)))


def test_the_oldest_job_that_waits_counts(tmp_path: Path) -> None:
    from core.workbench.services.settings import figures_of

    with Workbench.open(home=tmp_path / "home", verify_encoder=False) as bench:
        queue.submit(bench._parts.records, "ingest", "title", {}, user="ann")
        settings = bench.local.settings
        later = datetime.now(UTC) + timedelta(minutes=30)
        found = figures_of(bench._parts, settings.status(), settings.model_use(0), later)
    waits = next(each.value for each in found if each.name == "groundwork_job_waits_seconds")
    assert waits == pytest.approx(1800, abs=60)


def test_others_than_admins_are_not_told(tmp_path: Path) -> None:
    with Workbench.open(home=tmp_path / "home", verify_encoder=False) as bench:
        ann = bench.for_principal(Principal("ann", roles=frozenset({"analyst"})))
        with pytest.raises(RefusedError):
            ann.settings.figures()
