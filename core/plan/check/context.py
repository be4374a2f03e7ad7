"""Question, reading and plan side by side, as the checks look at them, and the problems that these find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cached_property

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, TablePart, sheets_of
from core.plan.conversation_state import conditions_of
from core.plan.ir.node import schema_of, without_aspect
from core.plan.ir.nodes import ComputationNode, Condition, Plan, ScopedNode, SelectionNode, spec_of
from core.plan.ir.spec import columns_of
from core.plan.ir.verbalise import KIND
from core.plan.kinds import kind_names
from core.plan.reading import ReadCondition, ReadField, Reading, ReadName, ReadOrder, Step
from core.text.analyse import content_terms, text_terms
from core.text.words import word_groups
from core.values.numbers import ONES, ORDINALS, SCALES, TENS, read_digits

_WORD = re.compile(r"w/o\b|\w+(?:[-.,/&'’]\w+)*|%", re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WHOLE = re.compile(r"\d+")
_SHORT = {"k": 1_000, "m": 10**6, "mn": 10**6, "bn": 10**9}
_MOST_NAMED = 50  # documents of a scope whose names may account for words
ASKED, COMPARING = word_groups("checks", "asked"), word_groups("checks", "comparing")

Part = ReadCondition | ReadName | ReadField | ReadOrder


class Severity(StrEnum):
    """Consequence of a problem for the plan."""

    REFUSES = "refuses"  # it cannot run, or says another thing than the question
    LEAVES_OUT = "leaves_out"  # words of the question are in no part of it
    DOUBTS = "doubts"  # it may be right, and is no surer than that


@dataclass(frozen=True, slots=True)
class CheckProblem:
    """Problem of a plan, in plain sentences for a model and a page. words: those of the question, if any.

    condition: the one that it is about, where it is mended by turning that round.
    """

    name: str
    message: str
    next_step: str = ""
    words: str = ""
    severity: Severity = Severity.REFUSES
    condition: ReadCondition | None = None


Problems = Iterator[CheckProblem]


def left_out(name: str, words: str) -> CheckProblem:
    """The problem that nothing in the plan says some words."""
    step = "Add what they ask for, or answer from the text."
    return CheckProblem(name, f"Nothing in the plan says “{words}”.", step, words, Severity.LEAVES_OUT)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question. folded: in small letters, no apostrophes; terms: () where it says nothing."""

    text: str
    start: int
    end: int
    folded: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SaidNumber:
    """A number of the question. values: what it may be; is_ordinal: "second", "3rd"."""

    at: range
    values: frozenset[Decimal]
    is_ordinal: bool = False


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A part of the reading. at: the numbers of the question's words that said it, none where none did."""

    part: Part
    step: Step
    words: str
    at: range


