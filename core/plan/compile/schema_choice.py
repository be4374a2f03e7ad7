"""Choice of the kind of document that a step is about, by all that it says."""

from __future__ import annotations

import re
from collections import defaultdict

from core.plan.catalogue import SchemaEntry
from core.plan.compile.context import Compilation, ReadingError
from core.plan.compile.kinds import FoundKind, KindName, elected, kind_names
from core.plan.compile.names import parties_named, titled
from core.plan.reading import Step
from core.text.nouns import singular
from core.values.numbers import ONES, TENS

_KIND_VOTE = 2.0
_NAME_VOTE = 1.0
_BEFORE_NOUNS = frozenset(("which", "what", "many", "a", "an", "the", "this", "that", "each", "every", "any"))
_BEFORE_NOUNS |= {"no", "our", "my", "your", "their", "its", "all", "some", "of", "another", "one", "per"}
_BEFORE_VERBS = frozenset(("i", "we", "you", "they", "to", "please", "and"))
_WORD = re.compile(r"\w+")


def chosen_schema(step: Step, work: Compilation) -> SchemaEntry | None:
    """The schema that a step is about; None for documents of any kind. Raises ReadingError."""
    catalogue = work.context.catalogue
    if step.kind:
        found = catalogue.schema(step.kind)
        if found is None:
            known = ", ".join(each.name for each in catalogue.schemas if each.documents)
            raise ReadingError(f"There is no kind {step.kind!r}.", f"Name one of: {known}.")
        return found
    for name in (*step.within, *(each.described for each in step.names if each.role == "document")):
        inner = work.results.get(name)
        if inner is not None and inner.schema is not None:
            return inner.schema
    votes = _votes_of_fields(step, work)
    for each in _kinds_said(step, work):
        if each.schema:
            votes[each.schema] += _KIND_VOTE
    for named in step.of_role("document"):
        for id in named.documents:
            entry = catalogue.document(id)
            if entry is not None and entry.schema:
                votes[entry.schema] += _NAME_VOTE
    if not votes:
        _vote_by_names(step, work, votes)
    return elected(votes, catalogue)


def _votes_of_fields(step: Step, work: Compilation) -> dict[str, float]:
    catalogue = work.context.catalogue
    votes: dict[str, float] = defaultdict(float)
    held = {each.name for each in catalogue.schemas if each.documents}
    for each in step.fields:
        own = [each.schema_name] if each.schema_name else []
        names = own or [s.name for s in catalogue.schemas if s.field(each.name)]
        if not names:
            raise ReadingError(
                f"No kind of document has a field {each.name!r}.",
                "Use fields of the catalogue, or search the text.",
                words=each.words,
            )
        for name in names:
            votes[name] += each.probability / len(names) * (1.0 if name in held or not held else 0.5)
    return votes


def _kinds_said(step: Step, work: Compilation) -> list[KindName]:
    kinds = kind_names(work.context.catalogue)
    if not step.of_role("kind"):
        return unmarked_kinds(step, work)
    return [kind for each in step.of_role("kind") if (kind := kinds.of(each.words)) is not None]


def _vote_by_names(step: Step, work: Compilation, votes: dict[str, float]) -> None:
    """Votes of the fields that organisations stand in, and of documents that are called as a kind is."""
    catalogue = work.context.catalogue
    for name in step.of_role("party"):
        for party in parties_named(name.words, catalogue):
            for schema, _ in party.fields:
                votes[schema] += 1.0
    for name in step.of_role("kind") if not votes else ():
        for document in titled(name.words, catalogue, None):
            if document.schema:
                votes[document.schema] += 1.0


def unmarked_kinds(step: Step, work: Compilation) -> list[KindName]:
    """Kinds that the question names outside of what the reading took: "how many contracts"."""
    reading = work.reading
    if reading.by == "person" or (reading.by == "trained" and step is not reading):
        return []
    text = reading.question
    taken = [
        *(each.words for each in step.conditions),
        *(each.words for each in step.names),
        *(each.words for each in (*step.asked, *step.groups)),
        *((step.order.words,) if step.order is not None else ()),
    ]
    for words in sorted(filter(None, taken), key=len, reverse=True):
        text = text.replace(words, " · ", 1)
    found = kind_names(work.context.catalogue).find(text)
    return [each.kind for each in found if _is_noun(text, each)]


def _is_noun(text: str, found: FoundKind) -> bool:
    """True of what stands as a noun: in the plural, or behind an article, a number, "which" or "how many".

    "Order all of them" and "please bill" name no documents.
    """
    words = _WORD.findall(text[found.start : found.end].casefold())
    if words and singular(words[-1]) != words[-1]:
        return True
    before = _WORD.findall(text[: found.start].casefold())[-2:]
    if before[-1:] and before[-1] in _BEFORE_VERBS:
        return False
    return any(each in _BEFORE_NOUNS or each.isdigit() or each in ONES or each in TENS for each in before)
