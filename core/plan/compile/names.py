"""Documents and organisations that words of a reading name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from core.cache import Cache
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.encode.base import TokenCounter
from core.plan.catalogue import Catalogue, DocumentEntry, PartyEntry, SchemaEntry
from core.plan.clarify import AskBackError, which_document
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.compile.formula import Formula, any_of
from core.plan.ir.nodes import Condition
from core.plan.kinds import kind_names
from core.plan.names.index import names_of
from core.plan.names.resolve import NameDecision, NameResolution, resolve
from core.plan.reading import ReadName
from core.text.analyse import STOP_WORDS
from core.text.nouns import is_plural, singular
from core.values.names import normal_name

_MOST_NAMESAKES = 12


class UnknownNameError(ReadingError):
    """Nothing that may be seen is called so. The text may still speak of it."""

    def __init__(self, words: str) -> None:
        super().__init__(
            f"Nothing that you may see is called “{words}”.",
            next_step="Ask without the name, or look in Documents for how it is called.",
            words=words,
        )


def documents_named(
    name: ReadName, context: CompileContext, schema: SchemaEntry | None, question: str, *, of_several: bool
) -> tuple[DocumentEntry, ...]:
    """The documents that words name. of_several: all that share the name may be meant.

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
    if is_one or of_several or is_plural(name.words.casefold().rpartition(" ")[2]):
        return documents
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


_indexes: Cache[str, PartyIndex] = Cache(8)


def parties_named(words: str, catalogue: Catalogue) -> tuple[PartyEntry, ...]:
    """The organisations that words name; () where nobody is called so."""
    key = catalogue.fingerprint
    index = _indexes.get_or_make(key, lambda: PartyIndex(catalogue)) if key else PartyIndex(catalogue)
    return index.named(words)


def ids_of(documents: Sequence[DocumentEntry]) -> tuple[str, ...]:
    """Ids of documents, each once."""
    return tuple(dict.fromkeys(each.id for each in documents))


def is_name(words: str, catalogue: Catalogue, counter: TokenCounter | None = None) -> bool:
    """True where documents or an organisation are called by these words, one or several."""
    if parties_named(words, catalogue):
        return True
    found = resolve(words, names_of(catalogue), counter=counter)
    return found.decision is not NameDecision.NONE or bool(titled(words, catalogue, None))
