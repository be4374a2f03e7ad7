"""Changes that keep the words of a true claim and turn its sense: parts, periods, bounds, conditions, order.

As in `bench.claims.mutations`, nothing here reads values with the code that is measured.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Change = Callable[[str, random.Random], str | None]

_PAIRS = (
    ("Buyer", "Seller"), ("Purchaser", "Seller"), ("Licensor", "Licensee"), ("Landlord", "Tenant"), ("Lessor", "Lessee"),  # noqa: E501
    ("Lender", "Borrower"), ("Supplier", "Customer"), ("Distributor", "Company"), ("Franchisor", "Franchisee"),  # noqa: E501
    ("Contractor", "Client"), ("Consultant", "Company"), ("Disclosing Party", "Receiving Party"),
    ("Discloser", "Recipient"), ("Employer", "Employee"), ("Assignor", "Assignee"), ("Provider", "Customer"),
    ("Manufacturer", "Distributor"), ("Company", "Executive"), ("Sponsor", "Team"), ("Vendor", "Company"),
    ("Reseller", "Company"), ("Developer", "Client"), ("Contractor", "Company"), ("Supplier", "Buyer"),
)  # fmt: skip
_PERIODS = {
    "per month": "per year", "per year": "per month", "per day": "per week", "per week": "per day", "per hour": "per day",  # noqa: E501
    "per annum": "per month", "monthly": "annual", "annual": "monthly", "annually": "monthly", "quarterly": "annual",  # noqa: E501
    "each month": "each year", "each year": "each month", "yearly": "monthly", "daily": "weekly", "weekly": "daily",  # noqa: E501
    "each quarter": "each month", "per unit": "per month", "per share": "per year", "each calendar month": "each calendar year",  # noqa: E501
    "each calendar quarter": "each calendar year", "per quarter": "per month", "per user": "per day",
}  # fmt: skip
_BOUNDS = (
    ("at least", ("up to", "more than", "approximately", "")), ("up to", ("at least", "more than", "")),
    ("more than", ("less than", "approximately", "")), ("less than", ("more than", "")),
    ("approximately", ("more than", "up to", "at least")), ("no more than", ("no less than", "")),
    ("not less than", ("not more than", "")), ("in excess of", ("below", "")), ("a maximum of", ("a minimum of", "")),  # noqa: E501
    ("a minimum of", ("a maximum of", "")), ("about", ("over", "at least")), ("over", ("under", "nearly")),
)  # fmt: skip
_AMOUNT = r"(?=(?:[$\u20ac\u00a3]|US\$)?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety)\b)"  # noqa: E501
_ADDED = re.compile(
    r"(?<=[a-z] )"
    + _AMOUNT
    + r"(?:[$\u20ac\u00a3]?\d[\d,.]*\d|\w+)(?= (?:days|months|years|hours|million|percent|business|employees|shares)\b)"  # noqa: E501
)
_SCOPE = (
    ("only", ""),
    ("solely", ""),
    ("exclusively", ""),
    ("some", "all"),
    ("most", "all"),
    ("any", "all"),
    ("certain", "all"),
)
_LEADING = re.compile(
    r"^(?:If|Unless|Provided that|Subject to|Except|In the event|Where|Only if|So long as)\b[^,]{12,200}, ([a-z][^.]{30,300}\.)$"  # noqa: E501
)
_TRAILING = re.compile(
    r"^([A-Z].{30,260}?),? (?:if|unless|except|provided,? (?:however,? )?that|subject to|in the event|so long as|only if)\b.{12,260}\.$",  # noqa: E501
    re.S,
)
_VALUE = r"(?:US)?[$\u20ac\u00a3]?\d[\d,]*(?:\.\d+)?(?:%| percent| million| billion)?"
_RANGE = re.compile(
    rf"\b(from|between) ({_VALUE}|[A-Z][a-z]+ \d{{1,2}}, \d{{4}}) (to|and|through) ({_VALUE}|[A-Z][a-z]+ \d{{1,2}}, \d{{4}})(?![\w.,]?\d)"  # noqa: E501
)
_TO_FROM = re.compile(rf"\b(to) ({_VALUE}) (from) ({_VALUE})(?![\w.,]?\d)")
_VERSUS = re.compile(
    rf"({_VALUE}) ((?:and|compared (?:to|with)|versus)) ({_VALUE})(?![\w.,]?\d)(?=[^.]*(?:20|19)\d\d (?:and|compared|versus)|[^.]*respectively)"  # noqa: E501
)
_SPELLED = re.compile(r"(\d)(?:%| percent)(?= (?!of\b)[a-z]|[.,;])")
_POINTS = re.compile(r"(\d) (?:percentage|basis) points?")


def swap_parts(text: str, rng: random.Random) -> str | None:
    """Two parties in each other's places."""
    pairs = [pair for pair in _PAIRS if all(re.search(rf"\b{each}\b", text) for each in pair)]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return re.sub(rf"\b({one}|{other})\b", lambda m: other if m[1] == one else one, text)


