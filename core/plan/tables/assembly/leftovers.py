"""Words of which nothing was made, but for those that ask for nothing."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.plan.ir.nodes import Note
from core.plan.language.pieces import (
    Comparator,
    Comparing,
    Currency,
    DayRange,
    Filler,
    HavingWord,
    Negator,
    Quantity,
    UnknownWord,
)
from core.plan.tables.assembly.question import (
    AssemblyStep,
)
from core.plan.tables.links import is_general
from core.plan.tables.mentions import ColumnMention, FlagMention, MentionedTable, RowMention, ValueMention
from core.plan.tables.query import ARTICLES, IDLE_VERB, NO_PART
from core.text.words import word_list

_OF_CONDITION = 0.2  # doubt of a word of a condition that was read without it
_NO_PART = 0.35  # doubt of a word that nothing is made of
_NAMED = 0.7  # weight from which on words name a column


class LeftoverReader(AssemblyStep):
    """Finds the words of which nothing was made."""

    def read(self) -> None:
        """Note the words that are not covered."""
        for at in range(len(self._pieces)):
            if at in self._pieces.used:
                continue
            if self._restates(at) or self._is_aside(at):
                self._pieces.use(at)
                continue
            if self._is_idle(at):
                continue
            self._query.uncovered.append(self._pieces.pieces[at].text)

    def _is_idle(self, at: int) -> bool:
        mention = self._pieces.mention(at)
        if isinstance(mention, UnknownWord):
            word = self._pieces.word(at)
            plain = is_general(word) or self._is_verb(at)
            is_told = word in word_list("tables", "worths") and self._gives_money()
            return plain or is_told or self._is_of_condition(at) or self._has_no_part(at)
        if isinstance(mention, RowMention):
            others = {id(each.words) for each in self._wide.neighbours}
            return mention.words is None or mention.words is self._words or id(mention.words) in others
        if isinstance(mention, Comparing) and self._pieces.text(at) == "minus":
            return bool(self._query.sides)
        if isinstance(mention, Quantity | DayRange | ValueMention | FlagMention | Currency):
            return False
        if isinstance(mention, Comparator):
            return self._pieces.text(at) in ("over", "under", "about", "around", "same", "the same", "top")
        return not isinstance(mention, Negator)

    def _is_verb(self, at: int) -> bool:
        """True of verbs, which say again what columns say: forms in -ed and -ing, and those behind "to"."""
        word, first = self._pieces.word(at), self._pieces.pieces[at].first
        before = self._pieces.tokens[first - 1].word if at else ""
        is_name = self._pieces.tokens[first].is_capital and at > 0
        if is_name or word in word_list("tables", "states") or before in ARTICLES:
            return False
        is_form = word.endswith(("ed", "ing", "en")) or word in word_list("tables", "participles")
        is_verb = is_form or before in word_list("tables", "helping") - {"which", "is", "are"}
        if is_verb and word.isalpha() and word.islower():
            self._query.doubt += 0.12
            self._query.notes.append(Note(phrase=word, reading=IDLE_VERB))
            return True
        return False

    def _gives_money(self) -> bool:
        measure = self._query.measure
        return measure is not None and measure.entry.type is FieldType.MONEY

    def _is_of_condition(self, at: int) -> bool:
        """True of a word in a condition of which a day, a number or a value was read: "falls in April"."""
        span = self._question.spans.span_at(at)
        if span is None or self._pieces.word(at) in word_list("tables", "states", "absent"):
            return False
        for place in self._question.filters.clause_places:
            piece = self._pieces.pieces[place]
            start = self._pieces.tokens[piece.first].start
            if span.start <= start < span.end:
                self._query.doubt += _OF_CONDITION
                return True
        return False

    def _has_no_part(self, at: int) -> bool:
        """True of a word to which a trained reader gives no part, where the rest of the question has some."""
        piece = self._pieces.pieces[at]
        token = self._pieces.tokens[piece.first]
        if self._reading is None or not self._reading.spans or not token.word.isalpha():
            return False
        known = word_list(
            "tables", "states", "absent", "remainders", "exceeding", "shares", "changes", "gaps"
        )
        end = self._pieces.tokens[piece.end - 1].end
        has_part = any(span.start < end and token.start < span.end for span in self._reading.spans)
        named = [self._pieces.of(place, ColumnMention) for place in self._pieces.places(ColumnMention)]
        is_guessed = any(each.columns[0][1] < _NAMED for each in named if each is not None)
        if has_part or token.is_capital or token.word in known or is_guessed:
            return False
        self._query.doubt += _NO_PART
        self._query.notes.append(Note(phrase=piece.text, reading=NO_PART))
        return True

    def _is_aside(self, at: int) -> bool:
        """True of unknown words in brackets: they explain what is asked."""
        if not isinstance(self._pieces.mention(at), UnknownWord):
            return False
        start = self._pieces.tokens[self._pieces.pieces[at].first].start
        before = self._pieces.question[:start]
        return before.count("(") > before.count(")") and ")" in self._pieces.question[start:]

    def _restates(self, at: int) -> bool:
        """ "A jab (vaccinations)": what stands in brackets behind a word says it again."""
        piece = self._pieces.pieces[at]
        if not isinstance(piece.mention, UnknownWord):
            return False
        place = self._pieces.after(at, over=(Filler, RowMention, MentionedTable, HavingWord))
        if not isinstance(self._pieces.mention(place), ValueMention):
            return False
        start = self._pieces.tokens[self._pieces.pieces[place].first].start
        return "(" in self._pieces.question[self._pieces.tokens[piece.end - 1].end : start]
