"""The JSON of datasets and of queries over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from core.domain.rows.dataset import Dataset, DatasetColumn, PossibleJoin
from core.domain.wire.shapes import Envelope, Moment, Shape


class DatasetColumnShape(Shape):
    """A column: by its name in SQL, and as the file writes it."""

    name: str
    head: str
    type: str
    unit: str
    currency: str
    filled: int
    distinct: int
    is_key: bool
    least: str
    greatest: str
    examples: tuple[str, ...]

    @classmethod
    def of_column(cls, column: DatasetColumn) -> Self:
        """The shape of a column."""
        return cls.model_validate({name: getattr(column, name) for name in cls.model_fields})


class DatasetRow(Shape):
    """A dataset in a list. table: its name in SQL. state: ready, changed (its file), missing, removed.

    files: ids of those that are asked as one, by the name in SQL; () of one file.
    """

    id: str
    name: str
    table: str
    source: str
    sheet: str
    bucket: str
    version: int
    rows: int
    state: str
    registered_at: Moment
    columns: tuple[dict[str, str], ...]
    problems: int
    files: tuple[str, ...] = ()

    @classmethod
    def of_dataset(cls, dataset: Dataset) -> Self:
        """The shape of a dataset."""
        return cls.model_validate(
            {
                **_plain(dataset, cls),
                "columns": [{"name": each.name, "type": each.type} for each in dataset.columns],
                "problems": len(dataset.problems),
            }
        )


class DatasetProblemShape(Shape):
    """Something of the file that was not as it should be."""

    text: str
    column: str
    rows: tuple[int, ...]


class DatasetJoin(Shape):
    """A column of another dataset that shares values with one of this one."""

    column: str
    dataset: str
    table: str
    other: str
    share: float


class DatasetApart(Shape):
    """Another dataset with most of its columns, and what keeps the two from being one."""

    dataset: str
    table: str
    reason: str


class DatasetRecord(DatasetRow):
    """A dataset with all that is known of it."""

    columns: tuple[DatasetColumnShape, ...]  # type: ignore[assignment]
    problems: tuple[DatasetProblemShape, ...]  # type: ignore[assignment]
    joins: tuple[DatasetJoin, ...] = ()
    apart: tuple[DatasetApart, ...] = ()

    @classmethod
    def of_whole(
        cls, dataset: Dataset, joins: list[PossibleJoin], apart: Sequence[tuple[Dataset, str]] = ()
    ) -> Self:
        """The shape of a dataset with its columns, problems, possible joins, and those that stay apart."""
        return cls.model_validate(
            {
                **_plain(dataset, DatasetRow),
                "columns": list(map(DatasetColumnShape.of_column, dataset.columns)),
                "problems": dataset.problems,
                "joins": joins,
                "apart": [
                    {"dataset": other.id, "table": other.table, "reason": said} for other, said in apart
                ],
            }
        )


class SourceRow(Shape):
    """A source row of a row of a result. row: in the source; result: in the result, both from 1.

    Of fields of a document row is 0, or the number of a value; quote: the first words of the document that it
    rests on, with their place.
    """

    row: int
    dataset: str
    source: str
    result: int
    quote: str = ""
    version: int = 0
    page: int = 0
    start: int = 0
    end: int = 0


class QueryResult(Envelope):
    """Rows of a query. sql: as it was run. sources: at most 200 of a row; `source_rows` counts them all.

    notes: what is to be known of it besides, in sentences.
    """

    sql: str
    columns: tuple[dict[str, str], ...]
    rows: tuple[tuple[Any, ...], ...]
    sources: tuple[SourceRow, ...]
    source_rows: tuple[int, ...]
    is_cut: bool
    seconds: float
    notes: tuple[str, ...] = ()


def _plain(dataset: Dataset, shape: type[DatasetRow]) -> dict[str, Any]:
    left_out = ("columns", "problems", "files")
    found = {name: getattr(dataset, name) for name in shape.model_fields if name not in left_out}
    return {**found, "files": tuple(str(each.id) for each in dataset.files)}
