"""Documents and organisations that words of a reading name, and values that it takes from earlier steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from core.domain.annotation import Calculation
from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.encode.base import TokenCounter
from core.plan.catalogue import (
    Catalogue,
    DocumentEntry,
    PartyEntry,
    SchemaEntry,
    column_key,
    once_for_each,
)
from core.plan.clarify import AskBackError, which_document
from core.plan.compile.context import (
    Both,
    Compilation,
    CompileContext,
    Formula,
    ReadingError,
    StepResult,
    any_of,
)
from core.plan.ir.nodes import Aggregate, Condition, Reference
from core.plan.kinds import kind_names
from core.plan.names.index import names_of
from core.plan.names.resolve import NameDecision, NameResolution, resolve
from core.plan.reading import ReadCondition, ReadName
from core.text.analyse import STOP_WORDS
from core.text.nouns import is_plural, singular
from core.values.names import normal_name

_MOST_NAMESAKES = 12
_BELOW = (Operator.LESS, Operator.LESS_EQUAL)


class UnknownNameError(ReadingError):
    """Nothing that may be seen is called so. The text may still speak of it."""

    def __init__(self, words: str) -> None:
        super().__init__(
            f"Nothing that you may see is called “{words}”.",
            next_step="Ask without the name, or look in Documents for how it is called.",
            words=words,
        )


def documents_named(
    name: ReadName,
    context: CompileContext,
    schema: SchemaEntry | None,
    question: str,
    *,
    of_several: bool,
    is_set: bool = False,
) -> tuple[DocumentEntry, ...]:
    """The documents that words name. of_several: all that share the name may be meant; is_set: all of them
    are, however much likelier one is.

    Raises UnknownNameError; AskBackError where two fit as well, and only one can be meant.
    """
    catalogue = context.catalogue
    if name.documents:
        given = tuple(each for id in name.documents if (each := catalogue.document(id)) is not None)
        if not given:
            raise UnknownNameError(name.words)
        return given
    index = names_of(catalogue)

    def resolved(schemas: tuple[str, ...]) -> NameResolution:
        return resolve(name.words, index, schemas=schemas, buckets=context.buckets, counter=context.counter)

    found = resolved((schema.name,) if schema is not None else ())
    if found.decision is NameDecision.NONE and schema is not None:
        found = resolved(())
    is_known = found.decision is not NameDecision.NONE
    documents = found.documents if is_known else titled(name.words, catalogue, schema)
    if not documents:
        raise UnknownNameError(name.words)
    is_one = found.decision is NameDecision.ONE or len(documents) == 1
    if is_one and not is_set:
        return documents
    if of_several or is_plural(name.words.casefold().rpartition(" ")[2]):
        return (*documents, *(each for each in found.sharing if each not in documents))
    raise AskBackError(which_document(question, name.words, documents))


def titled(words: str, catalogue: Catalogue, schema: SchemaEntry | None) -> tuple[DocumentEntry, ...]:
    """The documents in whose names all telling words stand, beside those for kinds of documents."""
    index = names_of(catalogue)
    places = ((each.start, each.end) for each in kind_names(catalogue).find(words))
    kinds = {singular(w) for start, end in places for w in words[start:end].casefold().split()}
    telling = [w for w in _words(words) if w not in STOP_WORDS and singular(w) not in kinds]
    if not telling:
        return ()
    rows = set.intersection(
        *({row for form in {w, singular(w)} for row in index.holders(form)[0].tolist()} for w in telling)
    )
    found = [index.entries[row] for row in sorted(rows)]
    return tuple(each for each in found if schema is None or each.schema == schema.name)


def plain_word(word: str) -> str:
    """A word in small letters, without marks around it and without a genitive."""
    return word.strip(".,;:?!'\"()“”’").casefold().removesuffix("'s").removesuffix("’s")


def _words(text: str) -> list[str]:
    return [*map(plain_word, text.split())]


def with_parties(
    parties: Sequence[PartyEntry], schema: SchemaEntry, field: str = "", *, is_denied: bool = False
) -> Formula | None:
    """The condition that a document of the schema is with one of some organisations.

    field: as which, where it is a field of an organisation. is_denied: it is not to hold, which the field
    that has all of them says, though it is not known who is which. None where there are none, or it names
    nobody.
    """
    entries = [each for each in schema.fields if each.type is FieldType.PARTY]
    of_all = [each.name for each in entries if each.many and is_denied]
    fields = of_all or [each.name for each in entries]
    fields = [field] if any(each.name == field for each in entries) else fields
    values = [party.normal for party in parties]
    ways = [Condition(field=name, op=Operator.EQUAL, value=each) for name in fields for each in values]
    return any_of(ways) if ways else None


class PartyIndex:
    """Organisations of a catalogue by the words of their names. Immutable."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._parties = catalogue.parties
        self._words: dict[str, set[int]] = defaultdict(set)
        self._first: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for at, party in enumerate(catalogue.parties):
            words = tuple(dict.fromkeys((*_words(party.name), *_words(party.normal))))
            for word in words:
                self._words[word].add(at)
            self._first[tuple(_words(party.normal))].append(at)

    def named(self, words: str) -> tuple[PartyEntry, ...]:
        """The organisations that have all words of a name; those that are called just so before others."""
        normal = tuple(_words(normal_name(words) or words))
        exact = self._first.get(normal, [])
        if exact:
            return tuple(self._parties[at] for at in exact)
        said = [word for word in normal if word not in STOP_WORDS] or list(normal)
        if not said or any(word not in self._words for word in said):
            return ()
        rows = sorted(set.intersection(*(self._words[word] for word in said)))
        begins = [at for at in rows if tuple(_words(self._parties[at].normal))[: len(normal)] == normal]
        return tuple(self._parties[at] for at in (begins or rows)[:_MOST_NAMESAKES])


