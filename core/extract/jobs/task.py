"""What passes between the worker and the child processes that extract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.config.models import Settings
from core.domain.fields import Extraction
from core.domain.sentence_vectors import SentenceVectors
from core.extract.base import DocumentText
from core.extract.definitions import Definitions


@dataclass(frozen=True, slots=True)
class ExtractSetup:
    """What a child needs once."""

    settings: Settings
    definitions: Definitions


@dataclass(frozen=True, slots=True)
class ExtractTask:
    """A document to extract. schema: "" for the one that it looks like.

    fields: only these of its schema, and no table rows and facts but their clauses; None for all.
    original: a file to read PDF tables from; "" for none.
    """

    text: DocumentText
    vectors: SentenceVectors | None = None
    schema: str = ""
    fields: tuple[str, ...] | None = None
    original: str = ""


@dataclass(frozen=True, slots=True)
class ExtractReply:
    """What came of a task: an extraction, or why there is none. is_last: the child ends after it."""

    extraction: Extraction | None
    reason: str = ""
    next_step: str = ""
    is_last: bool = False


Work = Callable[[ExtractTask], Extraction]
