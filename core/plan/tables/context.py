"""State of one question while it is read over a table: its pieces, its query, and how it asks."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.domain.predicate import Operator
from core.plan.language.pieces import Ask, Connective
from core.plan.tables.filters import FilterReader
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import is_unique
from core.plan.tables.mentions import RowMention
from core.plan.tables.query import TableQuery
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import TableVocabulary
from core.text.words import word_list

STRONG = ("list", "count", "which", "what", "when", "who", "where", "much", "long", "one")


@dataclass(slots=True)
class TableQuestion:
    """A question over a table. words: of the table that is asked; ask: how it asks, at which piece."""

    pieces: PieceSequence
    words: TableVocabulary
    query: TableQuery
    filters: FilterReader
    ask: str = ""
    ask_at: int = -1
    said: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(
        cls, pieces: PieceSequence, words: TableVocabulary, query: TableQuery, filters: FilterReader
    ) -> TableQuestion:
        """The question before anything was made of its pieces."""
        made = cls(pieces, words, query, filters, said=frozenset(token.word for token in pieces.tokens))
        made.ask, made.ask_at = made._asks()
        return made

    def _asks(self) -> tuple[str, int]:
        """How the question asks, and at which piece: the first word that says it; "is" at its beginning."""
        found = [
            (at, ask.how) for at in self.pieces.places(Ask) if (ask := self.pieces.of(at, Ask)) is not None
        ]
        strong = [(at, how) for at, how in found if how in STRONG]
        if found and found[0][1] == "whether" and (not strong or self.pieces.before(found[0][0]) < 0):
            return "whether", found[0][0]
        for at, how in strong or found:
            return how, at
        return "", -1

    @property
    def says_money(self) -> bool:
        """True where words ask for money."""
        return bool(self.said & word_list("tables", "money"))

    @property
    def counts(self) -> bool:
        """True where something is counted: "the number of", "how many"."""
        text = " ".join(token.word for token in self.pieces.tokens)
        return self.ask == "count" or "number of" in text or "count" in self.said

    @property
    def names_rows(self) -> bool:
        """True where rows are asked for: "the largest order", "which single purchase"."""
        for at in self.pieces.places(RowMention):
            mention = self.pieces.of(at, RowMention)
            stem = self.pieces.tokens[self.pieces.pieces[at].first].stem
            if (
                mention is not None
                and (mention.words is None or mention.words is self.words)
                and (stem not in self.words.heads or self._is_coded(at))
            ):
                return True
        return "single" in self.said

    def _is_coded(self, at: int) -> bool:
        """True where a noun calls rows by the column of their codes, which nobody asks for as such."""
        subject = self.words.subject
        is_noun = not self.pieces.word(at).endswith("ed")  # "which products were ordered"
        return subject is not None and subject.kind is ColumnKind.IDENTITY and is_noun

    def is_filtered(self, column: ColumnWords) -> bool:
        """True where a condition is on a column."""
        return any(each.column is column for clause in self.query.clauses for each in clause)

    def is_one_of_several(self, column: ColumnWords) -> bool:
        """True where a condition leaves several values of a column: "Spain or Italy"."""
        return any(
            each.column is column and each.op is Operator.IN and len(each.values) > 1
            for clause in self.query.clauses
            for each in clause
        )

    def compared_column(self) -> ColumnWords | None:
        """The column that holds both of "Spain or Italy"."""
        if not any(self.pieces.text(at) == "or" for at in self.pieces.places(Connective)):
            return None
        columns = (each.column for clause in self.query.clauses for each in clause)
        return next((column for column in columns if self.is_one_of_several(column)), None)

    def names_one(self) -> bool:
        """True where a filter names one row: its value is looked up, and nothing is added up."""
        single = (ColumnKind.YEAR, ColumnKind.PLACE, ColumnKind.IDENTITY)
        return any(
            each.op is Operator.EQUAL and (is_unique(each.column) or each.column.kind in single)
            for clause in self.query.clauses
            for each in clause
            if each.column.table is self.words.table
        )