_parties = once_for_each(PartyIndex)


def parties_named(words: str, catalogue: Catalogue) -> tuple[PartyEntry, ...]:
    """The organisations that words name; () where nobody is called so."""
    return _parties(catalogue).named(words)


def ids_of(documents: Sequence[DocumentEntry]) -> tuple[str, ...]:
    """Ids of documents, each once."""
    return tuple(dict.fromkeys(each.id for each in documents))


def is_name(words: str, catalogue: Catalogue, counter: TokenCounter | None = None) -> bool:
    """True where documents or an organisation are called by these words, one or several."""
    if parties_named(words, catalogue):
        return True
    found = resolve(words, names_of(catalogue), counter=counter)
    return found.decision is not NameDecision.NONE or bool(titled(words, catalogue, None))


def step_of(value: str, work: Compilation) -> str | None:
    """The step that a value refers to; None of a value itself, such as "$500"."""
    name = value[1:] if value[:1] == "$" else ""
    return name if name in work.results or name.isidentifier() else None


def compared_with_steps(name: str, read: ReadCondition, work: Compilation) -> Formula | None:
    """The comparison of a field with what steps come to; None where no value refers to one.

    Where a step asks for no field, the same of theirs is meant. Raises ReadingError.
    """
    op, values, words = read.op, read.values, read.words
    steps = [step_of(each, work) for each in values]
    if not any(each is not None for each in steps):
        return None
    if None in steps or op in (Operator.CONTAINS, Operator.MATCHES):
        raise ReadingError("A value of another step cannot be compared so.", "Compare it alone.", words=words)
    nodes = (value_node(each, work, wanted=name, words=words, op=op) for each in steps if each is not None)
    found = [Reference(node=each) for each in nodes]
    if op is Operator.BETWEEN and len(found) == 2:
        ends = zip((Operator.GREATER_EQUAL, Operator.LESS_EQUAL), found, strict=True)
        return Both(tuple(Condition(field=name, op=end, value=each) for end, each in ends))
    if op is Operator.NOT_EQUAL:
        return Both(tuple(Condition(field=name, op=op, value=each) for each in found))
    if op is Operator.IN and len(found) == 1:
        return Condition(field=name, op=op, value=found[0])
    if op in (Operator.EQUAL, Operator.IN):
        return any_of(Condition(field=name, op=Operator.EQUAL, value=each) for each in found)
    if len(found) > 1 or op is Operator.BETWEEN:
        raise ReadingError(
            f"{name} {op.value} is compared with {len(found)} values.", "Say one.", words=words
        )
    return Condition(field=name, op=op, value=found[0])


