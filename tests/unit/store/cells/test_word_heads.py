from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from core.config.models import Settings
from core.store.cells.word_heads import StoredHead
from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HEAD = StoredHead("contracts", "audit", NOW, 25, NOW, "{}")


def test_a_head_is_kept_in_place_of_the_one_before_and_forgotten(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        records.word_heads.put(HEAD)
        records.word_heads.put(StoredHead("contracts", "audit", NOW, 26, None, "{1}"))

        assert records.word_heads.all() == {"contracts": {"audit": "{1}"}}
        kept = records.word_heads.get("contracts", "audit")
        assert kept is not None
        assert (kept.verdicts, kept.newest) == (26, None)

        records.word_heads.remove("contracts", "audit")
        assert records.word_heads.get("contracts", "audit") is None


def test_a_field_that_nobody_judged_has_no_verdicts(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        state = records.word_heads.verdicts("contracts", "audit")

    assert (state.verdicts, state.newest) == (0, None)
