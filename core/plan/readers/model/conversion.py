"""A model's reply as a `Reading`; what cannot be is an error in one plain sentence for the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar, get_args

from pydantic import ValidationError

from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.compile.context import ReadingError
from core.plan.compile.names import UnknownNameError
from core.plan.readers.model.fidelity import (
    added_by,
    faithful_wordings,
    lost_from,
    names_in,
    unfaithful,
    words_in,
)
from core.plan.readers.model.in_hand import ReadInHand
from core.plan.readers.model.nearness import NearTexts, nearest, stems_of
from core.plan.readers.model.reply import (
    ReadingReply,
    ReplyCondition,
    ReplyHaving,
    ReplyName,
    ReplyOrder,
    ReplyStep,
)
from core.plan.reading import (
    IN_HAND,
    MOST_STEPS,
    Function,
    Operation,
    Outcome,
    Part,
    ReadCondition,
    ReadDoubt,
    ReadField,
    Reading,
    ReadName,
    ReadOrder,
    Step,
)
from core.text.analyse import text_terms

ANSWER = "answer"
MOST_OPTIONS = 8
MOST_HANDED = 50  # documents in hand that are named one by one where no plan gives them
_PARTS = tuple(each for each in get_args(Part) if each)
_NEAR_FIELDS = 8
_TWO_SIDED = frozenset((Outcome.DIFFERENCE, Outcome.RATIO, Outcome.SHARE, Outcome.MORE, Outcome.LESS))
_SHOWING = frozenset((Operation.LIST, Operation.LOOKUP, Operation.RANK, Operation.CHECK, Operation.EXISTS))
_SETS = frozenset((Outcome.INTERSECT, Outcome.UNION, Outcome.WITHOUT))
_OPERATORS = {
    "present": Operator.IS,
    "missing": Operator.MISSING,
    "between": Operator.BETWEEN,
    "in": Operator.IN,
}
_PLAIN = Operation.TEXT
_FIGURES = tuple(each.value for each in Function if each)
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class ReplySetting:
    """A question with what the model was told of it.

    documents, tables, folders: by short ids. buckets: those that may be named. may_ask: it may ask back.
    """

    question: str
    catalogue: Catalogue
    documents: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    folders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    buckets: tuple[str, ...] = ()
    in_hand: ReadInHand | None = None
    may_ask: bool = True


def reading_from(reply: ReadingReply, setting: ReplySetting) -> Reading:
    """The reading of a reply. Raises ReadingError, UnknownNameError."""
    why = " ".join(reply.reading.split())[:500]
    question = setting.question
    if reply.need == "general" and not names_in(question):
        return Reading(operation=Operation.HELP, by="model", question=question)
    doubt = _doubt(reply, setting)
    if reply.need == "outside" and doubt is None:
        return Reading(operation=_PLAIN, by="model", question=question, is_outside=True, why=why)
    questions = _questions(reply, setting)
    steps = _Conversion(setting).steps(reply.steps) if doubt is None and not questions else []
    if not steps:
        steps = [Step(id=ANSWER, operation=_PLAIN)]
    *before, last = steps
    left_out = (words_in(each, question) for each in reply.left_out)
    parts = {name: getattr(last, name) for name in Step.model_fields}
    return _valid(
        last.id,
        lambda: Reading(
            **parts,
            by="model",
            question=question,
            steps=tuple(before),
            buckets=named_buckets(reply, setting),
            output=reply.output,
            wordings=faithful_wordings(reply.wordings, f"{question} {last.text}"),
            questions=questions,
            doubt=doubt,
            uncovered=tuple(dict.fromkeys(filter(None, left_out)))[:50],
        ),
    )


def named_buckets(reply: ReadingReply, setting: ReplySetting) -> tuple[str, ...]:
    """The buckets that are named; () where one is unknown, or the question says no word of it.

    A word that documents of a kind are called by names the kind, wherever these documents are.
    """
    schemas = setting.catalogue.schemas
    kinds = text_terms(
        " ".join(word for each in schemas for word in (each.title, *each.words, *_nouns(each)))
    )
    said = text_terms(setting.question) - kinds
    wanted = tuple(dict.fromkeys(reply.buckets))
    is_named = all(each in setting.buckets and text_terms(each) & said for each in wanted)
    return wanted if is_named else ()


def _nouns(schema: SchemaEntry) -> list[str]:
    return [noun.word for noun in schema.nouns]


def _doubt(reply: ReadingReply, setting: ReplySetting) -> ReadDoubt | None:
    """The question back, where one may be asked. Raises ReadingError where nothing else was said."""
    reason = " ".join(reply.ask_back.reason.split())
    if not reason:
        return None
    if setting.may_ask:
        options = tuple(dict.fromkeys(" ".join(each.split())[:500] for each in reply.ask_back.options))
        return ReadDoubt(reason=reason[:500], options=tuple(filter(None, options))[:MOST_OPTIONS])
    if reply.steps or reply.questions:
        return None
    raise ReadingError(
        "It was asked back already, and may not be asked again.",
        next_step="Give the steps of the likeliest meaning.",
    )


def _questions(reply: ReadingReply, setting: ReplySetting) -> tuple[str, ...]:
    """Whole questions that together say what the text does; () where it is one. Raises ReadingError."""
    found = tuple(dict.fromkeys(" ".join(each.split()) for each in reply.questions if each.strip()))
    if len(found) < 2:
        return ()
    hand = setting.in_hand.question if setting.in_hand is not None else ""
    why = unfaithful(found, setting.question)
    if why and hand and not lost_from(setting.question, " ".join(found)):
        added = [each for text in found for each in added_by(text, f"{setting.question} {hand}")]
        why = why if added else ""
    if not why:
        return found
    if reply.steps:
        return ()
    raise ReadingError(why, next_step="Write each part whole, in the words of the question, or give steps.")


def _valid(id: str, make: Callable[[], Made]) -> Made:
    try:
        return make()
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = next((str(each) for each in found["loc"]), "")
        said = f"its {where} cannot be so: {found['msg'].lower()}" if where else found["msg"]
        raise ReadingError(
            f"Step {id!r}: {said}.", next_step="Keep to the form, with fewer or shorter parts."
        ) from None


@dataclass(slots=True)
class _Conversion:
    """Conversion of the steps of one reply. before: those that are made."""

    setting: ReplySetting
    before: dict[str, Step] = field(default_factory=dict)

    def steps(self, replied: Sequence[ReplyStep]) -> list[Step]:
        """The steps in order. Raises ReadingError."""
        if len(replied) > MOST_STEPS:
            raise ReadingError(
                f"There are {len(replied)} steps, and {MOST_STEPS} are possible.",
                next_step="Ask less at once, or divide it into `questions`.",
            )
        for each in replied:
            if each.id in self.before or each.id == IN_HAND or not each.id.strip():
                raise ReadingError(
                    f"Two steps are called {each.id!r}."
                    if each.id in self.before
                    else f"No step can be called {each.id!r}.",
                    next_step="Call them s1, s2 and so on.",
                )
            make = partial(self._step, each)
            made = _valid(each.id, make)
            self.before[each.id] = made
        return list(self.before.values())

    def _step(self, replied: ReplyStep) -> Step:
        schema = self._kind(replied)
        tables = self._tables(replied)
        within, handed = self._within(replied)
        sides = self._sides(replied)
        is_rows = bool(tables) or any(self._is_rows(each) for each in within)
        if schema is None and not is_rows:
            schema = self._inherited(within)
            is_rows = schema is None and self._are_columns(replied)
        fields = _Fields(self.setting.catalogue, schema, tables, is_rows=is_rows, is_kind=bool(replied.kind))
        operation = Operation.TEXT if replied.operation is Operation.HELP else replied.operation
        if operation is Operation.COMPARE and not sides:
            self._require_sides(replied)
        return Step(
            id=replied.id,
            operation=operation,
            kind=schema.name if schema is not None and replied.kind and not is_rows else "",
            tables=tables,
            is_rows=is_rows,
            names=(*(self._name(each) for each in replied.names), *handed),
            conditions=tuple(self._condition(each, fields) for each in replied.conditions),
            asked=tuple(self._field(each, fields) for each in replied.asked),
            function=replied.function,
            groups=tuple(self._field(each, fields) for each in replied.groups),
            having=self._having(replied.having, replied, fields),
            order=self._order(replied.order, replied, fields),
            within=within,
            sides=sides,
            labels=tuple(" ".join(each.split())[:100] for each in replied.labels[: len(sides) or MOST_STEPS]),
            outcome=replied.outcome,
            text=replied.text,
        )

    # -- scope -----------------------------------------------------------------------------------------

    def _kind(self, replied: ReplyStep) -> SchemaEntry | None:
        if not replied.kind:
            return None
        catalogue, wanted = self.setting.catalogue, replied.kind.casefold()
        for each in catalogue.schemas:
            if wanted in (each.name.casefold(), each.title.casefold()):
                return each
        known = ", ".join(each.name for each in catalogue.schemas if each.documents)
        raise ReadingError(
            f"Step {replied.id!r}: there is no kind {replied.kind!r}.",
            next_step=f"Name one of: {known}; or none, for documents of any kind.",
        )

    def _tables(self, replied: ReplyStep) -> tuple[str, ...]:
        found: list[str] = []
        for name in replied.tables:
            if name not in self.setting.tables:
                raise ReadingError(
                    f"Step {replied.id!r}: there is no table {name!r}.",
                    next_step="Name tables by the short ids of the catalogue, such as t1.",
                )
            found += self.setting.tables[name]
        return tuple(dict.fromkeys(found))[:100]

    def _within(self, replied: ReplyStep) -> tuple[tuple[str, ...], tuple[ReadName, ...]]:
        """The steps whose sets it narrows, and the documents in hand by name where no plan gives them."""
        hand = self.setting.in_hand
        within: list[str] = []
        handed: tuple[ReadName, ...] = ()
        for name in dict.fromkeys(replied.within):
            if name != IN_HAND:
                within.append(self._earlier(name, replied))
            elif hand is None or not (hand.reading or hand.documents):
                raise ReadingError(
                    f"Step {replied.id!r} goes on from {IN_HAND!r}, and nothing is in hand.",
                    next_step="Ask the whole collection.",
                )
            elif hand.reading is not None:
                within.append(name)
            else:
                ids = tuple(hand.documents[:MOST_HANDED])
                handed = (ReadName(words="", role="document", documents=ids),)
        return tuple(within), handed

    def _sides(self, replied: ReplyStep) -> tuple[str, ...]:
        sides = tuple(self._earlier(each, replied) for each in dict.fromkeys(replied.sides))
        if len(sides) == 1 or (replied.outcome in _TWO_SIDED and len(sides) > 2):
            raise ReadingError(
                f"Step {replied.id!r} has {len(sides)} sides for {replied.outcome.value!r}, and needs two.",
                next_step="Write a step for each side before it, and name both in `sides`.",
            )
        if not replied.asked and replied.outcome not in _SETS:
            self._require_figures(sides)
        return sides

    def _require_figures(self, sides: Sequence[str]) -> None:
        """Refuse sides that show values of documents or rows where each has to be one figure."""
        for name in sides:
            step = self.before[name]
            is_shown = bool(step.asked) and not step.groups and step.function is Function.NONE
            if (is_shown and step.operation in _SHOWING) or step.groups or step.operation is Operation.TEXT:
                raise ReadingError(
                    f"Step {name!r} gives no single figure, and is a side of a comparison.",
                    next_step="Count or compute it; the value of one document or row is its sum, "
                    "in a step with `within` that one.",
                )

    def _require_sides(self, replied: ReplyStep) -> None:
        named = [each for each in replied.names if each.role != "kind" and not each.negated]
        if len(named) < 2 and len(replied.conditions) < 2:
            raise ReadingError(
                f"Step {replied.id!r} compares fewer than two things.",
                next_step="Write a step for each side before it, and name both in `sides`.",
            )

    def _earlier(self, name: str, replied: ReplyStep) -> str:
        if name not in self.before:
            raise ReadingError(
                f"Step {replied.id!r} goes on from {name!r}, which is no step before it.",
                next_step="Write each step after those that it names.",
            )
        return name

    def _is_rows(self, name: str) -> bool:
        hand = self.setting.in_hand
        return hand is not None and hand.is_rows if name == IN_HAND else self.before[name].is_rows

    def _inherited(self, within: Sequence[str]) -> SchemaEntry | None:
        hand = self.setting.in_hand
        for name in within:
            if name == IN_HAND:
                kind = hand.kind if hand is not None else ""
            else:
                step = self.before[name]
                inner = self._inherited(step.within)
                kind = step.kind or (inner.name if inner is not None else "")
            if kind and (found := self.setting.catalogue.schema(kind)) is not None:
                return found
        return None

    def _are_columns(self, replied: ReplyStep) -> bool:
        """True where it names fields, and all of them are columns of tables alone."""
        names = [*replied.asked, *replied.groups, *(each.field for each in replied.conditions)]
        names += [replied.order.field] if replied.order.field else []
        catalogue = self.setting.catalogue
        columns = _columns(catalogue, ())
        return bool(names) and all(_key(each) in columns and catalogue.field(each) is None for each in names)

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, replied: ReplyName) -> ReadName:
        ids: list[str] = []
        for short in replied.documents:
            own = self.setting.folders.get(short) or (self.setting.documents.get(short, ""),)
            if any(self.setting.catalogue.document(each) is None for each in own):
                raise UnknownNameError(short)
            ids += own
        words = words_in(replied.words, self.setting.question)
        if not words and not ids:
            words = self._known_name(replied.words)
        return ReadName(
            words=words, role=replied.role, documents=tuple(dict.fromkeys(ids)), negated=replied.negated
        )

    def _known_name(self, words: str) -> str:
        """A name that the question does not have: of the question before, or as the catalogue writes it."""
        hand = self.setting.in_hand
        before = words_in(words, f"{hand.question} {hand.answer}") if hand is not None else ""
        if before:
            return before
        said = text_terms(words)
        known = (each.name for each in self.setting.catalogue.parties)
        if said & text_terms(self.setting.question) and any(said == text_terms(each) for each in known):
            return words
        raise ReadingError(
            f"The question does not say “{words}”.",
            next_step="Name things in the question's own words, or documents by their short ids.",
        )

    # -- fields ----------------------------------------------------------------------------------------

    def _field(self, name: str, fields: _Fields) -> ReadField:
        return fields.field(name)

    def _condition(self, replied: ReplyCondition, fields: _Fields) -> ReadCondition:
        op = _OPERATORS.get(replied.op) or Operator(replied.op)
        values = tuple(" ".join(each.split()) for each in replied.values if each.strip())
        if op in (Operator.IS, Operator.MISSING):
            values = ()
        elif not values:
            raise ReadingError(
                f"{replied.field} {replied.op} has no value.",
                next_step="Give one, or use `present` or `missing`.",
            )
        elif op is Operator.BETWEEN and len(values) != 2:
            raise ReadingError(
                f"{replied.field} between has {len(values)} values, and needs both ends.",
                next_step="Give both, or use >= or <=.",
            )
        elif len(values) > 1 and op is Operator.EQUAL:
            op = Operator.IN
        elif len(values) > 1 and op not in (Operator.IN, Operator.BETWEEN, Operator.NOT_EQUAL):
            raise ReadingError(
                f"{replied.field} {replied.op} has {len(values)} values, and needs one.",
                next_step="Write a condition for each; alternatives have the same number in `either`.",
            )
        for each in values:
            if each.startswith("$") and each[1:] not in self.before:
                raise ReadingError(
                    f"The value {each!r} is no step before this one.",
                    next_step="Write the step that computes it first.",
                )
        return ReadCondition(
            field=fields.field(replied.field),
            op=op,
            values=values,
            negated=replied.negated,
            either=max(0, min(20, replied.either)),
            words=words_in(replied.words, self.setting.question),
        )

    def _having(self, replied: ReplyHaving, step: ReplyStep, fields: _Fields) -> ReadCondition | None:
        if not replied.value.strip() or not replied.op:
            return None
        if not step.groups and not (step.function == "distinct" and step.asked):
            raise ReadingError(
                f"Step {step.id!r} has a condition on groups, and no groups.",
                next_step="Say by what it groups, or write a condition.",
            )
        measure = next((each for each in (*step.asked, *step.groups)), "")
        return ReadCondition(
            field=fields.field(measure), op=Operator(replied.op), values=(replied.value.strip(),)
        )

    def _order(self, replied: ReplyOrder, step: ReplyStep, fields: _Fields) -> ReadOrder | None:
        limit, skip = max(0, replied.limit), max(0, replied.skip)
        if not replied.field:
            is_grouped = bool(step.groups) or (step.function == "distinct" and bool(step.asked))
            if is_grouped and (limit or skip or replied.descending):
                return ReadOrder(descending=replied.descending, limit=limit, skip=skip)
            return None
        name = _key(replied.field)
        if step.groups and name in map(_key, step.groups):
            if not limit and not skip:
                return None  # groups stand in the order of their names where nothing else is said
            raise ReadingError(
                f"Step {step.id!r} orders groups by {replied.field!r}, and they are ordered by their figure.",
                next_step="Leave order.field empty, or order what is listed.",
            )
        is_figure = bool(step.groups) and name in (*map(_key, step.asked), *_FIGURES)
        return ReadOrder(
            field=None if is_figure else fields.field(replied.field),
            descending=replied.descending,
            limit=limit,
            skip=skip,
        )


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields that a step may name: those of its kind, or the columns of its tables.

    schema None and not is_rows: of any kind. is_kind: the step names its kind itself.
    """

    catalogue: Catalogue
    schema: SchemaEntry | None
    tables: tuple[str, ...]
    is_rows: bool
    is_kind: bool

    def field(self, name: str) -> ReadField:
        """The field of a name, "expiration_date.year" being a part of one. Raises ReadingError."""
        whole, part = name.strip(), ""
        if not self._known(whole):
            stem, _, last = whole.rpartition(".")
            if last in _PARTS and self._known(stem):
                whole, part = stem, last
            else:
                raise self._unknown(whole)
        schema = self.schema.name if self.schema is not None and self.is_kind else ""
        return ReadField(name=self._written(whole), schema_name=schema, part=part)

    def _known(self, name: str) -> bool:
        if not name:
            return False
        if self.is_rows:
            return _key(name) in _columns(self.catalogue, self.tables)
        if self.schema is not None:
            return self.schema.field(name) is not None
        return self.catalogue.field(name) is not None

    def _written(self, name: str) -> str:
        return _columns(self.catalogue, self.tables).get(_key(name), name) if self.is_rows else name

    def _unknown(self, name: str) -> ReadingError:
        if self.is_rows:
            known = list(_columns(self.catalogue, self.tables).values())
            said = "The tables have" if self.tables else "No table has"
            message = f"{said} no column {name!r}." if self.tables else f"{said} a column {name!r}."
        else:
            fields: Sequence[FieldEntry] = (
                self.schema.fields
                if self.schema is not None
                else [each for schema in self.catalogue.schemas for each in schema.fields]
            )
            known = [each.name for each in fields]
            of = f"The kind {self.schema.name!r} has" if self.schema is not None else "No kind has"
            message = f"{of} no field {name!r}." if self.schema is not None else f"{of} a field {name!r}."
        scores = NearTexts(known).scores(stems_of(name))
        near = [known[at] for at in nearest(scores, _NEAR_FIELDS)] or known[:_NEAR_FIELDS]
        use = f"Use a field that is listed, such as {', '.join(near)}; or" if near else "Use"
        return ReadingError(
            message, next_step=f"{use} the operation text, which searches what documents say."
        )


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _columns(catalogue: Catalogue, tables: Sequence[str]) -> dict[str, str]:
    """The columns of some tables, or of all, as they are written, by how conditions know them."""
    wanted = set(tables)
    return {
        column.key: column.name
        for table in catalogue.tables
        if not wanted or any(part.name in wanted for part in table.parts)
        for column in table.columns
    }
