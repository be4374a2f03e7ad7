"""Interpretation of a question over a table, and another that goes with it: from its pieces to a query."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from core.domain.predicate import Operator
from core.plan.ir.nodes import Note
from core.plan.language.pieces import (
    Ask,
    Aspect,
    Comparator,
    Comparing,
    Connective,
    Filler,
    Grouping,
    HavingWord,
    Negator,
    Ordering,
    Statistic,
    Top,
    UnknownWord,
)
from core.plan.tables.clauses import said_of
from core.plan.tables.comparing import SideReader, set_minus_apart
from core.plan.tables.context import TableQuestion
from core.plan.tables.filters import FilterReader
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import default_measure, given_name, numeric_of
from core.plan.tables.mentions import ColumnMention, MentionedTable, RowMention, ValueMention
from core.plan.tables.operation import OperationReader
from core.plan.tables.orders import OrderReader
from core.plan.tables.query import (
    ARTICLES,
    COMPUTED,
    IDLE_VERB,
    ColumnFilter,
    GroupBy,
    TableOperation,
    TableQuery,
    UsedKey,
)
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import TableKey, TableVocabulary, is_nameless
from core.plan.tables.wordings.alternatives import compare_values, join_alternatives, share_values
from core.plan.tables.wordings.losses import read_losses
from core.plan.tables.wordings.parts import choose_parts
from core.plan.tables.wordings.totals_of_groups import read_totals
from core.text.words import word_list

_BEING = frozenset(["is", "are", "was", "were", "be", "been", "being"])
_DOING = frozenset(["did", "do", "does", "will", "would", "can", "could"])
_OF_VERB = 0.12  # doubt of a verb that no column says
_OF_OTHERS = 0.5  # of asking one table for the rows of another
_IDLE = (Filler, HavingWord, Connective, MentionedTable, Ask)


class TableReader:
    """Reads one question over one table. other: a table that goes with it, by a key of either."""

    def __init__(
        self,
        sequence: PieceSequence,
        words: TableVocabulary,
        today: date,
        other: TableVocabulary | None = None,
        key: TableKey | None = None,
    ) -> None:
        self._pieces = sequence
        self._words = words
        self._other = other
        self._key = key
        self.query = TableQuery(words)
        self._filters = FilterReader(sequence, self.query, today)
        self._question = TableQuestion.of(sequence, words, self.query, self._filters)

    def read(self) -> TableQuery | None:
        """The query; None where the table has nothing that could answer the question."""
        for at in self._pieces.places(Ask):
            self._pieces.use(at)
        self._own_rows()
        choose_parts(self._pieces, self.query)
        set_minus_apart(self._pieces)
        read_losses(self._pieces, self.query, self._filters)
        self._missing()
        self._filters.read_values()
        self._filters.read_periods()
        is_lacking = self._lacks_others()
        share_values(self._pieces, self.query, self._filters)
        read_totals(self._pieces, self.query)
        sides = SideReader(self._pieces, self.query, self._filters, self._question.ask)
        if not sides.read():
            self._filters.read_numbers(self._number_column())
            join_alternatives(self._pieces, self.query, self._filters)
            compare_values(self._pieces, self.query, self._filters)
            OrderReader(self._question).read()
            OperationReader(self._question).read()
        else:
            self._filters.read_numbers(self._number_column())
        self._filters.read_currencies()
        if self._other is not None and not self._use_other(is_lacking=is_lacking):
            return None
        self._use_the_rest()
        if not self._is_something():
            return None
        self.query.notes += [note for note in self._pieces.notes if note not in self.query.notes]
        return self.query

    def _own_rows(self) -> None:
        """ "Customers", where orders have a column of them, too: the rows that are asked."""
        if self._key is None or self._key.left.table is self._words.table:
            return
        for at in self._pieces.places(ColumnMention):
            mention = self._pieces.of(at, ColumnMention)
            piece = self._pieces.pieces[at]
            said = {token.stem for token in self._pieces.tokens[piece.first : piece.end]}
            if mention is not None and mention.first is self._key.left and said <= self._words.called_rows:
                is_plural = self._pieces.word(at).endswith("s")
                self._pieces.pieces[at] = replace(piece, mention=RowMention(is_plural, self._words))

    def _missing(self) -> None:
        """ "not closed yet", "without a delivery date": rows with nothing in a column."""
        for at in list(self._pieces.places(ColumnMention, unused=True)):
            mention = self._pieces.of(at, ColumnMention)
            before = self._pieces.before(at, over=(Filler, HavingWord))
            negator = self._pieces.of(before, Negator)
            if mention is None or negator is None or before in self._pieces.used:
                continue
            after = self._pieces.after(at, over=(Filler, HavingWord))
            if isinstance(self._pieces.mention(after), ValueMention):
                continue  # "not in the category fleet"
            column = mention.first
            has_gaps = self._has_gaps(column)
            is_day = column.kind is ColumnKind.DAY and (has_gaps or column.table is self._words.table)
            is_open = is_day or (negator.lacks and has_gaps)
            if is_open:
                found = ColumnFilter(column, Operator.MISSING)
                self.query.clauses.append((found,))
                self._pieces.use(at, said_of(found))
                self._pieces.use(before, "says that nothing is there")

    def _has_gaps(self, column: ColumnWords) -> bool:
        return column.entry.rows < column.table.rows

    def _number_column(self) -> ColumnWords | None:
        """The column that a number without one is compared with."""
        named = [
            column
            for at in self._pieces.places(ColumnMention, unused=True)
            if (column := numeric_of(self._pieces.of(at, ColumnMention))) is not None
        ]
        return named[0] if named else default_measure(self._words)

    # -- the other table -------------------------------------------------------------------------------

    def _lacks_others(self) -> bool:
        """ "customers without orders": rows for which the other table has none."""
        for at in list(self._pieces.places(RowMention, unused=True)):
            mention = self._pieces.of(at, RowMention)
            before = self._pieces.before(at, over=(Filler, HavingWord))
            is_other = mention is not None and mention.words is self._other and self._other is not None
            if is_other and isinstance(self._pieces.mention(before), Negator):
                self._pieces.use(at)
                self._pieces.use(before, "has none of these")
                return True
        for at in list(self._pieces.places(ColumnMention, unused=True)):
            named = self._pieces.of(at, ColumnMention)
            before = self._pieces.before(at, over=(Filler, HavingWord))
            is_other = (
                named is not None and self._other is not None and named.first.table is self._other.table
            )
            if is_other and isinstance(self._pieces.mention(before), Negator):
                self._pieces.use(at)
                self._pieces.use(before, "has none of these")
                return True
        return False

    def _use_other(self, *, is_lacking: bool) -> bool:
        """Bring in the other table where the query needs it; False where it does not."""
        assert self._other is not None  # made together
        assert self._key is not None
        query, key = self.query, self._key
        is_left = key.left.table is self._words.table
        foreign = [column for column in self._columns() if column.table is self._other.table]
        if not is_left:
            mentioned = any(
                (m := self._pieces.of(at, RowMention)) is not None and m.words is self._other
                for at in self._pieces.places(RowMention)
            )
            needs_values = any(column.table is self._other.table for column in self._wanted())
            if needs_values or not self._is_mentioned() or not (foreign or is_lacking or mentioned):
                return False
            if self._asks_others() or self._orders_others():
                query.doubt += _OF_OTHERS
            query.used.append(UsedKey(key, self._other, is_left, "without" if is_lacking else "matching"))
            return True
        if is_lacking or not (foreign or self._name_codes()):
            return False
        shows = any(column.table is self._other.table for column in self._wanted())
        query.used.append(UsedKey(key, self._other, is_left, "with" if shows else "matching"))
        return True

    def _asks_others(self) -> bool:
        """True where rows of the other table are asked for: "how many orders", "the latest order"."""
        before = (Filler, HavingWord, Top, Statistic, ValueMention)
        place = self._pieces.after(self._question.ask_at, over=before)
        mention = self._pieces.of(place, RowMention)
        return mention is not None and mention.words is self._other

    def _orders_others(self) -> bool:
        """True where rows of the other table are ordered: "the customer with the largest order"."""
        if self.query.order is None or self.query.order.column is not None:
            return False
        for at in self._pieces.places((Top, Statistic, UnknownWord)):
            mention = self._pieces.of(self._pieces.after(at), RowMention)
            if at in self._pieces.used and mention is not None and mention.words is self._other:
                return True
        return False

    def _is_mentioned(self) -> bool:
        """True where words are of the table itself, and not only of the other one."""
        for piece in self._pieces.pieces:
            mention = piece.mention
            if isinstance(mention, RowMention) and mention.words is self._words:
                return True
            if isinstance(mention, ColumnMention) and mention.first.table is self._words.table:
                return True
            if isinstance(mention, ValueMention) and mention.options[0].column.table is self._words.table:
                return True
        return False

    def _columns(self) -> list[ColumnWords]:
        """All columns of the query."""
        query = self.query
        clauses = [*query.clauses, *(clause for side in query.sides for clause in side.clauses)]
        return [*(each.column for clause in clauses for each in clause), *self._wanted()]

    def _wanted(self) -> list[ColumnWords]:
        """The columns that are shown, computed with, grouped by or ordered by."""
        query = self.query
        ordered = [query.order.column] if query.order is not None and query.order.column is not None else []
        measures = [
            each for each in (query.measure, *(side.measure for side in query.sides)) if each is not None
        ]
        return [*query.shown, *(group.column for group in query.groups), *ordered, *measures]

    def _name_codes(self) -> bool:
        """Codes of what the other table names come with its names: "who placed order 1004"."""
        assert self._other is not None  # as the caller says
        assert self._key is not None
        name = self._name_of_other()
        if name is None or self._key.left.kind is ColumnKind.NAME:
            return False
        if any(column is self._key.left for column in self.query.shown):
            self.query.shown.insert(0, name)
            self.query.names_codes = True
            return True
        if any(group.column is self._key.left for group in self.query.groups) and len(self.query.groups) < 3:
            at = next(n for n, group in enumerate(self.query.groups) if group.column is self._key.left)
            self.query.groups.insert(at + 1, GroupBy(name))
            given = given_name(self._other, name)
            if given is not None and len(self.query.groups) < 3:
                self.query.groups.insert(at + 1, GroupBy(given))
            self.query.names_codes = True
            return True
        return False

    def _name_of_other(self) -> ColumnWords | None:
        assert self._other is not None  # as the caller says
        assert self._key is not None
        names = [c for c in self._other.columns if c.kind is ColumnKind.NAME and c is not self._key.right]
        looks_coded = self._key.left.kind in (ColumnKind.IDENTITY, ColumnKind.CATEGORY) and (
            self._key.right.kind is ColumnKind.IDENTITY
        )
        return names[0] if names and looks_coded else None

    # -- what is left ----------------------------------------------------------------------------------

    def _use_the_rest(self) -> None:
        """Words that need no part in the query; what is left is not covered."""
        for at in range(len(self._pieces)):
            if at in self._pieces.used:
                continue
            mention = self._pieces.mention(at)
            if isinstance(mention, _IDLE) or self._is_idle(at):
                continue
            self.query.uncovered.append(self._pieces.pieces[at].text)

    def _is_idle(self, at: int) -> bool:
        mention = self._pieces.mention(at)
        if isinstance(mention, RowMention):
            is_other = self._pieces.tokens[self._pieces.pieces[at].first].stem in self._words.rivals
            return bool(self.query.used) or (mention.words in (None, self._words) and not is_other)
        if isinstance(mention, UnknownWord):
            return self._is_idle_word(at)
        if isinstance(mention, ColumnMention):
            return any(column is self._words.subject for column, _ in mention.columns)
        if isinstance(mention, Aspect | Comparing):
            return bool(self.query.groups) or bool(self.query.sides)
        if isinstance(mention, Grouping):
            return True
        if isinstance(mention, Comparator):
            return self._pieces.text(at) in ("same", "the same", "under", "top", "over", "above", "below")
        return isinstance(mention, Statistic | Top | Ordering) and self.query.order is not None

    def _is_idle_word(self, at: int) -> bool:
        """True of words that ask for nothing: general ones, and verbs between what they join."""
        word = self._pieces.word(at)
        known = word_list("tables", "general", "persons", "row_nouns") | word_list(
            "idle", "rows", "verbs", "adverbs"
        )
        if self._pieces.tokens[self._pieces.pieces[at].first].stem in self._words.rivals:
            return False  # what the rows of another table are called
        if self._counts_people(at, word):
            return False  # "how many people work for Beta Corp", of a register of its invoices
        if word in known or word.removesuffix("s") in known:
            return True
        if self._is_of_rows(at):
            return True
        if word in word_list("tables", "states") or not self._pieces.pieces[at].text.islower():
            return False
        first = self._pieces.pieces[at].first
        before = self._pieces.tokens[first - 1].word if first else ""
        nouns = (ColumnMention, RowMention, ValueMention, MentionedTable)
        is_participle = word.endswith(("ed", "en", "ing")) or word in word_list("tables", "participles")
        is_behind_noun = isinstance(self._pieces.mention(at - 1), nouns)
        does = is_behind_noun and bool(self._question.said & _DOING)
        is_verb = (is_participle and (is_behind_noun or before in word_list("tables", "helping"))) or does
        is_verb = is_verb or (before in word_list("tables", "helping") and before not in _BEING)
        if is_verb and word.isalpha() and before not in ARTICLES:
            self._pieces.notes.append(Note(phrase=self._pieces.pieces[at].text, reading=IDLE_VERB))
            self.query.doubt += _OF_VERB
            return True
        return self._names_values(at)

    def _counts_people(self, at: int, word: str) -> bool:
        """True where people are to be counted, and no column says who they are."""
        if word not in word_list("tables", "people"):
            return False
        before = self._pieces.mention(self._pieces.before(at, over=(Filler,)))
        is_counted = isinstance(before, Ask) and before.how == "count"
        return is_counted and not any(
            set(each.words) & word_list("tables", "named_persons") for each in self._words.columns
        )

    def _is_of_rows(self, at: int) -> bool:
        """True of a word that is made of what rows are called: "shipped" of shipments."""
        said = self._pieces.tokens[self._pieces.pieces[at].first].stem
        if said in self._words.rivals or not said.isalpha():
            return False
        known = self._words.nouns | {word for title in self._words.titles.values() for word in title}
        return len(said) > 3 and any(
            len(word) > 3 and (word.startswith(said) or said.startswith(word)) for word in known
        )

    def _names_values(self, at: int) -> bool:
        """True where a noun stands for values that their table leaves without a name."""
        measure = self.query.measure
        before = self._pieces.before(at, over=(Filler,))
        is_computed = isinstance(self._pieces.mention(before), Statistic | Ask) or before < 0
        return measure is not None and is_nameless(measure) and is_computed

    def _is_something(self) -> bool:
        """True where the query asks for more than all rows of a table that nobody named."""
        query = self.query
        if query.operation in COMPUTED and query.measure is None and query.ambiguous is None:
            return False
        asked = (query.clauses, query.groups, query.sides, query.shown, query.used)
        if any(asked) or query.order is not None or query.having is not None:
            return True
        if query.operation is not TableOperation.ROWS:
            return True
        named = any(isinstance(piece.mention, RowMention | MentionedTable) for piece in self._pieces.pieces)
        return self._question.ask in ("list", "which", "what") and named
