"""Results of simple formulas, for workbooks whose writer stored none: sums, means, products, rounding, IF.

Of the libraries for it `formulas` brings scipy and `pycel` networkx, and both compile the whole workbook
again; what exports leave out are totals. openpyxl tells the tokens, Python has the same operators.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Place = tuple[int, int]
"""Row and column, both from 1."""

_DEEPEST = 50  # formulas that rest on one another and were not met in the order of the sheet
_LAST = 1 << 20
_LONGEST = 8_192  # characters, as spreadsheet programs have it
_BUDGET = 5_000_000  # cells of areas and characters of formulas of a workbook: some seconds
_REFERENCE = re.compile(
    r"(?:'?(?P<sheet>[^!]+?)'?!)?\$?(?P<c1>[A-Z]{1,3})?\$?(?P<r1>\d{1,7})?"
    r"(?P<area>:\$?(?P<c2>[A-Z]{1,3})?\$?(?P<r2>\d{1,7})?)?"
)
_OPERATORS = {"=": "==", "<>": "!=", "^": "**", "%": "/100.0", **{each: each for each in "+-*/<>()"}}
_OPERATORS |= {"<=": "<=", ">=": ">=", ",": ",", "TRUE": "True", "FALSE": "False"}


class Formula(str):
    """The text of a formula, with "=" before it."""

    __slots__ = ()


class UnknownResultError(Exception):
    """A formula that is not of the simple kind, or rests on a cell that has no result."""


@dataclass(slots=True)
class Formulas:
    """Values of cells by sheet and place, or their formulas; each of these is computed once."""

    cells: Mapping[str, Mapping[Place, object]]
    _results: dict[tuple[str, Place], object] = field(default_factory=dict)
    _depth: int = 0
    _budget: int = _BUDGET

    def result(self, sheet: str, place: Place) -> object:
        """The value of a cell; None for an empty one. Raises UnknownResultError."""
        value = self.cells.get(sheet, {}).get(place)
        if not isinstance(value, Formula):
            return value
        key = (sheet, place)
        if key not in self._results:
            self._results[key] = UnknownResultError  # what rests on itself has no result
            self._depth += 1
            try:
                if self._depth <= _DEEPEST:
                    self._results[key] = self._computed(sheet, value)
            finally:
                self._depth -= 1
        if self._results[key] is UnknownResultError:
            raise UnknownResultError
        return self._results[key]

    def _computed(self, sheet: str, formula: str) -> object:
        def area(text: str) -> object:
            return self._area(text, sheet)

        try:
            self._spend(len(formula))
            functions = {"__builtins__": {}, "area": area, "figure": _figure, **_FUNCTIONS}
            value = eval(_compiled(formula), functions)
        except (
            ArithmeticError,
            ValueError,
            TypeError,
            LookupError,
            SyntaxError,
            RecursionError,
            MemoryError,
            UnknownResultError,
        ):
            return UnknownResultError
        return value if isinstance(value, int | float | str) else UnknownResultError

    def _spend(self, steps: int) -> None:
        self._budget -= steps
        if self._budget < 0:
            raise UnknownResultError

    def _area(self, text: str, own: str) -> object:
        """The values of the cells that a reference names; that of a single cell, 0 where it is empty."""
        found = _REFERENCE.fullmatch(text)
        sheet = (found["sheet"] or own).replace("''", "'") if found else ""
        if found is None or sheet not in self.cells or not (found["c1"] or found["r1"]):
            raise UnknownResultError
        r1, r2 = _ends(found["r1"], found["r2"], int)
        c1, c2 = _ends(found["c1"], found["c2"], column_number)
        if not found["area"]:
            value = self.result(sheet, (r1, c1))
            return 0.0 if value is None else _number(value)
        size, filled = (r2 - r1 + 1) * (c2 - c1 + 1), self.cells[sheet]
        self._spend(min(size, len(filled)))
        if size <= len(filled):
            inside = [(row, column) for row in range(r1, r2 + 1) for column in range(c1, c2 + 1)]
        else:
            inside = [each for each in filled if r1 <= each[0] <= r2 and c1 <= each[1] <= c2]
        return [_number(self.result(sheet, each)) for each in inside]


def _compiled(formula: str) -> Any:
    """A formula as code, in which signs stand between floats alone: whole numbers and texts may grow large.

    Raises UnknownResultError, SyntaxError, RecursionError.
    """
    tree = ast.parse(_source(formula), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp):
            node.left, node.right = _as_figure(node.left), _as_figure(node.right)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            raise UnknownResultError  # to Python `a = b = c` is something else
    return compile(ast.fix_missing_locations(tree), "<formula>", "eval")


def _as_figure(node: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("figure", ast.Load()), [node], [])


def _figure(value: object) -> float:
    if not isinstance(value, int | float):
        raise UnknownResultError
    return float(value)


def tokens_of(formula: str) -> list[Any]:
    """The tokens of a formula. Raises UnknownResultError where it is damaged or far too long."""
    from openpyxl.formula import Tokenizer
    from openpyxl.formula.tokenizer import TokenizerError

    if len(formula) > _LONGEST:
        raise UnknownResultError
    try:
        return list(Tokenizer(formula).items)
    except (TokenizerError, LookupError) as error:
        raise UnknownResultError from error


def _source(formula: str) -> str:
    """A formula as Python: nothing of it but numbers, quoted text, known operators and known functions.

    Raises UnknownResultError for any other part.
    """
    tokens = tokens_of(formula)
    signs = [each.value + each.type[8:12] for each in tokens if each.type.startswith("OPERATOR")]
    if _binds_unlike_python(signs):
        raise UnknownResultError
    words = []
    for token in tokens:
        if token.type == "FUNC" and token.subtype == "OPEN" and token.value[:-1].upper() in _FUNCTIONS:
            words.append(token.value.upper())
        elif token.subtype == "NUMBER":
            words.append(repr(float(token.value)))
        elif token.subtype == "TEXT":
            words.append(repr(token.value[1:-1].replace('""', '"')))
        elif token.subtype == "RANGE":
            words.append(f"area({token.value!r})")
        elif token.type != "WHITE-SPACE":
            words.append(_OPERATORS.get(token.value, ""))
            if not words[-1]:
                raise UnknownResultError
    return "".join(words)


def _binds_unlike_python(signs: list[str]) -> bool:
    """True where a sheet takes powers from the left, or a minus or per cent before anything else."""
    powers = signs.count("^-INF")
    return (powers > 0 and (powers > 1 or "--PRE" in signs)) or (
        "%-POS" in signs and (powers > 0 or "/-INF" in signs)
    )


def _ends(first: str | None, last: str | None, read: Callable[[str], int]) -> tuple[int, int]:
    """First and last of a reference; all of them where it names none: the rows of "B:B"."""
    one = read(first) if first else 1
    return one, read(last) if last else one if first else _LAST


def column_number(letters: str) -> int:
    """A column from 1: "AA" is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _number(value: object) -> object:
    """Numbers as floats: a text times one of them is an error and no longer text."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _figures(parts: tuple[object, ...]) -> list[float]:
    """The numbers among values and areas; words and blanks do not count."""
    values = [each for part in parts for each in (part if isinstance(part, list) else [part])]
    return [each for each in values if isinstance(each, float)]


def _mean(*parts: object) -> float:
    told = _figures(parts)
    return sum(told) / len(told)


def _rounded(figure: float, places: float = 0.0) -> float:
    """Halves away from zero, as a sheet rounds."""
    scale = 10.0 ** int(places)
    return int(abs(figure) * scale + 0.5 + 1e-9) / scale * (1 if figure >= 0 else -1)


def _subtotal(kind: float, *parts: object) -> float:
    if kind not in (9, 109):
        raise UnknownResultError
    return sum(_figures(parts))


_FUNCTIONS: dict[str, Callable[..., object]] = {
    "SUM": lambda *parts: sum(_figures(parts)),
    "AVERAGE": _mean,
    "MIN": lambda *parts: min(_figures(parts), default=0.0),
    "MAX": lambda *parts: max(_figures(parts), default=0.0),
    "COUNT": lambda *parts: len(_figures(parts)),
    "ROUND": _rounded,
    "ABS": abs,
    "IF": lambda test, one, other=False: one if test else other,
    "SUBTOTAL": _subtotal,
}
