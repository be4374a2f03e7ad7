"""A suite for any home: cases whose right answers code knows, from its own cells and pages.

Cells count where a reviewer decided them, or where extraction did and is not in doubt: such cases measure how
questions are read, computed and found, not extraction. The same home gives the same cases.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any

from core.config.fields import KIND, Schema
from core.domain.fields import Cell, CellStatus, FieldType, Special, TypedValue
from core.domain.matrix import Matrix
from core.evaluate.scoring import file_name
from core.evaluate.suite import AnswerShape, Case
from core.text.sentences import split_sentences

LOOKUPS, COUNTS, LACKS, GROUPS, SEARCHES = 40, 20, 20, 10, 40
"""Most cases of each kind."""

_SURE = 0.9
_WORDS, _RARE = (8, 60), 6  # of a sentence that is searched for; of these the rarest are asked
_LONG = 4
_VALUES = frozenset({FieldType.MONEY, FieldType.DATE, FieldType.NUMBER, FieldType.PARTY, FieldType.ENUM})


@dataclass(frozen=True, slots=True)
class HomePage:
    """A stored page, of which a sentence may be searched for."""

    source: str
    page: int
    text: str


def home_cases(
    schemas: Sequence[Schema],
    matrix: Matrix,
    pages: Iterable[HomePage],
    frequencies: Callable[[Sequence[str]], Sequence[int]],
    *,
    is_whole: bool = True,
) -> tuple[Case, ...]:
    """The cases of a home. frequencies: in how many passages each word stands; pages: in any order.

    is_whole: False where the matrix has only some of the documents, so that nothing can be counted.
    """
    rows = _rows(matrix)
    named = _files(matrix)
    files = _lone_files(matrix, named)
    found: list[Case] = [*islice(_lookups(schemas, rows, files), LOOKUPS)]
    counts, lacks, groups = [], [], []
    for schema in schemas if is_whole else ():
        scope = {id: cells for id, cells in rows.items() if _is_of(schema, cells)}
        counts += list(_counts(schema, scope))
        lacks += list(_lacks(schema, scope, named))
        groups += list(_groups(schema, scope))
    found += [*_some(counts, COUNTS), *_some(lacks, LACKS), *_some(groups, GROUPS)]
    found += islice(_searches(pages, frozenset(files.values()), frequencies), SEARCHES)
    return tuple({(each.question.casefold(), each.bucket): each for each in found}.values())


def _rows(matrix: Matrix) -> dict[str, dict[str, Cell]]:
    found: dict[str, dict[str, Cell]] = {str(each.id): {} for each in matrix.documents}
    for cell in matrix.cells:
        found[str(cell.document)][cell.field] = cell
    return found


def _files(matrix: Matrix) -> dict[str, str]:
    """File names by document."""
    return {str(each.id): file_name(str(each.id), {str(each.id): each.source}) for each in matrix.documents}


def _lone_files(matrix: Matrix, names: Mapping[str, str]) -> dict[str, str]:
    """Of the file names those that no other document has or has as a part of its own."""
    shown = Counter(each.name.casefold() for each in matrix.documents)
    lone = {str(each.id) for each in matrix.documents if shown[each.name.casefold()] == 1}
    many = Counter(names.values())
    words = {id: frozenset(_stem(name).split()) for id, name in names.items()}
    return {
        id: name
        for id, name in names.items()
        if many[name] == 1 and id in lone and sum(words[id] <= others for others in words.values()) == 1
    }


def _stem(file: str) -> str:
    """A file name as a question says it."""
    return re.sub(r"[-_\s]+", " ", file.rsplit(".", 1)[0])


def is_known(cell: Cell) -> bool:
    """True where a person decided a cell, or extraction did and is sure."""
    if cell.review is not None:
        return not cell.review.check_again
    finding = cell.finding
    return finding.status in (CellStatus.PRESENT, CellStatus.ABSENT) and finding.confidence >= _SURE


def _is_of(schema: Schema, cells: Mapping[str, Cell]) -> bool:
    """True of a document that the schema's word counts: of a kind that it counts, where it tells kinds."""
    own = [each.name for each in schema.fields if each.name != KIND]
    if not any(name in cells for name in own[:3]):
        return False
    kind = cells.get(KIND)
    told = kind.finding.values[0].text if kind is not None and kind.finding.values else ""
    return not schema.counts or told in schema.counts


def _lookups(
    schemas: Sequence[Schema], rows: Mapping[str, Mapping[str, Cell]], files: Mapping[str, str]
) -> Iterator[Case]:
    titles = {
        each.name: each.title
        for schema in schemas
        for each in schema.fields
        if not each.many and each.name != KIND
    }
    cells = [cell for id in files for cell in rows[id].values() if cell.field in titles]
    for cell in sorted(cells, key=lambda each: _mark(str(each.document), each.field)):
        value = _value(cell)
        if value is not None:
            name = _stem(files[str(cell.document)])
            yield _case(
                AnswerShape.LOOKUP,
                f"What is the {titles[cell.field].lower()} of {name}?",
                {"documents": [files[str(cell.document)]], "value": value},
                f"The cell {cell.field} of {files[str(cell.document)]}.",
            )


