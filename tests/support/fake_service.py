"""A service of the fake workbench: the calls of one principal, and which of the fake's they are."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

from core.domain.principal import Principal

CALLS = {
    ("documents", "list"): "documents",
    ("documents", "count"): "count_documents",
    ("documents", "gaps"): "document_gaps",
    ("documents", "stored_page"): "stored_page",
    ("documents", "same_names"): "same_names",
    ("documents", "vanished"): "vanished",
    ("documents", "copies"): "document_copies",
    ("documents", "with_copies"): "document_copies",
    ("documents", "totals"): "totals",
    ("documents", "get"): "document",
    ("documents", "page"): "page",
    ("documents", "page_image"): "page_image",
    ("documents", "page_size"): "page_size",
    ("documents", "boxes"): "boxes",
    ("documents", "words"): "words",
    ("documents", "original"): "original",
    ("documents", "remove"): "remove",
    ("documents", "buckets"): "buckets",
    ("documents", "facts"): "document_facts",
    ("documents", "identity"): "identity",
    ("documents", "family"): "family",
    ("documents", "rename"): "rename_document",
    ("documents", "require_ingest"): "require_ingest",
    ("documents", "submit_ingest"): "submit_ingest",
    ("documents", "submit_sample"): "submit_sample",
    ("documents", "reingest"): "reingest",
    ("documents", "search"): "search",
    ("documents", "inspect"): "inspect",
    ("documents", "submit_ocr"): "submit_ocr",
    ("questions", "stream"): "stream",
    ("questions", "trace"): "trace",
    ("questions", "starters"): "starters",
    ("questions", "allowed"): "allowed",
    ("questions", "give_feedback"): "give_feedback",
    ("reviews", "outcomes"): "review_outcomes",
    ("feedback", "of_traces"): "opinions",
    ("conversations", "list"): "conversations",
    ("conversations", "create"): "new_conversation",
    ("conversations", "get"): "conversation",
    ("conversations", "turns"): "turns",
    ("conversations", "rename"): "rename_conversation",
    ("conversations", "set_scope"): "scope_conversation",
    ("conversations", "delete"): "delete_conversation",
    ("conversations", "start_turn"): "start_turn",
    ("conversations", "finish_turn"): "finish_turn",
    ("conversations", "stop_turn"): "stop_turn",
    ("citations", "standings"): "standings",
    ("citations", "compare"): "compare_text",
    ("schemas", "submit_extract"): "submit_extract",
    ("jobs", "list"): "jobs",
    ("jobs", "get"): "job",
    ("jobs", "items"): "job_items",
    ("jobs", "cancel"): "cancel_job",
    ("jobs", "resume"): "resume_job",
    ("index", "overview"): "index_overview",
    ("index", "submit_repair"): "submit_repair",
    ("index", "submit_reindex"): "submit_reindex",
    ("index", "database"): "database",
    ("scans", "offer"): "scan_offer",
    ("scans", "read"): "read_scans",
    ("settings", "status"): "status",
    ("accounting", "now"): "accounting",
}


class FakeService:
    """One service: its calls are those of the fake, with the principal added."""

    def __init__(self, fake: object, name: str, principal: Principal) -> None:
        self._fake = fake
        self._name = name
        self._principal = principal

    def __getattr__(self, call: str) -> Callable[..., Any]:
        found = CALLS.get((self._name, call))
        if found is None:
            raise AttributeError(f"The fake has no call {self._name}.{call}.")
        method = getattr(self._fake, found)
        parameters = signature(method).parameters
        place = list(parameters).index("principal")
        is_named = parameters["principal"].kind is Parameter.KEYWORD_ONLY

        def with_principal(*given: Any, **named: Any) -> Any:
            if len(given) > place and not is_named:
                return method(*given[:place], self._principal, *given[place:], **named)
            return method(*given, principal=self._principal, **named)

        return with_principal
