from __future__ import annotations

from datetime import UTC, datetime

from core.domain.ids import DocumentId
from core.domain.upkeep import Repair, RepairReport
from core.store.store import Records

NOW = datetime(2026, 11, 22, 8, 30, tzinfo=UTC)


def test_the_last_repair_of_each_engine_is_kept_whole(records: Records) -> None:
    report = RepairReport(120, 3, 2, 1, 5, (DocumentId("d1"),), is_rebuilt=True)
    older = Repair("weaviate", NOW, 1.5, "It was started again.", RepairReport(1, 0, 0, 0, 0))
    newer = Repair("weaviate", NOW, 2.5, "Somebody asked for it.", report)

    records.repairs.save(older)
    records.repairs.save(newer)

    assert records.repairs.last("weaviate") == newer
    assert records.repairs.last("embedded") is None


def test_trust_settles_the_suspicion_that_was_known_and_no_later_one(records: Records) -> None:
    records.repairs.suspect("It did not answer.", NOW)
    known = records.repairs.suspicion()
    records.repairs.suspect("It broke off.", NOW.replace(minute=31))

    records.repairs.trust("n1:4", known)
    later = records.repairs.suspicion()
    records.repairs.trust("n1:5", later)

    assert later is not None
    assert later.reason == "It broke off."
    assert records.repairs.suspicion() is None
    assert records.repairs.checked_start() == "n1:5"