def value_node(
    name: str, work: Compilation, *, wanted: str = "", words: str = "", op: Operator = Operator.EQUAL
) -> str:
    """The node that gives the one value of an earlier step: of documents their asked field, looked up.

    wanted: the field that is meant where the step asks for none. Raises ReadingError.
    """
    result = work.result(name, words)
    if result.gives == "value":
        return result.node
    if result.gives == "documents" and result.schema is not None:
        named = _named(name, work, wanted)
        field = next((each for each in named if result.schema.field(each) is not None), "")
        if field:
            return _looked_up(result, field, work, words, op)
    if result.gives == "groups":
        node = next(each for each in work.steps.nodes if each.id == result.node)
        keys = node.group_by if isinstance(node, Aggregate) else ()
        if len(keys) == 1 and (result.schema is None or result.schema.field(keys[0]) is not None):
            return _looked_up(result, keys[0], work, words, op)
    if result.gives == "rows":
        return _of_rows(name, result, work, wanted, op, words)
    raise ReadingError(
        f"“{words or name}” comes to no single value.", "Ask for one of its fields.", words=words
    )


def _named(name: str, work: Compilation, wanted: str) -> list[str]:
    """The fields whose value a step may come to, the likeliest first."""
    step = work.step(name)
    asked = [each.name for each in step.asked[:1]] if step is not None else []
    by = step.order.field if step is not None and step.order is not None else None
    return [*asked, *filter(None, (wanted,)), *((by.name,) if by is not None else ())]


def _looked_up(result: StepResult, field: str, work: Compilation, words: str, op: Operator) -> str:
    key = (result.node, f"{op is Operator.IN}:{field}")
    known = work.looked_up.get(key)
    if known is not None:
        return known
    entry = result.schema.field(field.partition(".")[0]) if result.schema is not None else None
    title = entry.title.lower() if entry is not None else field
    is_party = entry is not None and entry.type is FieldType.PARTY
    asks = f"Who is the {title} in {{titles}}?" if is_party else f"What is the {title} of {{titles}}?"
    node = work.steps.hop(
        f"Read the {title} in them",
        result.node,
        field=field,
        template=asks if result.gives == "documents" else "",
        phrase=words,
        several=op is Operator.IN,
        reason="a later node needs this value",
    )
    work.looked_up[key] = node.id
    return node.id


def _of_rows(name: str, result: StepResult, work: Compilation, wanted: str, op: Operator, words: str) -> str:
    """The value that rows have in a column; of several the least for what is below, else the greatest."""
    keys = {each.key: each.type for table in work.context.catalogue.rows_by_sql for each in table.columns}
    column = next((each for each in map(column_key, _named(name, work, wanted)) if each in keys), "")
    if not column or keys[column] not in ORDERED:
        raise ReadingError(
            f"“{words or name}” comes to no amount, number or day.",
            "Compare with a column of amounts, numbers or days.",
            words,
        )
    function = Calculation.MIN if op in _BELOW else Calculation.MAX
    key = (result.node, f"{function.value}:{column}")
    if key not in work.looked_up:
        purpose = f"Find the {'lowest' if op in _BELOW else 'highest'} {column} of them"
        made = work.steps.aggregate(
            purpose, (result.node,), function, column, reason="a later node needs this value"
        )
        work.looked_up[key] = made.id
    return work.looked_up[key]
