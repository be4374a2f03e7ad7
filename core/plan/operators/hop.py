"""Hop: the one value that a later node needs, out of cells or, where no cell states it, out of the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.domain.answer import Citation, Value
from core.domain.document import DocumentSummary
from core.domain.fields import Cell, CellStatus, Quote, TypedValue
from core.domain.ids import DocumentId
from core.domain.results import Documents, FoundValue, Groups, Result, Stopped
from core.domain.search import SearchQuery
from core.domain.span import PageSpan
from core.plan.ir.nodes import Hop
from core.plan.operators.base import OperatorParts, cited, documents_of, runs
from core.plan.operators.title_hops import follow_titles
from core.search.sentences import ScoredSentence, rank_sentences
from core.store.cells.field_rows import key_of
from core.text.analyse import analyse

MOST_OPTIONS = 10
NO_VALUE = "\N{EMPTY SET}"
"""What a condition is held against where nothing was found that states a value: no cell says it."""
_Stating = tuple[ScoredSentence, Sequence[Value]]
_TOP_K = 20
_PASSAGES = 20
_SENTENCES = 3  # that are looked at for a value, best first
_STATING = 0.5  # of the best score: a sentence that scores less says nothing of what was asked


@runs(Hop)
def hop(node: Hop, inputs: Mapping[str, Result], parts: OperatorParts) -> FoundValue | Documents | Stopped:
    """The value, or what it could be, or why there is none; documents where titles are followed."""
    if node.follow:
        return follow_titles(inputs, parts)
    groups = next((each for each in inputs.values() if isinstance(each, Groups)), None)
    if groups is not None and (not node.field or node.field in (groups.field, *groups.group_by)):
        return _of_groups(node, groups)
    ids = _documents(inputs)
    if node.field and ids:
        found = _of_cells(node, ids, parts)
        if found is not None:
            return found
    if node.several and not ids:
        return FoundValue(kind="text", text="", field=node.field, options=(NO_VALUE,))
    if node.template:
        return _of_text(node, ids, inputs, parts)
    what = node.field or "the value"
    where = "No document was found that could state it." if not ids else "None of what was found states it."
    return Stopped(
        node=node.id,
        reason=f"{what!r} is needed. {where}" if node.field else f"A value is needed. {where}",
        next_step="Say the value itself, or where it stands.",
        is_question=True,
    )


def _written(values: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Texts with their units, as conditions write them."""
    return tuple(f"{text} {unit}".strip() for text, unit in values)


def _documents(inputs: Mapping[str, Result]) -> list[str]:
    """Those present in what was taken in, in order, each once."""
    found: dict[str, None] = {}
    for result in inputs.values():
        documents = documents_of(result)
        if documents is not None:
            found.update(dict.fromkeys(documents.order or sorted(documents.present)))
    return list(found)


def _of_groups(node: Hop, groups: Groups) -> FoundValue | Stopped:
    """The value of the only group, or what the only group is called."""
    is_key = node.field in groups.group_by
    at = groups.group_by.index(node.field) if is_key else 0
    stated = [group for group in groups.groups if group.value is not None]
    texts = {(group.key[at], "") if is_key else (group.value or "", group.unit) for group in stated}
    if len(texts) != 1 and not (node.several and texts):
        return _ambiguous(node, _written(sorted(texts)))
    every = sorted(texts)
    kind = "text" if is_key else groups.value_type
    options = _written(every) if len(every) > 1 else ()
    return FoundValue(
        kind=kind, text=every[0][0], unit=every[0][1], field=node.field or groups.field, options=options
    )


def _of_cells(node: Hop, ids: Sequence[str], parts: OperatorParts) -> FoundValue | Stopped | None:
    """Value that the cells state; None where none of them does."""
    cells = parts.cells(ids, [node.field])
    stating = [
        cell for cell in cells.values() if cell.finding.status is CellStatus.PRESENT and not _is_open(cell)
    ]
    values: dict[tuple[str, str, str], TypedValue] = {}
    for cell in stating:
        for value in cell.finding.values:
            if not value.special:
                values.setdefault((value.type.value, key_of(value), value.unit), value)
    if not values:
        return None
    if len(values) > 1 and node.template and not node.phrase:
        told = _of_text(node, ids, {}, parts)
        if isinstance(told, FoundValue) and any(value.text == told.text for value in values.values()):
            return told
    written = _written((value.text, value.unit) for value in values.values())
    if len(values) > 1 and not node.several:
        return _ambiguous(node, written)
    value = next(iter(values.values()))
    known = parts.summaries({str(cell.document) for cell in stating})
    return FoundValue(
        kind=value.type.value,
        text=value.text,
        unit=value.unit,
        field=node.field,
        citations=tuple(_citations(stating, known)),
        options=written if len(written) > 1 else (),
    )


