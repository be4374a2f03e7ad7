"""Columns that are asked of each row."""

from __future__ import annotations

from collections.abc import Sequence

from core.plan.language.pieces import (
    Filler,
    HavingWord,
)
from core.plan.tables.assembly.question import (
    DATED,
    UNANSWERED,
    AssemblyStep,
    NamedColumn,
)
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import (
    of_class,
)
from core.plan.tables.query import (
    TableOperation,
)
from core.plan.tables.vocabulary import TableVocabulary
from core.text.words import word_list


class ProjectionReader(AssemblyStep):
    """Decides what is shown of rows."""

    def rows(self, named: Sequence[NamedColumn]) -> None:
        """Rows, with the columns that are named."""
        self._query.operation = TableOperation.ROWS
        place = self._pieces.after(self._question.ask_at, over=(Filler, HavingWord))
        self._question.of_other_rows(place)
        self.show(named, None)

    def show(self, named: Sequence[NamedColumn], ordered: ColumnWords | None) -> None:
        """The columns asked of each row: those that are named, what "when" and "who" ask, or the subject."""
        query = self._query
        shown = [each.column for each in sorted(named, key=lambda each: each.at)]
        shown = [each for each in shown if not self._question.is_filtered(each)]
        hows = [self._question.how(at) for at in self._question.asks]
        if self._question.ask == "who" and "who" not in hows:
            hows.append("who")  # "whose contract runs out"
        for how in hows:
            if how not in ("when", "who", "where") or any(self._answers(how, each) for each in shown):
                continue
            found = self._class_of(how)
            if found is not None:
                shown.append(found)
            else:
                query.doubt += UNANSWERED
        if ordered is not None and ordered not in shown:
            shown.append(ordered)
        subject = self._words.subject
        wants_row = self._question.ask in ("which", "what", "list", "one", "", "count") or not shown
        if subject is not None and wants_row and subject not in shown and not self._asks_only(shown):
            shown.insert(0, subject)
        query.shown = list(dict.fromkeys(shown))

    def _asks_only(self, shown: Sequence[ColumnWords]) -> bool:
        """True where other columns than those by which rows are known are asked for."""
        return self._question.ask in ("what", "who", "when", "where") and bool(shown)

    def _answers(self, how: str, column: ColumnWords) -> bool:
        if how == "when":
            return column.kind in DATED
        if how == "who" and column.table is self._words.table:
            persons = [c for c in self._words.columns if set(c.words) & word_list("tables", "named_persons")]
            return column in persons if persons else column.kind in (ColumnKind.NAME, ColumnKind.CATEGORY)
        return column.kind in (ColumnKind.NAME, ColumnKind.CATEGORY)

    def _class_of(self, how: str) -> ColumnWords | None:
        looked_up = [each.words for each in self._wide.neighbours if each.is_looked_up]
        tables = (self._words, *looked_up)
        found = [each for words in tables if (each := of_class(words, how)) is not None]
        named = [each for each in found if how == "when" or each is not _subject_of(tables, each)]
        return next(iter(named or found), None)


def _subject_of(tables: Sequence[TableVocabulary], column: ColumnWords) -> ColumnWords | None:
    """What the rows of a column's table are about."""
    return next((words.subject for words in tables if words.table is column.table), None)
