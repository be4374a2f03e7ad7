"""A model's reply as a `Reading`; what cannot be is an error in one plain sentence for the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar, get_args

from pydantic import ValidationError

from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, SchemaEntry, column_key
from core.plan.compile.context import ReadingError
from core.plan.compile.names import UnknownNameError
from core.plan.ir.sql_tables import query_sources
from core.plan.readers.model.reply import (
    COMBINING,
    NearTexts,
    ReadingReply,
    ReplyCondition,
    ReplyHaving,
    ReplyName,
    ReplyOrder,
    ReplyStep,
    added_by,
    faithful_wordings,
    lost_from,
    names_in,
    nearest,
    stems_of,
    unfaithful,
    words_in,
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
    ReadInHand,
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
_MOST_SCALE = 1_000_000
_TWO_SIDED = frozenset((Outcome.DIFFERENCE, Outcome.RATIO, Outcome.SHARE, Outcome.MORE, Outcome.LESS))
_SHOWING = frozenset((Operation.LIST, Operation.LOOKUP, Operation.RANK, Operation.CHECK, Operation.EXISTS))
_SETS = frozenset((Outcome.INTERSECT, Outcome.UNION, Outcome.WITHOUT))
_OPERATORS = {"present": Operator.IS, "missing": Operator.MISSING}
_BOTH_SIDES = "Write a step for each side before it, and name both in `sides`."
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
        return Reading(operation=Operation.TEXT, by="model", question=question, is_outside=True, why=why)
    questions = _questions(reply, setting)
    steps = _Conversion(setting).steps(reply.steps) if doubt is None and not questions else []
    if not steps:
        steps = [Step(id=ANSWER, operation=Operation.TEXT)]
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
    kinds = [
        word
        for each in setting.catalogue.schemas
        for word in (each.title, *each.words, *(noun.word for noun in each.nouns))
    ]
    said = text_terms(setting.question) - text_terms(" ".join(kinds))
    wanted = tuple(dict.fromkeys(reply.buckets))
    is_named = all(each in setting.buckets and text_terms(each) & said for each in wanted)
    return wanted if is_named else ()


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
                what = "Two steps are" if each.id in self.before else "No step can be"
                raise ReadingError(f"{what} called {each.id!r}.", next_step="Call them s1, s2 and so on.")
            self.before[each.id] = _valid(each.id, partial(self._step, each))
        return list(self.before.values())

    def _step(self, replied: ReplyStep) -> Step:
        if replied.operation is Operation.QUERY:
            return self._query(replied)
        schema = self._kind(replied)
        tables = self._tables(replied)
        within, handed = self._within(replied)
        sides = self._sides(replied)
        is_rows = bool(tables) or any(self._is_rows(each) for each in within)
        is_rows = is_rows or (schema is None and not within and self._are_columns(replied))
        name = schema.name if schema is not None and not is_rows else ""
        fields = _Fields(self.setting.catalogue, name, tables, is_rows=is_rows)
        operation = Operation.TEXT if replied.operation is Operation.HELP else replied.operation
        named = (len(e.documents) or 1 for e in replied.names if e.role != "kind" and not e.negated)
        is_compared = operation is Operation.COMPARE and not sides
        if is_compared and sum(named) < 2 and len(replied.conditions) < 2:
            raise ReadingError(f"Step {replied.id!r} compares fewer than two things.", next_step=_BOTH_SIDES)
        return Step(
            id=replied.id,
            operation=operation,
            kind=name,
            tables=tables,
            is_rows=is_rows,
            names=(*(self._name(each) for each in replied.names), *handed),
            conditions=tuple(self._condition(each, fields) for each in replied.conditions),
            asked=tuple(fields.field(each) for each in replied.asked),
            function=replied.function,
            groups=tuple(fields.field(each) for each in replied.groups),
            having=self._having(replied.having, replied, fields),
            order=self._order(replied.order, replied, fields),
            within=within,
            sides=sides,
            labels=tuple(" ".join(each.split())[:100] for each in replied.labels[: len(sides) or MOST_STEPS]),
            outcome=replied.outcome,
            text=replied.text,
        )

    def _query(self, replied: ReplyStep) -> Step:
        """A step of SQL, its tables called as people call them. Raises ReadingError."""
        from core.datasets.sql.statements import names_in, renamed

        told = [*dict.fromkeys((*replied.tables, *names_in(replied.sql, self.setting.tables)))]
        tables = self._tables(replied.model_copy(update={"tables": told}))
        if not tables:
            raise ReadingError(f"Step {replied.id!r} is a query without tables.", next_step="Name some: t1.")
        called = {
            place: each.name
            for each in query_sources(tables, self.setting.catalogue)
            for place in each.places
        }
        sql = renamed(replied.sql, {short: called[self.setting.tables[short][0]] for short in told})
        return Step(id=replied.id, operation=Operation.QUERY, tables=tables, is_rows=True, sql=sql)

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
                next_step=_BOTH_SIDES,
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

    def _are_columns(self, replied: ReplyStep) -> bool:
        """True where it names fields, and all of them are columns of tables alone."""
        names = [*replied.asked, *replied.groups, *(each.field for each in replied.conditions)]
        names += [replied.order.field] if replied.order.field else []
        catalogue = self.setting.catalogue
        fields = _Fields(catalogue, "", (), is_rows=True)
        return bool(names) and all(fields.knows(each) and catalogue.field(each) is None for each in names)

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

    def _condition(self, replied: ReplyCondition, fields: _Fields) -> ReadCondition:
        op = _OPERATORS.get(replied.op) or Operator(replied.op)
        values = tuple(" ".join(each.split()) for each in replied.values if each.strip())
        of_field = fields.field(values[0][1:]) if len(values) == 1 and values[0].startswith("@") else None
        if of_field is not None or op in (Operator.IS, Operator.MISSING):
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
            of_field=of_field,
            negated=replied.negated,
            either=max(0, min(20, replied.either)),
            words=words_in(replied.words, self.setting.question),
        )

    def _having(self, replied: ReplyHaving, step: ReplyStep, fields: _Fields) -> ReadCondition | None:
        if not replied.value.strip() or not replied.op:
            return None
        if not _is_grouped(step):
            raise ReadingError(
                f"Step {step.id!r} has a condition on groups, and no groups.",
                next_step="Say by what it groups, or write a condition.",
            )
        return ReadCondition(
            field=fields.field([*step.asked, *step.groups][0]),
            op=Operator(replied.op),
            values=(replied.value.strip(),),
            words=words_in(replied.words, self.setting.question),
        )

    def _order(self, replied: ReplyOrder, step: ReplyStep, fields: _Fields) -> ReadOrder | None:
        limit, skip = max(0, replied.limit), max(0, replied.skip)
        if not replied.field:
            if _is_grouped(step) and (limit or skip or replied.descending):
                return ReadOrder(descending=replied.descending, limit=limit, skip=skip)
            return None
        name = column_key(replied.field)
        if step.groups and name in map(column_key, step.groups):
            if not limit and not skip:
                return None  # groups stand in the order of their names where nothing else is said
            raise ReadingError(
                f"Step {step.id!r} orders groups by {replied.field!r}, and they are ordered by their figure.",
                next_step="Leave order.field empty, or order what is listed.",
            )
        is_figure = bool(step.groups) and name in (*map(column_key, step.asked), *_FIGURES)
        return ReadOrder(
            field=None if is_figure else fields.field(replied.field),
            descending=replied.descending,
            limit=limit,
            skip=skip,
        )


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields that a step may name: those of its kind ("" for any), or columns of tables."""

    catalogue: Catalogue
    kind: str
    tables: tuple[str, ...]
    is_rows: bool

    def field(self, name: str) -> ReadField:
        """The field of a name: "expiration_date.year" is a part of one, "Actual - Budget" two columns.

        Raises ReadingError.
        """
        found = self._read(name.strip())
        if found is None:
            use = f"Use one that is listed, such as {', '.join(self._near(name))}"
            what = f"The kind {self.kind!r} has no field" if self.kind else "No kind has a field"
            raise ReadingError(
                f"{'The tables have no column' if self.is_rows else what} {name!r}.",
                next_step=f"{use}; or the operation text, which searches what documents say.",
            )
        return found

    def knows(self, name: str) -> bool:
        """True of a field, a part of one, and two columns that are calculated with."""
        return self._read(name.strip()) is not None

    def _read(self, text: str) -> ReadField | None:
        if written := self._written(text):
            return ReadField(name=written, schema_name=self.kind)
        stem, _, last = text.rpartition(".")
        if last in _PARTS and (written := self._written(stem)):
            return ReadField(name=written, schema_name=self.kind, part=last)
        stem, _, last = text.rpartition(" * ")
        scale = int(last) if stem and last.isdigit() and 0 < int(last) <= _MOST_SCALE else 1
        text = stem if scale > 1 else text
        for how, sign in COMBINING.items():
            parts = text.split(f" {sign} ")
            for at in range(1, len(parts)):
                one, other = (self._written(f" {sign} ".join(some)) for some in (parts[:at], parts[at:]))
                if one and other and (scale == 1 or how == "per"):
                    return ReadField(name=one, schema_name=self.kind, combined=how, other=other, scale=scale)
        return None

    def _written(self, name: str) -> str:
        """A field or column as the catalogue has it; "" for none."""
        if self.is_rows:
            return _columns(self.catalogue, self.tables).get(column_key(name), "")
        return name if name and self.catalogue.field(name, self.kind) is not None else ""

    def _near(self, name: str) -> list[str]:
        known = list(_columns(self.catalogue, self.tables).values())
        if not self.is_rows:
            schemas = (each for each in self.catalogue.schemas if self.kind in ("", each.name))
            known = [each.name for schema in schemas for each in schema.fields]
        scores = NearTexts(known).scores(stems_of(name))
        return [known[at] for at in nearest(scores, _NEAR_FIELDS)] or known[:_NEAR_FIELDS]


def _is_grouped(step: ReplyStep) -> bool:
    return bool(step.groups) or (step.function is Function.DISTINCT and bool(step.asked))


def _columns(catalogue: Catalogue, tables: Sequence[str]) -> dict[str, str]:
    """The columns of some tables, or of all, as they are written, by how conditions know them."""
    wanted = set(tables)
    return {
        column.key: column.name
        for table in catalogue.tables
        if not wanted or any(part.name in wanted for part in table.parts)
        for column in table.columns
    }
