"""What a result is asked for each of, wherever it stands."""

from __future__ import annotations

from core.plan.language.pieces import (
    Aspect,
    Connective,
    Filler,
    Grouping,
)
from core.plan.reader.reading import Operation, SpanRole
from core.plan.tables.assembly.question import (
    DATED,
    ENTITIES,
    AssemblyStep,
)
from core.plan.tables.mentions import ColumnMention, RowMention
from core.plan.tables.query import (
    GroupBy,
    said_of_key,
)
from core.text.words import word_list


class GroupReader(AssemblyStep):
    """Reads what a result is asked for each of."""

    def read(self) -> None:
        """Groups by what "per" and "each" stand before, by what a trained reader saw, and "monthly"."""
        for at in list(self._pieces.places(Grouping, unused=True)):
            if self._pieces.text(at) == "by" and self._is_passive(at):
                continue
            place = at + 1
            while place < min(len(self._pieces), at + 4) and not self._group_at(at, place):
                if self._question.stops(place):
                    break
                place += 1
        for at in range(len(self._pieces)):
            named = isinstance(self._pieces.mention(at + 1), ColumnMention | RowMention)
            if self._pieces.word(at) in ("each", "every") and named and not self._query.groups:
                self._group_at(at, at + 1)
        self._read_groups()
        words = [token.word for token in self._pieces.tokens]
        for at in list(self._pieces.places(Aspect, unused=True)):
            piece = self._pieces.pieces[at]
            again = words[piece.end : piece.end + 2] == ["by", words[piece.first]]
            if not self._query.groups and (again or words[piece.first].endswith("ly")):
                self._group_at(at, at)

    def _read_groups(self) -> None:
        """Groups that only a trained reader saw: "how many has every driver made"."""
        reading = self._reading
        if self._query.groups or reading is None or not self._question.operation(Operation.GROUP):
            return
        for span in reading.of(SpanRole.GROUP):
            for at in list(self._pieces.places((ColumnMention, Aspect), unused=True)):
                piece = self._pieces.pieces[at]
                start = self._pieces.tokens[piece.first].start
                if span.start <= start < span.end and self._group_at(at, at):
                    return

    def _is_passive(self, at: int) -> bool:
        before = self._pieces.word(at - 1)
        return before.endswith("ed") or before in word_list("tables", "participles")

    def _group_at(self, sign: int, place: int) -> bool:
        """Group by what stands at a place, and by what is joined to it."""
        group = self._group(place)
        if group is None or any(each.key == group.key for each in self._query.groups):
            return False
        self._query.groups.append(group)
        self._pieces.use(sign, "asks for a result for each")
        self._pieces.use(place, f"for each {said_of_key(group.key)}")
        joined = self._pieces.after(place, over=(Filler,))
        if isinstance(self._pieces.mention(joined), Connective) and not self._question.stops(joined - 1):
            further = self._pieces.after(joined, over=(Filler,))
            if self._group(further) is not None and self._pieces.text(joined) == "and":
                self._group_at(joined, further)
        return True

    def _group(self, place: int) -> GroupBy | None:
        aspect = self._pieces.of(place, Aspect)
        if aspect is not None and aspect.name == "unit":
            coded = [c for c in self._words.columns if "currency" in c.words]
            return GroupBy(coded[0]) if coded else None
        if aspect is not None:
            day = self._question.day()
            return GroupBy(day, aspect.name) if day is not None else None
        rows = self._pieces.of(place, RowMention)
        if rows is not None and (key := self._question.key_to(rows)) is not None:
            return GroupBy(key)
        mention = self._pieces.of(place, ColumnMention)
        if mention is None or place in self._pieces.used:
            return None
        column = self._question.of_kinds(mention, (*ENTITIES, *DATED))
        return GroupBy(column) if column is not None else None