def _value(cell: Cell) -> dict[str, Any] | None:
    """The one sure value of a cell as a case has it; None where it has none that can be compared."""
    values = cell.finding.values
    if not is_known(cell) or len(values) != 1 or values[0].type not in _VALUES:
        return None
    value: TypedValue = values[0]
    if value.special is not Special.NONE or not value.text.strip() or len(value.text) > 120:
        return None
    if value.type in (FieldType.MONEY, FieldType.NUMBER):
        if value.type is FieldType.MONEY and not re.fullmatch("[A-Z]{3}", value.unit):
            return None
        return {"type": value.type.value, "value": str(Decimal(value.text)), "unit": value.unit or None}
    kind = "date" if value.type is FieldType.DATE else "text"
    return {"type": kind, "value": value.text}


def _clauses(
    schema: Schema, scope: Mapping[str, Mapping[str, Cell]]
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Title of each clause that every document of the scope is sure about, and who has and who lacks it."""
    for field in schema.fields:
        cells = {id: each[field.name] for id, each in scope.items() if field.name in each}
        if (
            field.type is not FieldType.BOOLEAN
            or len(cells) != len(scope)
            or not all(map(is_known, cells.values()))
        ):
            continue
        has = [id for id, cell in cells.items() if cell.finding.status is CellStatus.PRESENT]
        lacks = [id for id, cell in cells.items() if cell.finding.status is CellStatus.ABSENT]
        if has and lacks and len(has) + len(lacks) == len(cells):
            yield field.title.lower(), has, lacks


def _counts(schema: Schema, scope: Mapping[str, Mapping[str, Cell]]) -> Iterator[Case]:
    for title, has, _ in _clauses(schema, scope):
        yield _case(
            AnswerShape.COUNT,
            f"How many {schema.title.lower()} have a clause on {title}?",
            {"value": {"type": "number", "value": str(len(has))}},
            f"Cells of {len(scope):,} documents, each of them decided and sure.",
        )


def _lacks(
    schema: Schema, scope: Mapping[str, Mapping[str, Cell]], files: Mapping[str, str]
) -> Iterator[Case]:
    for title, _, lacks in _clauses(schema, scope):
        if len({files[id] for id in lacks}) < len(lacks):
            continue  # two of one name: no case can tell them apart
        yield _case(
            AnswerShape.LACK,
            f"Which {schema.title.lower()} lack a clause on {title}?",
            {"documents": sorted(files[id] for id in lacks)},
            f"Cells of {len(scope):,} documents, each of them decided and sure.",
        )


def _groups(schema: Schema, scope: Mapping[str, Mapping[str, Cell]]) -> Iterator[Case]:
    for field in schema.fields:
        cells = [each[field.name] for each in scope.values() if field.name in each]
        values = [cell.finding.values[0].text for cell in cells if is_known(cell) and cell.finding.values]
        groups = Counter(values)
        if field.type not in (FieldType.PARTY, FieldType.ENUM, FieldType.TEXT) or field.many:
            continue
        if len(values) == len(scope) and 1 < len(groups) <= 20 and max(map(len, groups)) <= 60:
            yield _case(
                AnswerShape.GROUP,
                f"How many {schema.title.lower()} are there for each {field.title.lower()}?",
                {"groups": [[key, str(count), None] for key, count in sorted(groups.items())]},
                f"Cells of {len(scope):,} documents, each of them decided and sure.",
            )


def _searches(
    pages: Iterable[HomePage],
    files: Collection[str],
    frequencies: Callable[[Sequence[str]], Sequence[int]],
) -> Iterator[Case]:
    """Sentences of pages, asked by their rarest words; of each file one."""
    seen: set[str] = set()
    for page in sorted(pages, key=lambda each: _mark(each.source, str(each.page))):
        file = file_name(page.source, {})
        sentence = _sentence(page.text)
        if file in seen or file not in files or not sentence:
            continue
        words = list(dict.fromkeys(re.findall(rf"[^\W\d_]{{{_LONG},}}", sentence)))
        known = sorted(zip(frequencies(words), words, strict=True))
        rare = {word for count, word in known if count}
        asked = [word for _, word in known if word in rare][:_RARE]
        if len(asked) == _RARE:
            seen.add(file)
            yield _case(
                AnswerShape.RETRIEVAL,
                " ".join(word for word in words if word in asked),
                {"pages": [[file, page.page]]},
                f"The rarest words of a sentence on page {page.page}.",
            )


def _sentence(text: str) -> str:
    """The sentence of a page that its hash chooses; "" where none has words enough."""
    least, most = _WORDS
    found = [text[start:end] for start, end in split_sentences(text)]
    fit = [each for each in found if least <= len(each.split()) <= most]
    return min(fit, key=_mark, default="")


def _some(cases: Sequence[Case], most: int) -> list[Case]:
    return sorted(cases, key=lambda each: _mark(each.question))[:most]


def _case(shape: AnswerShape, question: str, expect: Mapping[str, Any], why: str) -> Case:
    id = f"{shape.value.replace('_', '-')}-{_mark(question)[:10]}"
    return Case.model_validate(
        {
            "id": id,
            "shape": shape,
            "question": question,
            "expect": {"status": "answered", **expect},
            "why": why,
        }
    )


def _mark(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
