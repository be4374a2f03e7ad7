"""Sentences about what lags behind: vectors, encoders, the index, fields, settings."""

from __future__ import annotations

from core.config.variants import VARIABLE, with_variant
from core.domain.experiments.variant import HOME, HomeVariant
from core.encode.base import EncoderSignature
from core.encode.load import signature
from core.errors import GroundworkError
from core.store.database.visibility import Visibility
from core.workbench.wiring import Parts


def of_variant(
    parts: Parts, variant: HomeVariant, kept: EncoderSignature | None, missing: int
) -> tuple[str, ...]:
    """Parts of a variant that lag behind. kept: the encoder of its vectors; missing: passages without one."""
    found = []
    try:
        now = signature(with_variant(parts.home_settings, variant.settings))
    except GroundworkError as error:
        found.append(f"Its encoder cannot be used. {error.message}")
    else:
        if kept is not None and now != kept:
            what = "encode.model names" if variant.id == HOME else "its folder holds"
            found.append(
                f"Its vectors are of {kept.name!r} ({kept.sha256[:8]}), but {what} {now.name!r} "
                f"({now.sha256[:8]}): run groundwork reindex, or build it anew."
            )
    if missing and parts.records.variants.is_whole(variant.vector_set):
        found.append(f"{missing:,} passage{'' if missing == 1 else 's'} came since and lack its vectors.")
    for name, value in variant.settings.items():
        section, _, key = name.partition(".")
        own = getattr(parts.home_settings, section)
        if key in own.model_fields_set and str(getattr(own, key)) != value:
            found.append(
                f"{VARIABLE[name]}: groundwork.toml says {getattr(own, key)!r}, the variant {value!r}."
            )
    return tuple(found)


def of_home(parts: Parts) -> tuple[str, ...]:
    """Parts of the home as it serves that lag behind: vectors, index and fields. Raises nothing."""
    variant, records = parts.variant, parts.records
    found = list(
        of_variant(
            parts,
            variant,
            records.variants.encoder(variant.vector_set),
            records.variants.missing(variant.vector_set),
        )
    )
    try:
        sequence, newest = parts.engine.status().sequence, records.changes.data_version()
        if sequence < newest:
            found.append(f"The search index knows change {sequence:,}, the records end at {newest:,}.")
        definitions = parts.definitions()
        lacking = sum(
            len(records.fields.lacking(bucket.name, definitions.fingerprint(bucket.name)))
            for bucket in records.documents.buckets(Visibility.everything())
        )
        if lacking:
            found.append(f"{lacking:,} document{'' if lacking == 1 else 's'} were read by earlier fields.")
    except GroundworkError as error:
        found.append(error.message)
    return tuple(found)
