"""Parts of a home that lag behind: passages, vectors, encoders, the index, fields, settings."""

from __future__ import annotations

from collections.abc import Iterator

from core.config.variants import PROMPTS, VARIABLE, with_variant
from core.domain.experiments.variant import HOME, HomeVariant, Lag
from core.encode.load import signature
from core.errors import GroundworkError
from core.jobs.queue import is_worker_alive
from core.store.database.visibility import Visibility
from core.workbench.wiring import Parts

_WORKER = "The worker sees to it within a minute."
_NO_WORKER = "No worker runs: start groundwork up."


def of_variant(parts: Parts, variant: HomeVariant, lacking: tuple[int, int] | None = None) -> tuple[Lag, ...]:
    """Parts of a variant that lag behind.

    lacking: numbers of passages without vectors and of documents to cut, where they are counted already.
    """
    return tuple(_of_variant(parts, variant, lacking))


def of_home(parts: Parts) -> tuple[Lag, ...]:
    """Parts of the home as it serves that lag behind: vectors, index and fields. Raises nothing."""
    found = list(of_variant(parts, parts.variant))
    try:
        found += _of_index_and_fields(parts)
    except GroundworkError as error:
        found.append(Lag("index", error.message, error.next_step))
    return tuple(found)


def _of_variant(parts: Parts, variant: HomeVariant, lacking: tuple[int, int] | None) -> Iterator[Lag]:
    variants = parts.records.variants
    kept = variants.encoder(variant.vector_set)
    again = "Run groundwork reindex." if variant.id == HOME else "Remove it and make it anew."
    try:
        now = signature(with_variant(parts.home_settings, variant.settings))
    except GroundworkError as error:
        yield Lag("encoder", f"Its encoder cannot be used. {error.message}", error.next_step)
    else:
        if kept is not None and now != kept:
            what = "encode.model names" if variant.id == HOME else "its folder holds"
            yield Lag(
                "encoder",
                f"Its vectors are of {kept.name!r} ({kept.sha256[:8]}), but {what} {now.name!r} "
                f"({now.sha256[:8]}).",
                again,
            )
    if variants.is_whole(variant.vector_set):
        step = _worker_step(parts)
        missing, uncut = lacking or (variants.missing(variant), variants.uncut(variant))
        if missing:
            yield Lag("vectors", f"{_counted(missing, 'passage')} came since and lack its vectors.", step)
        if uncut:
            yield Lag("vectors", f"{_counted(uncut, 'document')} came since and lack its passages.", step)
    for name, value in variant.settings.items():
        if name in PROMPTS:
            continue
        section, _, key = name.partition(".")
        own = getattr(parts.home_settings, section)
        if key in own.model_fields_set and str(getattr(own, key)) != value:
            text = f"{VARIABLE[name]}: groundwork.toml says {getattr(own, key)!r}, the variant {value!r}."
            yield Lag("setting", text, "The variant's holds; switch to home for that of the file.")


def _of_index_and_fields(parts: Parts) -> Iterator[Lag]:
    records = parts.records
    sequence, newest = parts.engines.passages.status().sequence, records.changes.data_version()
    if sequence < newest:
        text = f"The search index knows change {sequence:,}, the records end at {newest:,}."
        yield Lag("index", text, _worker_step(parts))
    definitions = parts.definitions()
    lacking = sum(
        len(records.fields.lacking(bucket.name, definitions.fingerprint(bucket.name)))
        for bucket in records.documents.buckets(Visibility.everything())
    )
    if lacking:
        text = f"{_counted(lacking, 'document')} {'was' if lacking == 1 else 'were'} read by earlier schemas."
        yield Lag("fields", text, _worker_step(parts))


def _worker_step(parts: Parts) -> str:
    return _WORKER if is_worker_alive(parts.records) else _NO_WORKER


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