def turn_points(text: str, rng: random.Random) -> str | None:
    """Percentage points for percent, and percent for points."""
    if match := _POINTS.search(text):
        return text[: match.start()] + match[1] + "%" + text[match.end() :]
    places = list(_SPELLED.finditer(text))
    if not places:
        return None
    match = rng.choice(places)
    return text[: match.start()] + match[1] + " percentage points" + text[match.end() :]


def change_period(text: str, rng: random.Random) -> str | None:
    """Another period or unit of a rate."""
    places = [
        (m, new) for old, new in _PERIODS.items() for m in re.finditer(rf"(?<![\w-]){old}\b(?!-)", text)
    ]
    return _put(text, *rng.choice(places)) if places else None


def change_bound(text: str, rng: random.Random) -> str | None:
    """Another bound of a number, a bound left out or added."""
    places = [
        (m, new)
        for old, others in _BOUNDS
        for m in re.finditer(rf"(?<!no )(?<!not )\b{old} {_AMOUNT}", text)
        for new in [rng.choice(others)]
    ]
    if places:
        match, new = rng.choice(places)
        return text[: match.start()] + (f"{new} " if new else "") + text[match.end() :]
    found = list(_ADDED.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    new = rng.choice(("more than", "up to", "at least", "approximately", "half of"))
    return f"{text[: match.start()]}{new} {text[match.start() :]}"


def change_scope(text: str, rng: random.Random) -> str | None:
    """A word such as "only" left out or added, "all" for "some"."""
    places = [(m, new) for old, new in _SCOPE for m in re.finditer(rf"(?<=[a-z,] ){old}(?= [a-z])", text)]
    if places and rng.random() < 0.7:
        return " ".join(_put(text, *rng.choice(places)).split())
    modal = list(re.finditer(r"\b(?:shall|will|may|must|can)\b(?! not\b)(?= [a-z])", text))
    if not modal:
        return None
    match = rng.choice(modal)
    return text[: match.end()] + " " + rng.choice(("only", "always")) + text[match.end() :]


def drop_condition(text: str, rng: random.Random) -> str | None:
    """What the statement depends on left out."""
    if match := _LEADING.match(text):
        return match[1][0].upper() + match[1][1:]
    if match := _TRAILING.match(text):
        return match[1] + "."
    return None


def turn_range(text: str, rng: random.Random) -> str | None:
    """The two ends of a range or of a change in each other's places."""
    for pattern in (_RANGE, _TO_FROM):
        for match in pattern.finditer(text):
            if match[2] != match[4] and match[1] != "between":
                return (
                    f"{text[: match.start()]}{match[1]} {match[4]} {match[3]} {match[2]}{text[match.end() :]}"
                )
    for match in _VERSUS.finditer(text):
        if match[1] != match[3]:
            return f"{text[: match.start()]}{match[3]} {match[2]} {match[1]}{text[match.end() :]}"
    return None


def _put(text: str, match: re.Match[str], by: str) -> str:
    return text[: match.start()] + by + text[match.end() :]


TURNS: dict[str, Change] = {
    "parts": swap_parts, "points": turn_points, "period": change_period, "bound": change_bound,
    "scope": change_scope, "condition": drop_condition, "order": turn_range,
}  # fmt: skip

_FIGURE = re.compile(r"(?<![\w.,])(?:US)?[$\u20ac\u00a3]?\d[\d,]*(?:\.\d+)?(?: million| billion|%)?(?![\w])")
_NAMED = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][a-z]{3,}(?: [A-Z][a-z]{2,})*\b")


def mix(one: str, other: str) -> str | None:
    """One document's sentence with the figure of another's: money for money, percent for percent, else plain."""  # noqa: E501
    for match in _FIGURE.finditer(one):
        for found in _FIGURE.finditer(other):
            if _kind(match[0]) == _kind(found[0]) and found[0] not in one and match[0] not in other:
                return _put(one, match, found[0]) if _NAMED.search(one) else None
    return None


def _kind(figure: str) -> str:
    if re.fullmatch(r"(?:19|20)\d\d", figure):
        return "year"
    return ("$" if re.match(r"(?:US)?[$\u20ac\u00a3]", figure) else "") + re.sub(r"[^%a-z]", "", figure)
