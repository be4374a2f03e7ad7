"""Versions that a run is made with."""

from __future__ import annotations

from importlib.metadata import version
from operator import attrgetter
from typing import TYPE_CHECKING

from core.config.variants import VARIABLE
from core.evaluate.measured import RunVersions
from core.llm.prompts import FOLDER, edited_prompt, read_prompt
from core.store.database.visibility import Visibility

if TYPE_CHECKING:
    from core.workbench.wiring import Parts

_SETTINGS = (
    *(name for name in VARIABLE if name != "encode.model"),  # which stands by its name and hash
    *("retrieval.resolve_documents", "retrieval.min_hits", "retrieval.max_hits", "retrieval.rerank_top"),
    *("answer.abstain_below", "answer.use_plans", "answer.use_reader", "answer.max_claims"),
    *("answer.avoid_failures", "answer.avoid_from", "answer.avoid_share"),
    *("ingest.ocr", "ingest.hidden_cells", "index.engine", "index.quantizer"),
)
"""Settings that change answers, by dotted name."""


def versions_of(parts: Parts, visible: Visibility, *, with_model: bool) -> RunVersions:
    """The versions of a home now. with_model: those of the language model and its prompts, too."""
    definitions, settings = parts.definitions(), parts.settings
    buckets = [each.name for each in parts.records.documents.buckets(visible)]
    own = parts.models_of_home.prompts
    names = sorted(path.stem for path in FOLDER.glob("*.md")) if with_model else []
    prompts = [edited_prompt(each, own[each]) if each in own else read_prompt(each) for each in names]
    return RunVersions(
        product=version("groundwork"),
        data_version=parts.records.changes.data_version(),
        schemas={bucket: definitions.fingerprint(bucket)[:12] for bucket in buckets},
        encoder=f"{parts.engines.signature.name} {parts.engines.signature.sha256[:8]}",
        model=parts.models_of_home.name if with_model else "",
        prompts={each.name: f"{each.version}{each.mark}" for each in prompts},
        settings={
            "variant": parts.variant.name,
            **{name: str(attrgetter(name)(settings)) for name in _SETTINGS},
        },
    )
