"""An extractor process that finds rents, and does to itself what the text says."""

from __future__ import annotations

import os
import re
import signal
import threading

from core.domain.fields import CellStatus, Extraction, FieldType, Finding, TypedValue
from core.extract.base import opening_fields
from core.extract.jobs.pool import ExtractSetup, ExtractTask, Work, serve_with

_RENT = re.compile(r"rent is (\$[\d,]+)")


def start(setup: ExtractSetup) -> Work:
    """Finds the rent for every field that is asked for."""
    schemas = setup.definitions

    def work(task: ExtractTask) -> Extraction:
        if "CRASH" in task.text.text:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "HANG" in task.text.text:
            threading.Event().wait()
        if "RAISE" in task.text.text:
            raise ValueError("a fault")
        schema = schemas.schema(task.schema) or schemas.generic(task.text.bucket)
        if task.is_opening:
            names = opening_fields(schema)
            return Extraction(schema.name, {name: find(task) for name in names})
        names = [each.name for each in schema.fields if task.fields is None or each.name in task.fields]
        return Extraction(schema.name, {name: find(task) for name in names})

    return work


def find(task: ExtractTask) -> Finding:
    """The rent, or that there is none."""
    match = _RENT.search(task.text.text)
    if match is None:
        return Finding(CellStatus.ABSENT, confidence=0.9, method="toy")
    value = TypedValue(FieldType.TEXT, match[1], normal=match[1])
    return Finding(CellStatus.PRESENT, (value,), (task.text.quote(*match.span(1)),), 0.9, "toy")


def main() -> None:
    """As core.extract.jobs.work.main."""
    serve_with(start)
