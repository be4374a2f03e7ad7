"""Evidence that words name a document: a figure for each way in which they agree or do not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.plan.names.index import NameIndex
from core.plan.names.naming import Naming, Sort, TellingWord
from core.plan.names.profile import NamePlace, NameProfile

FEATURES = (
    "short", "party", "file", "title", "kind", "initials", "capital", "word",
    "misspelt", "twice", "strange", "missing_name", "missing_kind", "missing_word", "missing_number",
    "kind_in_text",
    "kind_share", "first_side", "second_side", "day", "year", "other_year",
    "changes", "changes_unsaid", "changes_not", "number", "other_number", "whole",
    "only_name", "only_text", "all", "first_day",
)  # fmt: skip
"""The figures of a candidate, in order."""

NONE_FEATURES = ("none", "none_names", "none_kinds", "none_words", "none_strange")
"""Those of there being no such document."""

_ORDER = (
    (NamePlace.SHORT, 1.0), (NamePlace.PARTY, 0.95), (NamePlace.FILE, 0.9), (NamePlace.TITLE, 0.75),
    (NamePlace.KIND, 0.7), (NamePlace.INITIALS, 0.6), (NamePlace.CAPITAL, 0.45), (NamePlace.WORD, 0.25),
)  # fmt: skip
_MOST = 48  # candidates that are weighed
_AT = {name: at for at, name in enumerate(FEATURES)}
_OWN = NamePlace.SHORT | NamePlace.PARTY | NamePlace.FILE
_KINDS = NamePlace.KIND | NamePlace.TITLE
_FEW = 3  # documents up to which a word may be said to be theirs alone
_LEAST_ALONE = 3  # letters of a word that may be theirs alone
_BEGUN = 0.85  # likeness from which a word may be theirs alone
_SAME = 0.5  # likeness from which another word says the same kind
_MISSES = ("strange", "kind_in_text", "missing_name", "missing_kind", "missing_word", "missing_number")


def _tables() -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """By places: the weight of the strongest, and its number in the order."""
    weights, strongest = np.zeros(256, dtype=np.float32), np.full(256, -1, dtype=np.int8)
    for places in range(256):
        for number, (place, weight) in enumerate(_ORDER):
            if places & place:
                weights[places], strongest[places] = weight, number
                break
    return weights, strongest


_WEIGHTS, _STRONGEST = _tables()


def candidates(naming: Naming, index: NameIndex, allowed: NDArray[np.bool_] | None = None) -> list[int]:
    """Rows of the documents that may be meant, the likeliest of them; allowed: True for those to be found."""
    scores = np.zeros(len(index), dtype=np.float32)
    for word in naming.words:
        best = np.zeros(len(index), dtype=np.float32)
        for variant in word.variants:
            rows, places = index.holders(variant.word)
            strength = np.float32(variant.likeness * (0.02 + index.rarity(variant.word)))
            best[rows] = np.maximum(best[rows], _WEIGHTS[places] * strength)
        scores += best
    for name in naming.whole:
        scores[list(index.titled(name))] += 2.0
    if allowed is not None:
        scores[~allowed] = 0.0
    found = np.flatnonzero(scores > 0)
    if len(found) > _MOST:
        found = found[np.argpartition(-scores[found], _MOST)[:_MOST]]
    return [int(row) for row in found[np.lexsort((found, -scores[found]))]]


def weigh(naming: Naming, index: NameIndex, rows: Sequence[int]) -> NDArray[np.float64]:
    """The figures of some documents: (len(rows), len(FEATURES))."""
    figures = np.zeros((len(rows), len(FEATURES)))
    if not rows:
        return figures
    asked = np.array(rows, dtype=np.int32)
    matched: list[dict[str, float]] = [{} for _ in rows]
    kinds: list[set[str]] = [set() for _ in rows]
    for word in naming.words:
        _weigh_word(word, index, asked, figures, matched, kinds)
    wants_kind = any(word.sort is Sort.KIND for word in naming.words)
    for at, row in enumerate(rows):
        profile = index.profiles[row]
        mine = figures[at]
        if wants_kind and profile.kind:
            own = profile.kind.split()
            mine[_AT["kind_share"]] = len(kinds[at].intersection(own)) / len(own)
        _weigh_sides(profile, matched[at], index, mine)
        _weigh_days(naming, profile, mine)
        _weigh_changes(naming, profile, mine)
        mine[_AT["whole"]] = float(any(name in profile.names for name in naming.whole))
        is_held = bool(naming.words) and not any(mine[_AT[name]] for name in _MISSES)
        mine[_AT["all"]] = float(is_held and mine[_AT["misspelt"]] == 0.0)
    return figures


def _weigh_word(
    word: TellingWord,
    index: NameIndex,
    asked: NDArray[np.int32],
    figures: NDArray[np.float64],
    matched: list[dict[str, float]],
    kinds: list[set[str]],
) -> None:
    best = np.zeros(len(asked))
    places_of = np.zeros(len(asked), dtype=np.uint8)
    all_places = np.zeros(len(asked), dtype=np.uint8)
    kind_places = np.zeros(len(asked), dtype=np.uint8)
    alone = np.zeros(len(asked))
    as_one = np.zeros(len(asked), dtype=np.bool_)
    is_common = len(index.holders(word.key)[0]) > _FEW
    values = np.zeros(len(asked))
    lost = np.zeros(len(asked))
    for variant in word.variants:
        rows, places = index.holders(variant.word)
        if not len(rows):
            continue
        at = np.minimum(np.searchsorted(rows, asked), len(rows) - 1)
        has = rows[at] == asked
        own = np.where(has, places[at], 0).astype(np.uint8)
        rarity = index.rarity(variant.word)
        strength = _WEIGHTS[own] * variant.likeness * (0.02 + rarity)
        better = strength > best
        best[better] = strength[better]
        places_of[better] = own[better]
        values[better] = rarity * variant.likeness
        lost[better] = rarity * (1.0 - variant.likeness)
        all_places |= own if variant.likeness == 1.0 else 0
        kind_places |= own if variant.likeness >= _SAME else 0
        is_longer = len(variant.word) > len(word.key) + _LEAST_ALONE
        is_rare = len(rows) <= _FEW and len(variant.word) >= _LEAST_ALONE and (is_longer or not is_common)
        if is_rare and variant.likeness >= _BEGUN:
            alone[has] = np.maximum(alone[has], variant.likeness / len(rows))
            as_one |= has & is_longer
        for place in np.flatnonzero(has):
            if own[place] & (_OWN | NamePlace.TITLE):
                matched[place][variant.word] = max(matched[place].get(variant.word, 0.0), variant.likeness)
            if own[place] & NamePlace.KIND:
                kinds[place].add(variant.word)
    for which in range(len(asked)):
        number = int(_STRONGEST[places_of[which]])
        mine = figures[which]
        if number < 0:
            _miss(word, mine)
            continue
        mine[number] += values[which]
        mine[_AT["misspelt"]] += lost[which]
        if all_places[which] & NamePlace.FILE and all_places[which] & int(NamePlace.PARTY | NamePlace.SHORT):
            mine[_AT["twice"]] += values[which]
        if as_one[which] or word.sort not in (Sort.FORM, Sort.KIND):
            is_own = places_of[which] & int(_OWN | NamePlace.TITLE)
            mine[_AT["only_name" if is_own else "only_text"]] += alone[which]
        if word.sort is Sort.KIND and not as_one[which] and not kind_places[which] & _KINDS:
            mine[_AT["kind_in_text"]] += 1.0


def _miss(word: TellingWord, figures: NDArray[np.float64]) -> None:
    if word.sort is Sort.FORM:
        return
    if word.sort is Sort.NAME and not word.variants:
        figures[_AT["strange"]] += 1.0
        return
    name = {Sort.NAME: "missing_name", Sort.KIND: "missing_kind", Sort.NUMBER: "missing_number"}.get(
        word.sort, "missing_word"
    )
    figures[_AT[name]] += 1.0 if word.sort is Sort.KIND else 0.3 + 0.7 * word.rarity


def _weigh_sides(
    profile: NameProfile, matched: dict[str, float], index: NameIndex, figures: NDArray[np.float64]
) -> None:
    """Shares of the names of one side and of another that were said."""
    if not matched:
        return
    shares: list[tuple[float, frozenset[str]]] = []
    for written in profile.sides.split("|"):
        side = written.split()
        said = {word for word in side if word in matched}
        if not said:
            continue
        mass = sum(index.rarity(word) for word in side)
        share = sum(index.rarity(word) * matched[word] for word in said) / mass if mass else 0.0
        shares.append((share, frozenset(said)))
    if not shares:
        return
    shares.sort(key=lambda each: (-each[0], sorted(each[1])))
    first = shares[0]
    figures[_AT["first_side"]] = first[0]
    others = [share for share, said in shares[1:] if not said & first[1]]
    figures[_AT["second_side"]] = max(others, default=0.0)


def _weigh_days(naming: Naming, profile: NameProfile, figures: NDArray[np.float64]) -> None:
    for day in naming.days:
        figures[_AT["first_day"]] += float(any(each.startswith(day) for each in profile.days[:1]))
        if len(day) > 4 and any(each.startswith(day) for each in (*profile.days, *profile.filed)):
            figures[_AT["day"]] += 1.0
        elif any(each[:4] == day[:4] for each in profile.days):
            figures[_AT["year"]] += 1.0
        elif not any(each[:4] == day[:4] for each in profile.filed):
            figures[_AT["other_year"]] += 1.0


def _weigh_changes(naming: Naming, profile: NameProfile, figures: NDArray[np.float64]) -> None:
    if naming.changes and profile.changes:
        figures[_AT["changes"]] = 1.0
        if naming.number and profile.number:
            figures[_AT["number" if naming.number == profile.number else "other_number"]] = 1.0
    elif naming.changes:
        figures[_AT["changes_not"]] = 1.0
    elif profile.changes:
        figures[_AT["changes_unsaid"]] = 1.0


def weigh_none(naming: Naming) -> NDArray[np.float64]:
    """The figures of there being no such document: (len(NONE_FEATURES),)."""
    names = sum(word.sort is Sort.NAME for word in naming.words)
    kinds = sum(word.sort is Sort.KIND for word in naming.words)
    words = len(naming.words) - names - kinds
    strange = sum(word.sort is Sort.NAME and not word.variants for word in naming.words)
    return np.array([1.0, float(names > 0), float(kinds > 0), float(words > 0), min(2.0, strange)])
