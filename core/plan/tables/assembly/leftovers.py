"""Words of which nothing was made, but for those that ask for nothing."""

from __future__ import annotations

from core.plan.ir.nodes import Note
from core.plan.language.pieces import (
    Comparator,
    Currency,
    Filler,
    HavingWord,
    Negator,
    Period,
    Quantity,
    UnknownWord,
)
from core.plan.tables.assembly.question import (
    AssemblyStep,
)
from core.plan.tables.links import is_general
from core.plan.tables.mentions import FlagMention, MentionedTable, RowMention, ValueMention
from core.plan.tables.query import ARTICLES, IDLE_VERB
from core.text.words import word_list


class LeftoverReader(AssemblyStep):
    """Finds the words of which nothing was made."""

    def read(self) -> None:
        """Note the words that are not covered."""
        for at in range(len(self._pieces)):
            if at in self._pieces.used or self._is_idle(at):
                continue
            self._query.uncovered.append(self._pieces.pieces[at].text)

    def _is_idle(self, at: int) -> bool:
        mention = self._pieces.mention(at)
        if isinstance(mention, UnknownWord):
            word = self._pieces.word(at)
            return is_general(word) or self._is_verb(at) or self._restates(at) or self._is_aside(at)
        if isinstance(mention, RowMention):
            others = {id(each.words) for each in self._wide.neighbours}
            return mention.words is None or mention.words is self._words or id(mention.words) in others
        if isinstance(mention, Quantity | Period | ValueMention | FlagMention | Currency):
            return False
        if isinstance(mention, Comparator):
            return self._pieces.text(at) in ("over", "under", "about", "around", "same", "the same", "top")
        return not isinstance(mention, Negator)

    def _is_verb(self, at: int) -> bool:
        """True of verbs, which say again what columns say: forms in -ed and -ing, and those behind "to"."""
        word = self._pieces.word(at)
        before = self._pieces.tokens[self._pieces.pieces[at].first - 1].word if at else ""
        if word in word_list("tables", "states") or before in ARTICLES:
            return False
        is_form = word.endswith(("ed", "ing", "en")) or word in word_list("tables", "participles")
        is_verb = is_form or before in word_list("tables", "helping") - {"which", "is", "are"}
        if is_verb and word.isalpha() and word.islower():
            self._query.doubt += 0.12
            self._query.notes.append(Note(phrase=word, reading=IDLE_VERB))
            return True
        return False

    def _is_aside(self, at: int) -> bool:
        """True of words in brackets: they explain what is asked."""
        start = self._pieces.tokens[self._pieces.pieces[at].first].start
        before = self._pieces.question[:start]
        return before.count("(") > before.count(")") and ")" in self._pieces.question[start:]

    def _restates(self, at: int) -> bool:
        """ "A jab (vaccinations)": what stands in brackets behind a word says it again."""
        piece = self._pieces.pieces[at]
        place = self._pieces.after(at, over=(Filler, RowMention, MentionedTable, HavingWord))
        if not isinstance(self._pieces.mention(place), ValueMention):
            return False
        start = self._pieces.tokens[self._pieces.pieces[place].first].start
        return "(" in self._pieces.question[self._pieces.tokens[piece.end - 1].end : start]