@dataclass(frozen=True)
class CheckContext:
    """What all checks are given. Immutable; its parts are worked out when they are first needed."""

    plan: Plan
    reading: Reading
    catalogue: Catalogue
    earlier: tuple[Reading, ...] = ()

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words of the question."""
        found = _WORD.finditer(self.reading.question)
        return tuple(Word(m[0], *m.span(), _folded(m[0]), tuple(content_terms(m[0]))) for m in found)

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The same, folded."""
        return tuple(word.folded for word in self.words)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of the question."""
        return frozenset(term for word in self.words for term in word.terms)

    @cached_property
    def figures(self) -> list[SaidNumber]:
        """The numbers of the question."""
        return figures_in(self.folded)

    @cached_property
    def asked(self) -> frozenset[Decimal]:
        """All that these may be."""
        return frozenset(n for each in self.figures for n in each.values)

    @cached_property
    def planned(self) -> frozenset[Decimal]:
        """The numbers that plan and reading say: of values, limits, places in an order, sides."""
        counts: set[int] = set()
        for node in self.plan.nodes:
            if isinstance(node, SelectionNode):
                counts |= {node.limit or 0, node.skip, node.skip + 1, len(node.scope.documents)}
            elif isinstance(node, ComputationNode):
                counts |= {node.top, node.skip, node.skip + 1}
        for step in self.reading.all_steps:
            counts |= {len(step.sides), len(step.names), len(step.conditions), len(step.asked)}
        read = (text for _, part in self.conditions for text in part.values)
        tested = (text for each in self.tested for text in each.texts)
        return numbers_in((*read, *tested)) | {Decimal(n) for n in counts if n}

    @cached_property
    def pieces(self) -> tuple[ReadPiece, ...]:
        """The parts of all steps, where they stand in the question; not those that go on from `earlier`."""
        found: list[ReadPiece] = []
        before = (step for each in self.earlier for step in each.all_steps)
        carried = [_said(part) for step in before for part, _ in _parts(step)]
        for step in self.reading.all_steps:
            for part, words in _parts(step):
                place = self._place(words, found)
                if place or _said(part) not in carried:
                    found.append(ReadPiece(part, step, words, place))
        return tuple(found)

    def inside(self, at: int, *kinds: type) -> Iterator[ReadPiece]:
        """The pieces of these kinds, all for none, that a word stands in."""
        return (each for each in self.pieces if at in each.at and isinstance(each.part, kinds or object))

    @cached_property
    def conditions(self) -> tuple[tuple[ReadPiece, ReadCondition], ...]:
        """The pieces that are conditions."""
        return tuple((each, each.part) for each in self.pieces if isinstance(each.part, ReadCondition))

    @cached_property
    def tested(self) -> tuple[Condition, ...]:
        """The conditions of the plan."""
        return conditions_of(self.plan)

    @cached_property
    def fields(self) -> dict[str, FieldEntry | ColumnEntry]:
        """The fields and columns that the plan rests on, by name."""
        found: dict[str, FieldEntry | ColumnEntry] = {}
        nodes = {each.id: each for each in self.plan.nodes}
        for node in self.plan.nodes:
            for stem in map(without_aspect, filter(None, spec_of(node).fields(node))):
                entry = self.catalogue.field(stem, schema_of(node, nodes))
                columns = columns_of(stem, self.catalogue) if entry is None else []
                found |= {stem: entry} if entry is not None else {stem: columns[0]} if columns else {}
        return found

    def field(self, name: str) -> FieldEntry | ColumnEntry | None:
        """The field or column of that name among those of the plan."""
        return self.fields.get(name) or self.fields.get(" ".join(name.split()).casefold())

    def type_of(self, name: str) -> FieldType | None:
        """The type of a field of the plan; None for one that it has not."""
        entry = self.field(name)
        return entry.type if entry is not None else None

    @cached_property
    def called(self) -> frozenset[str]:
        """The terms by which all fields of the plan are called."""
        return frozenset(term for entry in self.fields.values() for term in vocabulary(entry))

    @cached_property
    def schemas(self) -> frozenset[str]:
        """The kinds that the plan asks."""
        return frozenset(each.scope.schema_name for each in self.plan.nodes if isinstance(each, ScopedNode))

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The terms by which these are called."""
        texts = [text for each in self.tested if each.field in (KIND, "document_name") for text in each.texts]
        for schema in filter(None, map(self.catalogue.schema, self.schemas)):
            things = (each.title for each in schema.fields if each.name in ("model", "product"))
            nouns = (noun.word for noun in schema.nouns if not noun.titles)
            texts += [schema.name, schema.title, *schema.words, *nouns, *things]
        return text_terms(" ".join(texts))

    @cached_property
    def values(self) -> frozenset[str]:
        """The terms of all that the plan names: values, organisations, documents, tables."""
        texts = [text for each in self.tested for text in each.texts]
        for node in self.plan.nodes:
            texts += [*spec_of(node).words(node), getattr(node, "text", "")]
            if isinstance(node, ScopedNode) and not self._parts:
                found = map(self.catalogue.document, node.scope.documents[:_MOST_NAMED])
                texts += node.scope.buckets
                texts += [t for doc in found if doc is not None for t in (doc.name, doc.title, doc.source)]
        known = set(texts)
        texts += [party.name for party in self.catalogue.parties if party.normal in known]
        return _terms(texts) | self.tables

    @cached_property
    def is_of_tables(self) -> bool:
        """True where rows are asked, and there is nothing but tables."""
        return bool(self.tables) and len(sheets_of(self.catalogue)) == len(self.catalogue.documents)

    @cached_property
    def columns(self) -> tuple[ColumnEntry, ...]:
        """The columns of the tables whose rows it asks."""
        own = {part.name for part in self._parts}
        asked = (t for t in self.catalogue.rows_by_sql if any(part.name in own for part in t.parts))
        return tuple(column for table in asked for column in table.columns)

    @cached_property
    def _parts(self) -> list[TablePart]:
        names = {name for step in self.reading.all_steps for name in step.tables}
        names |= {name for n in self.plan.nodes if isinstance(n, SelectionNode) for name in n.tables}
        return [part for table in self.catalogue.rows_by_sql for part in table.parts if part.name in names]

    @cached_property
    def tables(self) -> frozenset[str]:
        """The terms by which the tables are called whose rows it asks."""
        texts = [text for each in self._parts for text in (each.sheet, each.caption)]
        return _terms(texts) | self.called_files(1)

    def called_files(self, tables: int) -> frozenset[str]:
        """The terms by which those of its documents are called that have so many tables, 2 for several."""
        ids = {part.document for part in self._parts}
        held = {id: sum(id in table.documents for table in self.catalogue.rows_by_sql) for id in ids}
        found = (self.catalogue.document(id) for id, count in held.items() if min(count, 2) == tables)
        own = [text for each in found if each for text in (each.title, each.source.rsplit("/", 1)[-1])]
        return _terms(own)

    @cached_property
    def other_tables(self) -> frozenset[str]:
        """The terms of other tables of its documents and their columns, without those of what it asks."""
        own, sheets = {part.document for part in self._parts}, {part.sheet for part in self._parts}
        others = [t for t in self.catalogue.rows_by_sql if own.intersection(t.documents)]
        others = [t for t in others if not any(part in t.parts for part in self._parts)]
        texts = [part.sheet for table in others for part in table.parts if part.sheet not in sheets]
        texts += [column.name for table in others for column in table.columns]
        mine = [text for each in self.tested for text in each.texts] + [each.name for each in self.columns]
        return _terms(texts) - _terms(mine) - self.called - self.tables

    @cached_property
    def kinds_at(self) -> dict[int, str]:
        """The schemas that words of the question name, by the numbers of these words."""
        found = [each for each in kind_names(self.catalogue).find(self.reading.question) if each.kind.schema]
        inside = ((n, k) for k in found for n, w in enumerate(self.words) if k.start <= w.start < k.end)
        return {n: k.kind.schema for n, k in inside}

    @cached_property
    def cells(self) -> frozenset[str]:
        """The terms of columns and cells of the tables whose rows it asks, with documents beside these."""
        columns = () if self.is_of_tables else self.columns
        return _terms(text for each in columns for text in (each.name, *each.texts))

    def _place(self, words: str, taken: Sequence[ReadPiece]) -> range:
        wanted = tuple(_folded(m[0]) for m in _WORD.finditer(words))
        size = len(wanted)
        ends = range(len(self.words) - size + 1) if size else range(0)
        places = [at for at in ends if self.folded[at : at + size] == wanted]
        free = (at for at in places if not any(at in each.at for each in taken))
        first = next(free, places[0] if places else None)
        return range(first, first + size) if first is not None else range(0)


