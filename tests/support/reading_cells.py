"""A home of few leases with uncertain cells, and a scripted model that reads them.

Run as a process: `python -m tests.support.reading_cells HOME URL [batch]` is a worker of HOME whose model is
at URL. It holds to the budget of the day that the home's choices have.
"""

from __future__ import annotations

import contextlib
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.config.fields import FieldDefinition, Schema
from core.config.models import LlmSettings, Settings
from core.domain.document import Page, ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType, Finding
from core.domain.ids import ContentHash, DocumentId
from core.extract.base import Definitions
from core.extract.model.job import ReadCellsJob
from core.jobs import worker
from core.jobs.base import JobHandler
from core.jobs.kinds import READ_CELLS
from core.store.base import NewVersion
from core.store.store import Records
from core.workbench.language_models import ModelsOfHome
from tests.support.scripted_llm import Step, reply_json

ROOT = Path(__file__).parents[2]

LEASES = Schema(
    name="leases",
    title="Leases",
    buckets=("leases",),
    fields=(
        FieldDefinition(name="rent", title="Rent", type=FieldType.MONEY, unit="USD"),
        FieldDefinition(name="begins", title="Begin", type=FieldType.DATE),
        FieldDefinition(
            name="pets", title="Pets", type=FieldType.BOOLEAN, description="Whether pets are allowed."
        ),
        FieldDefinition(name="tenants", title="Tenants", type=FieldType.PARTY, many=True),
        FieldDefinition(name="use", title="Use", type=FieldType.ENUM, options=("home", "office_space")),
    ),
)
DEFINITIONS = Definitions((LEASES,))
TEXT = (
    "Lease of flat {number}\n\nThe rent is $9{number}0.00 a month, payable on the first day.\n"
    "The lease begins on 3 March 202{number}.\nThe tenant may keep one dog or one cat in the flat.\n"
    "The tenants are Alpha GmbH and Beta Holdings Ltd.\nThe flat is used as office space.\n"
)


def fill_home(records: Records, documents: int = 3, acl: tuple[str, ...] | None = None) -> list[DocumentId]:
    """Publish leases of which every cell is uncertain."""
    made = []
    for number in range(documents):
        text = TEXT.format(number=number % 10).replace("flat ", f"flat {number // 10 or ''}", 1)
        parsed = ParsedDocument(f"Flat {number}", "text/plain", (Page(1, text),), "en")
        new = NewVersion("leases", f"flat{number}.txt", parsed, ContentHash(f"h{number}"), len(text), acl=acl)
        document = records.documents.publish(new).document
        findings = {
            each.name: Finding(CellStatus.UNCERTAIN, confidence=0.5, method="rule") for each in LEASES.fields
        }
        records.fields.put(document, 1, Extraction("leases", findings), "test")
        made.append(document)
    return made


def settings_for(url: str, **changes: object) -> LlmSettings:
    known: dict[str, object] = {"tokens_per_minute": 0, "timeout_s": 2.0, "deadline_s": 10.0}
    return LlmSettings.model_validate({"base_url": url, **known, **changes})


def handler(records: Records, url: str, **changes: object) -> ReadCellsJob:
    models = ModelsOfHome(records, settings_for(url, **changes))
    return ReadCellsJob(records, lambda: DEFINITIONS, models, poll_s=0.2)


Words = Callable[[str, str], tuple[str, str, str]]
"""Gives status, value and quote for the title of a field and the evidence."""


def stated(title: str, evidence: str) -> tuple[str, str, str]:
    """What a lease states of a field."""
    if title == "Rent":
        amount = re.findall(r"\$9\d0\.00", evidence)[0]
        return "present", amount, f"The rent is {amount} a month"
    if title == "Begin":
        day = re.findall(r"3 March 202\d", evidence)[0]
        return "present", day, f"The lease begins on {day}."
    if title == "Pets":
        return "present", "yes", "The tenant may keep one dog or one cat in the flat."
    if title == "Use":
        return "present", "office_space", "used as office space"
    return "uncertain", "", ""


_BOOKS = "The customer may inspect the books of the supplier once a year."


def audits(title: str, evidence: str) -> tuple[str, str, str]:
    """What the contracts state of audits; nothing else is settled."""
    if title == "Audit rights" and _BOOKS in evidence:
        return "present", "yes", _BOOKS
    return "uncertain", "", ""


def reading(say: Words = stated) -> Callable[[dict[str, Any]], Step]:
    """A model that answers each cell of a request."""

    def answer(body: dict[str, Any]) -> Step:
        told = next(each["content"] for each in body["messages"] if each["role"] == "user")
        blocks = dict(re.findall(r'id="(e\d+)">\n(.*?)\n</data', told, re.DOTALL))
        evidence = "\n".join(blocks.values())
        found, absent = [], []
        for id_, title in re.findall(r"^(c\d+) ([^(:\n]+?)(?: \([^)]*\))?:", told, re.MULTILINE):
            status, value, quote = say(title, evidence)
            if status == "absent":
                absent.append(id_)
            if status == "present":
                block = next((name for name, text in blocks.items() if quote and quote in text), "e1")
                found.append({"cell": id_, "value": value, "quote": quote, "block": block})
        return reply_json({"found": found, "absent": absent}, prompt_tokens=500, completion_tokens=100)

    return answer


@contextlib.contextmanager
def opened(home: Path) -> Iterator[Records]:
    with Records.open(Settings(home=home)) as records:
        yield records


def main(home: Path, url: str, *, batch: bool) -> None:
    """Be the worker of `home` until SIGTERM."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with opened(home) as records:
        handlers: Mapping[str, JobHandler] = {READ_CELLS: handler(records, url, batch=batch)}
        worker.run(records, home, lambda: handlers, stop)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], batch="batch" in sys.argv[3:])
