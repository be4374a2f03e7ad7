"""The lists of answers as files: made again from the kept answer, each time for the one who fetches it."""

from __future__ import annotations

from pathlib import Path

from core.answer.export import Export, export_of, export_of_all, has_list
from core.domain.answer import Answer
from core.domain.event import Finished
from core.domain.ids import DocumentId, TraceId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import NotFoundError
from core.records.database.visibility import Visibility
from core.workbench.wiring import Parts


class ExportCalls:
    """What Workbench offers to take answers elsewhere."""

    _parts: Parts

    def export_answer(self, answer: TraceId | Answer, principal: Principal = LOCAL_ADMIN) -> Export:
        """The list of an answer, or of the kept one with that trace.

        A kept answer is there for who asked, as long as its conversation is; documents that are gone, or that
        may no longer be seen, are left out and counted. Raises NotFoundError, also where nothing is listed.
        """
        found = answer if isinstance(answer, Answer) else self._kept_answer(answer, principal)
        visible = Visibility.of(principal)
        documents = self._parts.records.documents
        if found is not None and has_list(found) and found.table is not None:
            ids = [DocumentId(id) for id in found.table.documents]
            return export_of(found, documents.get_many(ids, visible))
        asked = found.clarification if found is not None else None
        if found is not None and asked is not None and asked.export:  # it was asked for everything
            return export_of_all(found.question, documents.list(visible))
        raise NotFoundError("This answer lists no documents.", next_step="Ask for a list of documents.")

    def write_list(self, answer: TraceId | Answer, file: Path, principal: Principal = LOCAL_ADMIN) -> Export:
        """Write the list of an answer as CSV; see `export_answer`. Raises UsageError for a bad place."""
        from core.workbench.spreadsheet import write_lines

        found = self.export_answer(answer, principal)
        write_lines(file, found.heads, found.lines)
        return found

    def _kept_answer(self, trace: TraceId, principal: Principal) -> Answer | None:
        events = self._parts.records.traces.get(trace, principal.user).events
        return next((each.answer for each in reversed(events) if isinstance(each, Finished)), None)