def _is_open(cell: Cell) -> bool:
    return cell.review is not None and cell.review.check_again


def _citations(cells: Iterable[Cell], known: Mapping[str, DocumentSummary]) -> Iterable[Citation]:
    number = 0
    for cell in sorted(cells, key=lambda each: each.document):
        summary = known.get(str(cell.document))
        for quote in cell.finding.spans[:1] if summary is not None else ():
            assert summary is not None
            number += 1
            yield cited(number, cell.document, cell.version, quote, summary.name, summary.source)


def _of_text(
    node: Hop, ids: Sequence[str], inputs: Mapping[str, Result], parts: OperatorParts
) -> FoundValue | Stopped:
    """Ask the template of the text of the documents, or of all where none were taken in."""
    known = parts.summaries(ids)
    earlier = next((each for each in inputs.values() if isinstance(each, FoundValue)), None)
    question = node.template.replace("{titles}", ", ".join(known[id].title for id in ids if id in known))
    question = question.replace("{value}", f"{earlier.text} {earlier.unit}".strip() if earlier else "")
    asked = tuple(DocumentId(id) for id in ids)
    query = SearchQuery(text=question, top_k=_TOP_K, documents=asked, resolve=not asked)
    found = parts.finder.retrieve(query, parts.visible)
    ranked = rank_sentences(found.analysis, found.candidates, passages=_PASSAGES)
    best = max((each.score for each in ranked), default=0.0)
    stating = [
        (sentence, values)
        for sentence in ranked
        if sentence.score >= _STATING * best and (values := parts.values(question, sentence.text))
    ][:_SENTENCES]
    distinct: dict[tuple[str, str, str], tuple[Value, ScoredSentence]] = {}
    for sentence, values in _own(node.field, stating):
        for value in values:
            distinct.setdefault((value.type, value.value, value.unit or ""), (value, sentence))
    if len(distinct) == 1:
        ((value, sentence),) = distinct.values()
        return FoundValue(
            kind=value.type,
            text=value.value,
            unit=value.unit or "",
            field=node.field,
            citations=(_of_sentence(sentence),),
        )
    if distinct:
        return _ambiguous(node, _written((text, unit) for _, text, unit in distinct))
    return Stopped(
        node=node.id,
        reason=f"No value was found for: {question}",
        next_step="Say the value itself, or where it stands.",
        is_question=True,
    )


def _own(name: str, stating: Sequence[_Stating]) -> Sequence[_Stating]:
    """Of sentences with values, those that say most words of the field: what a limit is on stands beside it.

    "The liability cap may be at most $500,000" states a cap; "contracts above $100,000" only a value.
    """
    wanted = set(analyse(name.replace("_", " ")))
    if not wanted or len(stating) < 2:
        return stating
    shared = [len(wanted & set(analyse(sentence.text))) for sentence, _ in stating]
    return [each for each, count in zip(stating, shared, strict=True) if count == max(shared)]


def _of_sentence(sentence: ScoredSentence) -> Citation:
    text, at = sentence.text.strip(), sentence.span
    start = at.start + len(sentence.text) - len(sentence.text.lstrip())
    quote = Quote(PageSpan(at.page_no, start, start + len(text)), text)
    stored = sentence.candidate.stored
    return cited(1, sentence.document, sentence.version, quote, stored.name, stored.source)


def _ambiguous(node: Hop, options: Sequence[str]) -> Stopped:
    shown = tuple(dict.fromkeys(options))
    what = f"{node.field!r}" if node.field else "The value"
    if not shown:
        reason = f"{what} is needed, and nothing that was found states it."
    else:
        more = f", and {len(shown) - MOST_OPTIONS} more" if len(shown) > MOST_OPTIONS else ""
        reason = f"{what} could be any of {len(shown)}: {', '.join(shown[:MOST_OPTIONS])}{more}."
    return Stopped(
        node=node.id,
        reason=reason,
        next_step="Choose the one that is meant." if shown else "Say the value itself.",
        options=shown[:MOST_OPTIONS],
        is_question=True,
    )
