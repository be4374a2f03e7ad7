"""What is not there: gaps in a column, and rows that another table has none of."""

from __future__ import annotations

from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Comparator,
    Connective,
    DayRange,
    Grouping,
    Negator,
    Quantity,
    UnknownWord,
)
from core.plan.tables.assembly.question import (
    AssemblyStep,
)
from core.plan.tables.assembly.wide_table import Neighbour
from core.plan.tables.clauses import said_of
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.mentions import ColumnMention, FlagMention, MentionedTable, RowMention, ValueMention
from core.plan.tables.query import (
    ColumnFilter,
)
from core.text.words import word_list

_REACH = 6  # pieces between a word of absence and what is not there
_NAMED_THERE = 0.7  # less doubt where a table is named as that in which nothing is
_GUESSED_LACK = 0.35


class AbsenceReader(AssemblyStep):
    """Reads what is not there: gaps in columns, rows that another table has none of."""

    def release(self) -> None:
        """ "Whether paid or not" leaves nothing out."""
        words = [token.word for token in self._pieces.tokens]
        if "whether" not in words:
            return
        first = words.index("whether")
        last = next((n for n in range(first, len(words)) if words[n] in ("not", "unpaid")), -1)
        for at, piece in enumerate(self._pieces.pieces):
            if first <= piece.first and piece.end - 1 <= last:
                self._pieces.use(at, "leaves nothing out")

    def _is_absence(self, at: int) -> bool:
        if at in self._pieces.used:
            return False
        if isinstance(self._pieces.mention(at), Negator):
            return True
        return self._pieces.word(at) in word_list("tables", "absent") and not isinstance(
            self._pieces.mention(at), ValueMention | FlagMention
        )

    def read(self) -> None:
        """Nothing stands in a column near a word of absence; or rows have none of another table."""
        signs = [at for at in range(len(self._pieces)) if self._is_absence(at)]
        if not signs:
            self._lasts()
            return
        plain = [at for at in signs if self._pieces.word(at) not in ("yet", "pending", "waiting", "unknown")]
        for at in plain or signs:
            named = self._named_behind(at)
            if named is not None:
                self._lack(at, named)
                self._query.doubt -= _NAMED_THERE
                return
        for at in plain or signs:
            after = self._pieces.after(at)
            if isinstance(self._pieces.mention(after), Comparator | Quantity):
                continue
            found = self._missing_at(at)
            if found is not None:
                place, column = found
                clause: tuple[ColumnFilter, ...] = (ColumnFilter(column, Operator.MISSING),)
                if self._question.may_be_none(column):
                    clause = (ColumnFilter(column, Operator.EQUAL, ("0",)), *clause)
                if clause not in self._query.clauses:
                    self._query.clauses.append(clause)
                self._pieces.use(at, "says that nothing is there")
                self._pieces.use(place, said_of(clause[0]))
                self._use_around(at, place)
                return
        if self._lasts():
            return
        for at in plain or signs:
            lacking = next((each for each in self._wide.neighbours if not each.is_looked_up), None)
            if lacking is not None and not self._query.clauses:
                self._lack(at, lacking)
                self._query.doubt += _GUESSED_LACK
                return

    def _lasts(self) -> bool:
        """ "Still out", "at the moment": no day in the one column of days that has gaps."""
        at = next(
            (n for n in range(len(self._pieces)) if self._pieces.word(n) in word_list("tables", "lasting")),
            -1,
        )
        open_ended = [c for c in self._words.of_kind(ColumnKind.DAY) if self._question.has_gaps(c)]
        has_flag = any(True for _ in self._pieces.places(FlagMention))
        cues = {token.word for token in self._pieces.tokens} & word_list("tables", "remainders")
        if at < 0 or len(open_ended) != 1 or has_flag or cues:
            return False
        clause = (ColumnFilter(open_ended[0], Operator.MISSING),)
        self._query.clauses.append(clause)
        self._pieces.use(at, said_of(clause[0]))
        for place in range(at + 1, min(len(self._pieces), at + 3)):
            if isinstance(self._pieces.mention(place), ColumnMention | UnknownWord):
                self._pieces.use(place)
        return True

    def _lack(self, sign: int, neighbour: Neighbour) -> None:
        self._question.lacks = neighbour
        self._pieces.use(sign, "has none of these")
        self._use_behind(sign)

    def _named_behind(self, sign: int) -> Neighbour | None:
        """The other table of many rows that a part of the sentence behind a word of absence names."""
        others = [each for each in self._wide.neighbours if not each.is_looked_up]
        for at in range(sign + 1, len(self._pieces)):
            rows = self._pieces.of(at, RowMention)
            found = next((each for each in others if rows is not None and rows.words is each.words), None)
            if found is not None:
                return found
            if self._question.stops(at) or self._pieces.text(at) == ",":
                break
        return None

    def _missing_at(self, sign: int) -> tuple[int, ColumnWords] | None:
        """The column with gaps that is named nearest to a word of absence, in its part of the sentence."""
        best: tuple[float, int, ColumnWords] | None = None
        for step in (1, -1):
            place, passed = sign + step, 0
            while 0 <= place < len(self._pieces) and passed <= _REACH:
                if self._question.stops(place if step < 0 else place - 1) or self._pieces.text(place) == ",":
                    break
                mention = self._pieces.of(place, ColumnMention)
                if mention is not None:
                    for column, weight in mention.columns:
                        score = weight - 0.04 * passed
                        may_lack = self._question.has_gaps(column) or (
                            passed <= 1 and self._question.may_be_none(column)
                        )
                        is_open = may_lack and self._wide.is_own(column)
                        if is_open and (best is None or score > best[0]):
                            best = (score, place, column)
                passed += not self._question.is_filler(place)
                place += step
        return (best[1], best[2]) if best is not None else None

    def _use_around(self, sign: int, place: int) -> None:
        """Words between a word of absence and the column, and verbs joined to it, say the same."""
        first, last = min(sign, place), max(sign, place)
        for at in range(first, min(len(self._pieces), last + 3)):
            if at > last and (self._question.stops(at - 1) or self._pieces.text(at) == ","):
                return
            if isinstance(self._pieces.mention(at), ColumnMention | UnknownWord | Grouping | Connective):
                self._pieces.use(at)

    def _use_behind(self, sign: int) -> None:
        """What was not done, up to the end of its part of the sentence."""
        for at in range(sign + 1, len(self._pieces)):
            mention = self._pieces.mention(at)
            if self._pieces.text(at) == ",":
                return
            if isinstance(mention, UnknownWord | RowMention | MentionedTable | ColumnMention | DayRange):
                self._pieces.use(at)
            if self._question.stops(at):
                return
