"""Plans over rows of tables, and where a plan over documents says the same."""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date
from weakref import WeakKeyDictionary

from core.domain.annotation import Calculation as Function
from core.domain.answer import Kind, Route
from core.domain.fields import PLAIN_TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.build.conditions import in_period
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify, option_for
from core.plan.forms.rows.parse import RowComputation, RowTree, parse_rows, what_is_asked
from core.plan.forms.rows.reading import (
    COLLECTIONS,
    NO,
    YES,
    RowReading,
    TableWords,
    is_of_rows,
    read_rows,
    spoken,
    words_of,
)
from core.plan.guards.coverage import unkept_of_rows
from core.plan.ir import verbalise
from core.plan.ir.nodes import ComputationNode, Condition, Note, Plan, Scope, SelectionNode, flattened
from core.plan.ir.steps import PlanSteps
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.reading.read import ParsedQuestion

_READ = 6  # tables that a question is read over: those with most of its words

_lexicons: WeakKeyDictionary[Lexicon, RowLexicon] = WeakKeyDictionary()
_lock = threading.Lock()  # guards _lexicons


class RowLexicon:
    """The vocabularies of the tables of a catalogue, made once and then only read."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._tables = [words_of(table, catalogue) for table in catalogue.tables if is_of_rows(table)]
        self._by_stem: dict[str, set[int]] = defaultdict(set)
        for at, words in enumerate(self._tables):
            keys = (*words.columns, *words.cells, *words.flags)
            for stem in {*words.topics, *words.cell_words, *(stem for key in keys for stem in key)}:
                self._by_stem[stem].add(at)

    def likeliest(self, reading: ParsedQuestion) -> list[TableWords]:
        """The tables that have most of the words of a question."""
        hits: dict[int, int] = defaultdict(int)
        for stem in {token.stem for token in reading.tokens}:
            for at in self._by_stem.get(stem, ()):
                hits[at] += 1
        ranked = sorted(hits, key=lambda at: (-hits[at], at))
        return [self._tables[at] for at in ranked[:_READ]]

    def is_only(self, words: TableWords, said: frozenset[str]) -> bool:
        """True where "the register" is this table, since no other is called so."""
        kinds = said & COLLECTIONS & words.title_stems
        return bool(kinds) and not any(
            kinds & other.title_stems for other in self._tables if other is not words
        )


@dataclass(frozen=True, slots=True)
class RowPlan:
    """Plan of a question over rows. named: the table is called by its name in the question."""

    planned: Plan | Clarify
    named: bool
    is_whole: bool

    def shares(self, other: Plan | Clarify) -> bool:
        """True where another plan reads the documents of this table, or this one is a question back."""
        if isinstance(self.planned, Clarify) or isinstance(other, Clarify):
            return True
        own = {
            id
            for node in self.planned.nodes
            if isinstance(node, SelectionNode)
            for id in node.scope.documents
        }
        return any(own & set(node.scope.documents) for node in other.nodes if isinstance(node, SelectionNode))


def plan_rows(
    reading: ParsedQuestion, lexicon: Lexicon, buckets: tuple[str, ...], today: date
) -> RowPlan | None:
    """The plan over the table that covers most of the question; None where none could answer it."""
    best: tuple[tuple[int, int, int], RowReading, RowTree, RowComputation] | None = None
    known = _lexicon_of(lexicon)
    likeliest = known.likeliest(reading)
    grammar = spoken(reading, today) if likeliest else ()
    for words in likeliest:
        if buckets and not any(each.bucket in buckets for each in words.documents):
            continue
        over = read_rows(reading, words, grammar)
        if not over.hits:
            continue
        if known.is_only(words, over.stems):
            over = replace(over, named=True)
        tree = parse_rows(over)
        asked = what_is_asked(tree, words)
        if asked is None:
            continue
        dateless = len(tree.periods) if words.date is None else 0
        place = (len(tree.uncovered) + dateless, -int(over.named), -over.hits)
        if best is None or place < best[0]:
            best = (place, over, tree, asked)
    if best is None:
        return None
    _, over, tree, asked = best
    if tree.ambiguous:
        return RowPlan(_which_text(reading.question, tree), over.named, not tree.uncovered)
    plan = _Build(reading.question, over, tree, asked, buckets, today).plan()
    return RowPlan(plan, over.named, not plan.uncovered)


def _lexicon_of(lexicon: Lexicon) -> RowLexicon:
    with _lock:
        known = _lexicons.get(lexicon)
        if known is None:
            known = _lexicons[lexicon] = RowLexicon(lexicon.catalogue)
        return known


def _which_text(question: str, tree: RowTree) -> Clarify:
    phrase, column, texts = tree.ambiguous[0]
    return Clarify(
        type="ambiguous",
        question=question,
        phrase=phrase,
        reason=f"“{phrase}” may be {' or '.join(texts[:8])} ({column.name}). Which do you mean?",
        options=tuple(option_for(question, phrase, text, 1) for text in texts[:8]),
    )


class _Build:
    """Builds the plan of one question over one table."""

    def __init__(
        self,
        question: str,
        reading: RowReading,
        tree: RowTree,
        asked: RowComputation,
        buckets: tuple[str, ...],
        today: date,
    ) -> None:
        self._question = question
        self._reading = reading
        self._words = reading.words
        self._tree = tree
        self._asked = asked
        self._buckets = buckets
        self._today = today
        self._steps = PlanSteps()
        self._notes = list(tree.notes)
        self._uncovered = list(tree.uncovered)

    def plan(self) -> Plan:
        """The nodes: the rows, and what is computed of them."""
        asked = self._asked
        conditions = (*self._tree.conditions, *self._flags(), *self._periods())
        select = self._select(conditions)
        if asked.function is not None:
            self._aggregate(select)
        nodes = self._steps.nodes
        self._say_source(select)
        code = self._words.amount.unit if self._words.amount is not None else ""
        unkept = unkept_of_rows(self._reading.pieces, nodes, code)
        self._uncovered += [text for text in unkept if text not in " ".join(self._uncovered)]
        return Plan(
            question=self._question,
            kind=Kind.AGGREGATE,
            route=Route.STRUCTURED,
            nodes=tuple(nodes),
            answer_node=nodes[-1].id,
            uncovered=tuple(dict.fromkeys(self._uncovered)),
            notes=tuple(dict.fromkeys(self._notes)),
            today=self._today.isoformat(),
        )

    def _select(self, conditions: tuple[Condition, ...]) -> SelectionNode:
        asked = self._asked
        names = self._names(self._documents())
        said = verbalise.conditions_text(conditions, None)
        return self._steps.select(
            purpose=f"Find rows of {names}{f': {said}' if said else ''}"[:300],
            reason="the question is about rows of a table",
            scope=Scope(buckets=self._buckets, documents=self._documents()),
            of="rows",
            conditions=conditions,
            fields=tuple(column.key for column in asked.shown),
            columns=tuple(column.key for column in self._words.table.columns)[:50],
            order_by=asked.order_by.key if asked.order_by is not None else "",
            descending=asked.descending if asked.order_by is not None else False,
            limit=asked.limit,
        )

    def _aggregate(self, select: SelectionNode) -> None:
        asked = self._asked
        assert asked.function is not None  # asked for where something is computed
        what = asked.field.name if asked.field is not None else "rows"
        by = f" for each {' and '.join(asked.groups)}" if asked.groups else ""
        if asked.is_guess:
            self._notes.append(Note(phrase="", reading=f"{what} is added up, since nothing else is said"))
        self._steps.aggregate(
            purpose=f"Compute the {asked.function.value} of {what}{by}"[:300],
            reason="computed over all rows that were found",
            inputs=(select.id,),
            function=asked.function,
            field="" if asked.function is Function.COUNT or asked.field is None else asked.field.key,
            group_by=asked.groups,
            top=asked.top,
            descending=asked.descending,
        )

    # -- conditions ------------------------------------------------------------------------------------

    def _flags(self) -> list[Condition]:
        found = []
        for column, holds in self._tree.flags:
            wanted, other = (YES, NO) if holds else (NO, YES)
            texts = tuple(text for text in column.texts if text.casefold().strip() in wanted)
            if len(texts) == 1:
                found.append(Condition(field=column.key, op=Operator.EQUAL, value=texts[0]))
            elif texts:
                found.append(Condition(field=column.key, op=Operator.IN, value=texts))
            else:
                others = (text for text in column.texts if text.casefold().strip() in other)
                found += [Condition(field=column.key, op=Operator.NOT_EQUAL, value=each) for each in others]
        return found

    def _periods(self) -> list[Condition]:
        column, found = self._words.date, []
        for piece, period in self._tree.periods:
            condition = in_period(column.key, period) if column is not None else None
            if condition is None:
                self._uncovered.append(piece.text)
                continue
            self._notes.append(Note(phrase=piece.text, reading=verbalise.condition_text(condition, None)))
            found.append(condition)
        return found

    # -- the source ------------------------------------------------------------------------------------

    def _documents(self) -> tuple[str, ...]:
        """The documents that the question names, of those with this table; all where it names none."""
        titles, said = self._words.titles, self._reading.stems
        hits = {id: len(said & title) for id, title in titles.items()}
        most = max(hits.values(), default=0)
        return tuple(id for id in self._words.table.documents if not most or hits.get(id) == most)

    def _names(self, ids: tuple[str, ...]) -> str:
        titles = [each.title for each in self._words.documents if each.id in ids]
        return titles[0] if len(titles) == 1 else f"{len(titles):,} documents"

    def _say_source(self, select: SelectionNode) -> None:
        """Note of what is counted once, and where: other documents may state the same purchases again."""
        names = self._names(select.scope.documents)
        reading = f"counted over the rows of {names} alone, so that nothing stated elsewhere counts twice"
        self._notes.append(Note(phrase="", reading=reading, node=select.id))


def rows_say_more(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """True where rows that cover a question answer it better than this plan over documents."""
    return _computes_with_items(planned, catalogue) or _chooses_nothing(planned, catalogue)


def _computes_with_items(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """True where a plan computes over documents that are chosen by one of their many items.

    What such a document comes to is more than the item: the row of the item says what that costs.
    """
    if isinstance(planned, Clarify) or not any(isinstance(node, ComputationNode) for node in planned.nodes):
        return False
    conditions = [
        each
        for node in planned.nodes
        if isinstance(node, SelectionNode)
        for each in flattened(node.conditions)
    ]
    fields = [catalogue.field(condition.field) for condition in conditions]
    return any(field is not None and field.many and field.type in PLAIN_TEXTS for field in fields)


def _chooses_nothing(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """True where a plan chooses documents by a value that none of them states, as a choice of a schema."""
    if isinstance(planned, Clarify):
        return False
    known = {(each.field, each.text.casefold()) for each in catalogue.values if each.documents}
    for node in planned.nodes:
        for clause in node.conditions if isinstance(node, SelectionNode) else ():
            if not isinstance(clause, Condition) or clause.op is not Operator.EQUAL:
                continue
            entry = catalogue.field(clause.field)
            is_choice = entry is not None and entry.type is FieldType.ENUM
            said = clause.value.casefold() if is_choice and isinstance(clause.value, str) else None
            if said is not None and (clause.field, said) not in known:
                return True
    return False


def says_once(planned: Plan | Clarify, over_rows: RowPlan) -> Plan | Clarify:
    """The plan over documents, which names the table that states the same again and is not counted."""
    rows = over_rows.planned
    if isinstance(planned, Clarify) or isinstance(rows, Clarify):
        return planned
    computed = next((node for node in planned.nodes if isinstance(node, ComputationNode)), None)
    source = next((node for node in rows.nodes if isinstance(node, SelectionNode)), None)
    if computed is None or source is None:
        return planned
    note = Note(
        phrase="",
        reading=f"{source.purpose}: these rows may repeat the documents, and are not counted with them",
        node=computed.id,
    )
    return planned.model_copy(update={"notes": (*planned.notes, note)})
