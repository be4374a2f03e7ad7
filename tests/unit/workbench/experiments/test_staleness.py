"""What lags behind is told with the next step, and what does not is not."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from core.domain.ids import DocumentId
from core.store.database.changes import append_changes
from core.workbench.experiments.staleness import of_home, of_variant
from tests.support.encoder_folders import tiny
from tests.support.variants import opened_home


def test_an_encoder_whose_folder_changes_or_goes_is_told(tmp_path: Path) -> None:
    with opened_home(tmp_path) as bench:
        parts, folder = bench._parts, tiny(tmp_path)
        variant = bench.local.experiments.add("tiny", {"encode.model": str(folder)})
        assert of_variant(parts, variant) == ()
        parts.records.variants.set_whole(variant.vector_set)
        [lag] = of_variant(parts, variant)
        assert (lag.kind, lag.next_step) == ("vectors", "No worker runs: start groundwork up.")
        assert "3 passages came since" in lag.text
        weights = folder / "model.safetensors"
        weights.write_bytes(weights.read_bytes() + b" ")
        assert "its folder holds" in of_variant(parts, variant)[0].text
        weights.unlink()
        assert "cannot be used" in of_variant(parts, variant)[0].text
        parts.engines.catch_up()  # fields were found after it was indexed; a worker sees to it
        assert of_home(parts) == ()


def test_a_profile_that_documents_were_not_cut_by_and_an_index_behind_are_told(tmp_path: Path) -> None:
    with opened_home(tmp_path) as bench:
        parts = bench._parts
        variant = bench.local.experiments.add("wide", {"ingest.profile": "long"})
        parts.records.variants.set_whole(variant.vector_set)
        assert "3 documents came since and lack its passages" in of_variant(parts, variant)[0].text
        parts.engines.catch_up()
        with parts.records.database.write() as connection:
            append_changes(connection, (DocumentId("gone"),), "removed", datetime.now(UTC))
        [lag] = of_home(parts)
        assert (lag.kind, "records end at" in lag.text, lag.next_step != "") == ("index", True, True)
