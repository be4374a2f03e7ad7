from datetime import UTC, datetime

import pytest

from core.errors import NotFoundError, UsageError
from core.store.cells.thresholds import FieldModel, Threshold
from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_thresholds_are_kept_for_each_bucket_and_must_be_in_order(records: Records) -> None:
    wanted = Threshold("b", "law", 0.1, 0.9, "ann", NOW)
    records.thresholds.put(Threshold("b", "law", 0.2, 0.8, "bob", NOW))
    records.thresholds.put(wanted)
    assert records.thresholds.of_bucket("b") == {"law": wanted}
    assert records.thresholds.of_bucket("other") == {}
    with pytest.raises(UsageError, match="order"):
        records.thresholds.put(Threshold("b", "law", 0.9, 0.1, "ann", NOW))
    records.thresholds.remove("b", "law")
    assert records.thresholds.of_bucket("b") == {}


def test_one_model_is_in_use_and_can_be_switched_back(records: Records) -> None:
    assert (records.models.active(), records.models.active_id()) == (None, "")
    kept = records.models.put("m1", b"\0weights", {"before": 0.9}, NOW)
    records.models.put("m2", b"other", {}, NOW)
    assert kept == FieldModel("m1", NOW, {"before": 0.9}, False)
    records.models.use("m1")
    assert records.models.active() == ("m1", b"\0weights")
    records.models.use("m2")
    assert [model.is_active for model in records.models.list()] == [False, True]
    records.models.use(None)
    assert records.models.active_id() == ""
    with pytest.raises(NotFoundError):
        records.models.use("none")
    with pytest.raises(UsageError):
        records.models.put("m2", b"", {}, NOW)
