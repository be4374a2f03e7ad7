"""Versions that a run is made with."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from core.evaluate.measured import RunVersions
from core.llm.prompts import FOLDER, read_prompt
from core.store.database.visibility import Visibility

if TYPE_CHECKING:
    from core.workbench.wiring import Parts

_SETTINGS = {
    "retrieval": ("pool", "resolve_documents", "min_hits", "max_hits"),
    "answer": ("abstain_below", "use_plans", "use_reader", "max_claims"),
    "ingest": ("profile", "ocr", "hidden_cells"),
    "index": ("engine", "quantizer"),
}
"""Settings that change answers."""


def versions_of(parts: Parts, visible: Visibility, *, with_model: bool) -> RunVersions:
    """The versions of a home now. with_model: those of the language model and its prompts, too."""
    definitions, settings = parts.definitions(), parts.settings
    buckets = [each.name for each in parts.records.documents.buckets(visible)]
    prompts = sorted(FOLDER.glob("*.md")) if with_model else []
    return RunVersions(
        product=version("groundwork"),
        data_version=parts.records.changes.data_version(),
        schemas={bucket: definitions.fingerprint(bucket)[:12] for bucket in buckets},
        encoder=f"{parts.signature.name} {parts.signature.sha256[:8]}",
        model=parts.models_of_home.name if with_model else "",
        prompts={path.stem: str(read_prompt(path.stem).version) for path in prompts},
        settings={
            f"{section}.{name}": str(getattr(getattr(settings, section), name))
            for section, names in _SETTINGS.items()
            for name in names
        },
    )
