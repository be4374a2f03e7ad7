"""Words of a reading that say just what things are called, and names that nothing is called by."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.encode.base import TokenCounter
from core.plan.catalogue import Catalogue
from core.plan.check.context import CheckContext, vocabulary
from core.plan.check.coverage import IDLE
from core.plan.compile.names import parties_named
from core.plan.ir.nodes import Join
from core.plan.names.index import names_of
from core.plan.names.resolve import NameDecision, resolve
from core.plan.reading import ReadCondition, ReadField, Reading, ReadName
from core.text.analyse import text_terms
from core.values.dates import month_number

_SURE_OF_NAME = 0.5
_LEAST_STEM = 5  # letters that two words of one stem share


def uncalled(reading: Reading, catalogue: Catalogue, counter: TokenCounter | None = None) -> str:
    """Words of a name that no document has which it may mean; "" where all are held.

    Codes and words in capitals tell documents apart ("the AS-700", "the Contoso lease"); others may describe.
    """
    index = names_of(catalogue)
    for step in reading.all_steps:
        for name in step.of_role("document"):
            if name.documents or name.described or name.negated:
                continue
            found = resolve(name.words, index, schemas=(step.kind,) if step.kind else (), counter=counter)
            if found.decision is NameDecision.NONE:
                found = resolve(name.words, index, counter=counter)
            if found.decision is NameDecision.NONE:
                continue
            lost = [_whole(name.words, start, end) for start, end in found.unheld]
            telling = [w for w in dict.fromkeys(lost) if w[:1].isupper() or any(map(str.isdigit, w))]
            if telling:
                return " ".join(telling)
    return ""


def is_called_so(context: CheckContext) -> bool:
    """True where each field is called by its own name, and its words say nothing else but values.

    Never of rows of two tables: that these go together is one thing more that has to be sure.
    """
    if any(isinstance(each, Join) for each in context.plan.nodes):
        return False
    names = [each.part for each in context.pieces if isinstance(each.part, ReadName)]
    parts = [(each.part, each.words) for each in context.pieces if not isinstance(each.part, ReadName)]
    fields = [(each.field if isinstance(each, ReadCondition) else each, words) for each, words in parts]
    own = [(each, words) for each, words in fields if isinstance(each, ReadField)]
    is_named = all(each.probability >= _SURE_OF_NAME for each in names)
    return is_named and bool(own) and all(_calls(each, words, context) for each, words in own)


def _calls(read: ReadField, words: str, context: CheckContext) -> bool:
    entry = context.field(read.name)
    known, said = vocabulary(entry), text_terms(words)
    called = {term for term in said if any(_is_alike(term, each) for each in known)}
    if entry is not None and entry.type is FieldType.PARTY and not called:
        return bool(parties_named(words, context.catalogue))
    values = [value for _, part in context.conditions if part.words == words for value in part.values]
    idle = [word for word in words.split() if word.strip(".,;").casefold() in IDLE]
    rest = said - called - text_terms(" ".join((*values, *idle))) - context.values
    return bool(called) and not any(term.isalpha() and not month_number(term) for term in rest)


def _is_alike(term: str, other: str) -> bool:
    """True of one term, and of "supplied" and "supplier"."""
    return term == other or (len(other) >= _LEAST_STEM and term[:_LEAST_STEM] == other[:_LEAST_STEM])


def _whole(text: str, start: int, end: int) -> str:
    """The word, between blanks, in which a place is."""
    first = text.rfind(" ", 0, start) + 1
    last = text.find(" ", end)
    return text[first : last if last >= 0 else len(text)].removesuffix("'s").removesuffix("’s")