def _terms(texts: Iterable[str]) -> frozenset[str]:
    return text_terms(re.sub(r"[_.-]", " ", " ".join(texts)))


def _folded(word: str) -> str:
    return word.casefold().replace("'", "").replace("’", "")


def _said(part: Part) -> Part:
    """What a part says, whatever its words."""
    plain = {"words": "", "probability": 1.0}
    field = getattr(part, "field", None)
    return part.model_copy(update=plain | ({"field": field.model_copy(update=plain)} if field else {}))


def _parts(step: Step) -> Iterator[tuple[Part, str]]:
    having = (step.having,) if step.having is not None else ()
    order = (step.order,) if step.order is not None else ()
    yield from ((each, each.words or each.field.words) for each in (*step.conditions, *having))
    yield from ((each, each.words) for each in (*step.names, *step.asked, *step.groups, *order))
    yield from ((each.field, each.field.words) for each in order if each.field is not None)


def vocabulary(entry: FieldEntry | ColumnEntry | None) -> frozenset[str]:
    """The terms by which a field or column is called."""
    if isinstance(entry, FieldEntry):
        own = (entry.title, *entry.synonyms, *entry.verbs, *entry.loose_verbs, *entry.phrases)
        return text_terms(" ".join((entry.name.replace("_", " "), *own)))
    return text_terms(f"{entry.name} {entry.unit}".replace("_", " ")) if entry is not None else frozenset()


def figures_in(words: tuple[str, ...]) -> list[SaidNumber]:
    """The numbers of folded words, in digits and in words, without those that are part of a name."""
    made: list[SaidNumber] = []
    for figure in (_figure(words, at) for at in range(len(words))):
        if figure is not None and not (made and figure.at.start in made[-1].at):
            made.append(figure)
    return made


def _figure(words: tuple[str, ...], at: int) -> SaidNumber | None:
    word, end = words[at], at + 1
    digits = _DIGITS.findall(word)
    if digits and numbers_in((word,)) and (word[0].isdigit() or len(word) - len("".join(digits)) <= 1):
        ending = word[len(digits[0]) :] if word[0].isdigit() else ""
        scale = _SHORT.get(ending) or SCALES.get(words[end] if end < len(words) else "", 1)
        end += scale > 1 and ending not in _SHORT
        numbers = numbers_in((word,))
        return SaidNumber(
            range(at, end), numbers | {n * scale for n in numbers}, ending in ("st", "nd", "rd", "th")
        )
    if word in ORDINALS:
        return SaidNumber(range(at, end), frozenset({Decimal(ORDINALS[word])}), True)
    parts = word.split("-")
    if not all(part in ONES or part in TENS for part in parts) and word not in SCALES:
        return None
    value = Decimal(SCALES.get(word) or sum(ONES.get(part, TENS.get(part, 0)) for part in parts))
    while end < len(words) and words[end] in SCALES:
        value, end = value * SCALES[words[end]], end + 1
    return SaidNumber(range(at, end), frozenset({value}))


def numbers_in(texts: Iterable[str]) -> frozenset[Decimal]:
    """The numbers that texts write in digits; the parts of days."""
    found = (number for text in texts for number in (_WHOLE if "-" in text else _DIGITS).findall(text))
    return frozenset(n for each in found if (n := read_digits(each)) is not None)
