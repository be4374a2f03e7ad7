"""Templates of the sentences of computed answers."""

from __future__ import annotations

from typing import NamedTuple


class FunctionWords(NamedTuple):
    """Words for a computation: head of a column, and of a field, and of sides."""

    column: str
    of_field: str
    of_sides: str


FUNCTIONS = {
    "count": FunctionWords("Number", "number of", "Number of values of"),
    "sum": FunctionWords("Sum", "sum of", "Sum of"),
    "min": FunctionWords("Smallest", "smallest", "Lowest"),
    "max": FunctionWords("Greatest", "greatest", "Highest"),
    "avg": FunctionWords("Average", "average", "Average"),
    "median": FunctionWords("Median", "median", "Median"),
    "distinct": FunctionWords(
        "Different values",
        "number of different values of",
        "Number of different values of",
    ),
}
EXTREMES = ("min", "max")
NONE_STATED = "none stated"
CALCULATED = {
    "difference": "{0} less {1} is {value}.",
    "gap": "{0} and {1} are {value} apart.",
    "sum": "Together they come to {value}.",
    "ratio": "{0} is {value} times {1}.",
    "share": "{0} is {value} of {1}.",
    "change": "From {1} to {0} it changes by {value}.",
    "greatest": "The greatest is {value}.",
    "least": "The least is {value}.",
    "groups": "There are {value}.",
    "average": "On average it is {value}.",
    "total": "Together they come to {value}.",
}
TRUTHS = {
    "more": "{0} is more than {1}",
    "less": "{0} is less than {1}",
    "equal": "they are equal",
    "all": "all rows fulfil this",
}
PENDING = "not extracted"  # as the records say it
REASONS = {
    "uncertain": "it is not sure what it states",
    PENDING: "it was not read yet",
    "unreadable": "nothing could be read of it",
}
TOP_K = "A search chose part of these documents: it finds the best, not all, so there may be more."
