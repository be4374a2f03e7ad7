"""What lags behind is told, and what does not is not."""

from __future__ import annotations

from pathlib import Path

from core.workbench.experiments.staleness import of_home, of_variant
from tests.support.encoder_folders import tiny
from tests.support.variants import opened_home


def test_an_encoder_whose_folder_changes_or_goes_is_told(tmp_path: Path) -> None:
    with opened_home(tmp_path) as bench:
        parts, folder = bench._parts, tiny(tmp_path)
        variant = bench.local.experiments.add("tiny", {"encode.model": str(folder)})
        kept = parts.records.variants.encoder(variant.vector_set)
        assert of_variant(parts, variant, kept, 3) == ()
        parts.records.variants.set_whole(variant.vector_set)
        assert "3 passages came since" in of_variant(parts, variant, kept, 3)[0]
        weights = folder / "model.safetensors"
        weights.write_bytes(weights.read_bytes() + b" ")
        assert "its folder holds" in of_variant(parts, variant, kept, 0)[0]
        weights.unlink()
        assert "cannot be used" in of_variant(parts, variant, kept, 0)[0]
        parts.catch_up()  # fields were found after it was indexed; a worker sees to it
        assert of_home(parts) == ()
