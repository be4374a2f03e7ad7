"""The child that extracts, out of rules, clause heads and the encoder for fields that are found by meaning.

`core.extract.jobs.pool` starts it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from core.config.fields import Schema
from core.config.models import Settings
from core.domain.fields import Extraction
from core.domain.passage import Matrix
from core.errors import UsageError
from core.extract import document_rules
from core.extract.base import Definitions, opening_fields
from core.extract.chooser import second_reader
from core.extract.clauses.classifier import ClauseHeads
from core.extract.extractor import Extractor, Heads
from core.extract.identity import family_marks, identity_of
from core.extract.jobs.pool import ExtractSetup, ExtractTask, Work, serve_with
from core.extract.pdf_tables import read_pdf_tables
from core.extract.recognise import recognise
from core.extract.semantic import Encode
from core.extract.values.rules import RULES
from core.processes.loop import limit_memory, pool_size

_log = logging.getLogger(__name__)
ALL_RULES = {**document_rules.RULES, **RULES, **second_reader.RULES}
"""Every rule by the name that schemas use; where a second reader reads the field too, both together."""


def main() -> None:
    """Serve tasks until the input ends."""
    serve_with(_start)


def _start(setup: ExtractSetup) -> Work:
    limit_memory(setup.settings.ingest.parse_memory_mb, pool_size(setup.settings.ingest))
    return make_work(setup.settings, setup.definitions)


def make_work(settings: Settings, definitions: Definitions) -> Work:
    """Work that extracts documents in turn; loads the heads at once, an encoder when it is needed."""
    extractor = Extractor(load_heads(definitions), ALL_RULES, encode=_encode_with(settings))

    def work(task: ExtractTask) -> Extraction:
        text, schema, known = task.text, schema_for(definitions, task), task.known
        fields = opening_fields(schema) if task.is_opening else task.fields or ()
        if task.is_opening and not fields:
            return Extraction(schema.name, {})
        notes: tuple[str, ...] = ()
        if task.original:
            rows, notes = read_pdf_tables(Path(task.original), text)
            text = replace(text, rows=rows)
            known = {} if rows else known  # its tables may say more of the fields that were read first
        found = extractor.extract(
            text,
            schema,
            definitions.thresholds.get(text.bucket),
            task.vectors,
            fields,
            definitions.level(text.bucket),
            known,
            definitions.word_heads.get(schema.name),
            task.beside,
        )
        if text.is_readable and (task.is_opening or not task.fields):
            identity = identity_of(text, found.findings)
            found = replace(found, identity=identity, marks=family_marks(text, identity))
        return replace(found, notes=(*found.notes, *notes)) if notes else found

    return work


def load_heads(definitions: Definitions) -> Heads | None:
    """The clause heads: those that the home trained, or the shipped ones; None where they cannot be read.

    A damaged installation costs the clauses, whose cells then say so, and not all the other fields.
    """
    try:
        if not definitions.artefact:
            return ClauseHeads.load(None)
        with TemporaryDirectory() as folder, ZipFile(BytesIO(definitions.artefact)) as packed:
            packed.extractall(folder)
            return ClauseHeads.load(Path(folder))
    except (UsageError, BadZipFile) as error:
        _log.warning("%s", error)
        return None


def schema_for(definitions: Definitions, task: ExtractTask) -> Schema:
    """The schema of a document: the one that is asked for, its bucket's, or the one that it looks like."""
    schema = definitions.schema(task.schema) or definitions.of_bucket(task.text.bucket)
    if schema is not None:
        return schema
    found = recognise(task.text, definitions.schemas).schema
    return definitions.schema(found) or definitions.generic(task.text.bucket)


def _encode_with(settings: Settings) -> Encode:
    @cache
    def encoder() -> Encode:
        from core.encode.load import load_query_encoder

        return load_query_encoder(settings).encode_queries

    def encode(texts: Sequence[str]) -> Matrix:
        return encoder()(texts)

    return encode
