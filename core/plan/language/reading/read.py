"""Typed pieces of a question: every recogniser proposes, the longest proposal is taken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from core.domain.annotation import Calculation
from core.domain.fields import FieldType
from core.encode.base import TokenCounter
from core.plan.language.lexicon.lexicon import (
    Lexicon,
    documents_at,
    parties_at,
    value_part,
    value_word,
    with_number,
)
from core.plan.language.lexicon.words import LONGEST, PHRASES
from core.plan.language.pieces import (
    Bridge,
    Comparator,
    Connective,
    DayRange,
    Filler,
    HavingWord,
    Meaning,
    Noun,
    Parties,
    Piece,
    Policy,
    Quantity,
    Statistic,
    Token,
    Top,
    UnknownWord,
    Values,
    singular,
    stem,
    stems,
    tokens_of,
)
from core.plan.language.reading.dates import find_periods
from core.text.analyse import STOP_WORDS
from core.values.dates import month_number
from core.values.durations import find_durations
from core.values.money import find_money
from core.values.numbers import (
    CARDINAL_WORDS,
    NonOverlappingSpans,
    find_percents,
    number_value,
    parse_cardinal,
    parse_ordinal,
)
from core.values.places import canonical_place

MIN_LETTERS = 5


def corrected(
    tokens: Sequence[Token], lexicon: Lexicon, words: TokenCounter | None = None
) -> tuple[tuple[Token, ...], tuple[tuple[str, str], ...]]:
    """The tokens with misspelt ones replaced, and what was replaced by what.

    words: cuts texts into the tokens of a model; what is one of them is a word of the language, no mistake.
    """
    made, changes = [], []
    for token in tokens:
        better = _better(token, lexicon)
        if better and (words is None or len(words.offsets(token.word)) > 1):
            changes.append((token.text, better))
            made.append(replace(token, word=better, stem=stem(better)))
        else:
            made.append(token)
    return tuple(made), tuple(changes)


def _better(token: Token, lexicon: Lexicon) -> str:
    word = token.word
    if len(word) < MIN_LETTERS or not word.isalpha() or token.stem in lexicon.known:
        return ""
    if parse_cardinal(word) is not None or parse_ordinal(word) is not None or month_number(word):
        return ""
    if word in lexicon.grammar or word in STOP_WORDS or token.stem in STOP_WORDS:
        return ""
    return nearest(word, lexicon)


def nearest(word: str, lexicon: Lexicon) -> str:
    """The one known word that is a letter or two from `word`; "" where there is none, or several."""
    return _nearest(word, lexicon.words, lexicon.grammar)


@lru_cache(maxsize=4_096)
def _nearest(word: str, words: frozenset[str], grammar: frozenset[str]) -> str:
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    edits = 1 if len(word) < 9 else 2
    pool = [each for each in words if abs(len(each) - len(word)) <= edits and each[0] == word[0]]
    found = extract(word, sorted(pool), scorer=OSA.distance, score_cutoff=edits, limit=8)
    best = {stem(each[0]): str(each[0]) for each in reversed(found) if each[1] == found[0][1]}
    if len(best) > 1:  # what the collection is about is likelier than a word of the grammar
        best = {key: each for key, each in best.items() if each not in grammar}
    return next(iter(best.values())) if len(best) == 1 else ""


Found = tuple[int, int, Quantity | DayRange, str]

_SCALES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mio": 10**6, "million": 10**6, "bn": 10**9,
           "billion": 10**9}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.,-])(?P<sign>[-−]|minus\s)?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d{1,6})?)"
    r"(?:\s?(?P<scale>[kK]|M|mio|million|thousand|bn|billion)\b)?"
    r"(?:\s?(?P<unit>mm|cm|kWp|kWh|kW|Wp|Wh|W|kg|kV|mV|V|kA|mA|A|°C|°F|C|F|degrees(?: [CF]\b)?|dB|kPa|Pa|Nm"
    r"|N·m|Hz|inches|inch|metres|meters|metre|meter|millimetres|millimeters|centimetres|centimeters|kilograms|kilogrammes|kilos|kilo|mils|grammes|grams|tons"
    r"|watts|watt|kilowatts|volts|volt|amps|amperes|pascals|pascal|newton metres|lbs|pounds|feet|ft|g|m|t)"
    r"(?![\w]))?(?![\w])"
)
_DEGREES = {"C": "°C", "F": "°F"}  # in a question neither coulomb nor farad
_SCALED = re.compile(
    r"(?<![\w.,-])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d{1,6})?)"
    r"\s?(?P<scale>[kK]|M|mio|million|thousand|bn|billion)\s+(?P<currency>dollars?|euros?|pounds?|[A-Z]{3})\b"
)
_WORDED = re.compile(rf"\b(?P<words>{CARDINAL_WORDS})\b", re.IGNORECASE)


def find_literals(text: str, today: date) -> list[Found]:
    """Every literal in `text`, in order: (start, end, meaning, reason); spans never overlap."""
    free = NonOverlappingSpans()
    return sorted((found for found in _all(text, today) if free.take(found[0], found[1])), key=lambda f: f[0])


def _all(text: str, today: date) -> Iterator[Found]:
    for match in _SCALED.finditer(text):
        number = _decimal(match)
        named = find_money(f"{number} {match['currency']}") if number is not None else []
        if named:
            value = replace(named[0][2], original=match[0])
            yield match.start(), match.end(), Quantity(value), f"an amount: {value.text} {value.unit}"
    for start, end, value in find_money(text):
        yield start, end, Quantity(value), f"an amount: {value.text} {value.unit}"
    for start, end, value in find_percents(text):
        yield start, end, Quantity(value), f"a percentage: {value.text}"
    periods = find_periods(text, today)
    for start, end, period in periods:
        yield start, end, period, f"a period: {said(period)}"
    for start, end, value in find_durations(text):
        yield start, end, Quantity(value), f"a length of time: {value.text}"
    for match in _NUMBER.finditer(text):
        number = _decimal(match)
        if number is None or (match["sign"] and not match["unit"]):
            continue  # a dash before a number without a unit joins, and is no sign
        unit = match["unit"] or ""
        found = number_value(-number if match["sign"] else number, _DEGREES.get(unit[-1:], unit), match[0])
        if found is not None:
            yield match.start(), match.end(), Quantity(found), f"a number: {found.text} {found.unit}".rstrip()
    for match in _WORDED.finditer(text):
        cardinal = parse_cardinal(match["words"])
        worded = None if cardinal is None else number_value(Decimal(cardinal), "", match[0])
        if worded is not None and match["words"].lower() not in (
            "one",
            "zero",
            "hundred",
            "thousand",
            "million",
        ):
            yield match.start(), match.end(), Quantity(worded), f"a number: {worded.text}"


def _decimal(match: re.Match[str]) -> Decimal | None:
    try:
        number = Decimal(match["digits"].replace(",", ""))
    except InvalidOperation:
        return None
    return number * _SCALES[match["scale"].lower()] if match["scale"] else number


def said(period: DayRange) -> str:
    """A period for a person: "2024-10-01 to 2024-12-31", "until 2025-06-30"."""
    if period.first and period.last:
        same = period.first == period.last
        return (
            period.first.isoformat() if same else f"{period.first.isoformat()} to {period.last.isoformat()}"
        )
    if period.last:
        return f"until {period.last.isoformat()}"
    return f"from {period.first.isoformat()}" if period.first else "any time"


_DIGITS = re.compile(r"[0-9]{1,3}")
_POLICIES = frozenset(["policy", "policies", "guideline", "guidelines", "rules"])
_NOT_ANY = frozenset(["no", "without"])
_OURS = frozenset(["our", "the", "company", "internal", "corporate", "own", "company's", "in-house"])
_ACTIVE = frozenset(
    ["active", "currently active", "still active", "still in force", "still in effect", "currently in force",
     "still running", "still valid", "currently valid", "not expired", "unexpired", "ongoing",
     "not yet expired",
     "in force today", "current"]
)  # fmt: skip
_LANDS = frozenset(["country", "state", "place", "jurisdiction", "nation", "province"])
_HOMES = frozenset(
    ["registered", "incorporated", "based", "located", "organized", "organised", "domiciled", "seated",
     "established", "headquartered", "resides", "sits"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question in pieces. corrections: (as written, as read) of words that seem misspelt.

    amending: the words that ask for what holds after amendments.
    """

    question: str
    tokens: tuple[Token, ...]
    pieces: tuple[Piece, ...]
    corrections: tuple[tuple[str, str], ...] = ()
    amending: str = ""


@dataclass(frozen=True, slots=True)
class MeaningProposal:
    """Meaning of the tokens from `first` to before `end`; of longer ones, those with a bonus win."""

    first: int
    end: int
    meaning: Meaning
    reason: str
    rank: float
    bonus: int = 0

    @property
    def order(self) -> tuple[int, float, int]:
        """Sort key of several proposals: the first in this order is taken."""
        # A period takes its preposition from a phrase that ends in it: "in force since 2022".
        is_length = isinstance(self.meaning, Quantity) and self.meaning.value.type is FieldType.DURATION
        bonus = 2 if isinstance(self.meaning, DayRange) or is_length else self.bonus
        return (-(self.end - self.first) - bonus, self.rank, self.first)


def read(question: str, lexicon: Lexicon, today: date, words: TokenCounter | None = None) -> ParsedQuestion:
    """The pieces of a cleaned question, in order, without gaps: what nothing took is Unknown.

    words: tells words of the language from misspelt ones.
    """
    written = tokens_of(question)
    tokens, corrections = corrected(written, lexicon, words)
    pieces = pieces_of(question, tokens, _proposals(question, tokens, lexicon, today))
    return ParsedQuestion(question, tokens, pieces, corrections)


def pieces_of(
    question: str, tokens: Sequence[Token], proposals: Iterable[MeaningProposal]
) -> tuple[Piece, ...]:
    """The pieces that proposals come to, the longest taken first; what none takes is Unknown."""
    taken: list[MeaningProposal] = []
    used = [False] * len(tokens)
    for proposal in sorted(proposals, key=lambda each: each.order):
        if not any(used[proposal.first : proposal.end]):
            used[proposal.first : proposal.end] = [True] * (proposal.end - proposal.first)
            taken.append(proposal)
    for at, token in enumerate(tokens):
        if not used[at]:
            idle = not token.is_word or token.word in STOP_WORDS
            meaning: Meaning = Filler() if idle else UnknownWord()
            taken.append(MeaningProposal(at, at + 1, meaning, "" if idle else "nothing here is called so", 9))
    return tuple(
        Piece(p.first, p.end, _words_of(question, tokens[p.first : p.end]), p.meaning, p.reason)
        for p in sorted(taken, key=lambda each: each.first)
    )


def of_grammar(question: str, tokens: Sequence[Token], today: date) -> Iterator[MeaningProposal]:
    """Meanings of the tokens whatever is asked about: amounts and periods, and the words of the grammar."""
    yield from _literals(question, tokens, today)
    yield from _tops(tokens)
    for at in range(len(tokens)):
        yield from _grammar_at(tokens, at)


def _words_of(question: str, tokens: Sequence[Token]) -> str:
    """The words of some tokens, with the sign of a currency or of percent beside them."""
    start, end = tokens[0].start, tokens[-1].end
    start -= question[start - 1 : start] in ("$", "€", "£", "¥")
    end += question[end : end + 1] == "%"
    return question[start:end]


def _proposals(
    question: str, tokens: Sequence[Token], lexicon: Lexicon, today: date
) -> Iterator[MeaningProposal]:
    yield from _literals(question, tokens, today)
    yield from _policies(tokens)
    yield from _bridges(tokens, lexicon)
    yield from _tops(tokens)
    yield from _states(tokens, today)
    for at, token in enumerate(tokens):
        yield from _grammar_at(tokens, at)
        if not token.is_word:
            continue
        yield from _collection_at(tokens, at, lexicon)
        for end, parties, why in parties_at(tokens, at, lexicon):
            yield MeaningProposal(at, end, parties, why, _rank_of_name(tokens[at:end], parties, lexicon))
        for end, documents, why in documents_at(tokens, at, lexicon):
            yield MeaningProposal(
                at, end, documents, why, 1.2 if documents.is_exact else 3.7 if token.is_capital else 4
            )
        part = value_word(token, lexicon)
        if part is not None:
            yield MeaningProposal(at, at + 1, part, f"stands in values of {part.values[0].field}", 3.8)


def _literals(question: str, tokens: Sequence[Token], today: date) -> Iterator[MeaningProposal]:
    for start, end, meaning, reason in find_literals(question, today):
        inside = [at for at, token in enumerate(tokens) if token.start < end and token.end > start]
        if not inside:
            continue
        if isinstance(meaning, Quantity) and tokens[inside[0]].start < start - 1:
            continue  # the digits of AS-330
        yield MeaningProposal(inside[0], inside[-1] + 1, meaning, reason, 0)


def _policies(tokens: Sequence[Token]) -> Iterator[MeaningProposal]:
    for at, token in enumerate(tokens):
        if token.word not in _POLICIES:
            continue
        first = at
        while (
            first > 0 and at - first < 3 and tokens[first - 1].is_word and tokens[first - 1].word not in _OURS
        ):
            if tokens[first - 1].word in STOP_WORDS or (tokens[first - 1].word,) in PHRASES:
                break
            first -= 1
        is_ours = first > 0 and tokens[first - 1].word in _OURS
        if is_ours:
            words = tuple(each.stem for each in tokens[first:at])
            end = (
                at + 2
                if at + 1 < len(tokens) and tokens[at + 1].word in ("limit", "limits", "maximum")
                else at + 1
            )
            yield MeaningProposal(
                first - 1, end, Policy(words), "is a rule of ours, written in a policy", 0.5
            )


def _bridges(tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[MeaningProposal]:
    """ "the law of the country where X is registered": from "the law" to "registered"."""
    for at, token in enumerate(tokens):
        if token.word not in _LANDS or at + 1 >= len(tokens) or tokens[at + 1].word not in ("where", "in"):
            continue
        end = next((n for n in range(at + 2, min(len(tokens), at + 12)) if tokens[n].word in _HOMES), 0)
        named = [found for n in range(at + 2, end) for found in parties_at(tokens[:end], n, lexicon)]
        if not end or not named:
            continue
        first = at
        while first > 0 and tokens[first - 1].word in ("the", "of", "law", "laws", "same"):
            first -= 1
        longest = max(named, key=lambda each: each[0])
        yield MeaningProposal(
            first, end + 1, Bridge(longest[1]), "is found where the organisation is registered", 0.4
        )


def _tops(tokens: Sequence[Token]) -> Iterator[MeaningProposal]:
    """ "top 5", "5 most recent", "largest three": how many, and of which end."""
    for at, token in enumerate(tokens):
        count = int(token.word) if _DIGITS.fullmatch(token.word) else parse_cardinal(token.word)
        if not count:
            continue
        for size in (3, 2, 1):
            for first in (at - size, at + 1):
                words = tuple(each.word for each in tokens[max(first, 0) : first + size])
                if first < 0 or len(words) != size:
                    continue
                before = tokens[first - 1].word if first else ""
                top = _top_of(words, count) if before != "at" else None  # "at least 5" is a bound
                if top is not None:
                    yield MeaningProposal(
                        min(first, at), max(first + size, at + 1), top, f"asks for {count}", -1
                    )


def _states(tokens: Sequence[Token], today: date) -> Iterator[MeaningProposal]:
    """ "active contracts": those that have not ended."""
    for at in range(len(tokens)):
        for size in (3, 2, 1):
            words = " ".join(each.word for each in tokens[at : at + size])
            if len(tokens[at : at + size]) == size and words in _ACTIVE:
                meaning = DayRange(today, None, is_relative=True, hint="expiry")
                yield MeaningProposal(at, at + size, meaning, "has not ended before today", 1)


def _top_of(words: tuple[str, ...], count: int) -> Top | None:
    if words in (("top",), ("best",)):
        return Top(count, None)
    if words == ("bottom",):
        return Top(count, False)
    for meaning, _ in PHRASES.get(words, ()):
        if isinstance(meaning, Statistic) and meaning.is_extreme and words != ("most",):
            most = meaning.name is Calculation.MAX
            return Top(count, most, meaning.of_time, meaning.hint, meaning.ahead)
    return None


def _grammar_at(tokens: Sequence[Token], at: int) -> Iterator[MeaningProposal]:
    for end in range(min(len(tokens), at + LONGEST), at, -1):
        found = PHRASES.get(tuple(each.word for each in tokens[at:end]))
        for place, (meaning, reason) in enumerate(found or ()):
            weak = isinstance(meaning, Filler)
            rank = 2.0 if isinstance(meaning, (Connective, Comparator)) else 3.6 if weak else 2.5
            yield MeaningProposal(at, end, meaning, reason, rank + place / 100)


def _collection_at(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> Iterator[MeaningProposal]:
    for end in range(min(len(tokens), at + lexicon.longest), at, -1):
        words = tokens[at:end]
        if not all(each.is_word for each in words):
            continue
        key = tuple(each.stem for each in words)
        fields, values = lexicon.fields(key), lexicon.values(key) or _place(words, lexicon)
        if fields is not None and _is_other_form(words, lexicon):
            fields = None
        denied = lexicon.fields(key[1:]) if words[0].word in _NOT_ANY and len(words) > 1 else None
        if fields is not None and denied is not None and denied.matches[0].field != fields.matches[0].field:
            fields = None  # "contain no limitation of liability" denies one, and names no unlimited liability
        if len(words) > 1 and words[0].word != singular(words[0].word) and _is_kind(words[0], lexicon):
            fields = None  # "contracts dated" are contracts, and no "contract date"
        if len(words) == 1 and _is_link(words[0]) and not lexicon.is_written(words[0].word):
            fields = None  # "requiring insurance" has to do with no "requirement"
        nouns = lexicon.nouns((*(each.word for each in words[:-1]), _noun_form(words[-1])))
        if nouns:
            noun: Noun = with_number(nouns[0], words[-1])
            yield MeaningProposal(at, end, noun, f"is a kind of document: {noun.schema or 'any'}", 2.2)
        if values is not None:
            yield MeaningProposal(at, end, values, _of_values(values), 2.3)
        part = value_part(words, lexicon) if len(words) > 1 else None
        if part is not None:
            yield MeaningProposal(at, end, part, f"begins values of {part.values[0].field}", 3.4)
        if fields is not None:
            yield MeaningProposal(at, end, fields, fields.matches[0].because, 2.4)


def _rank_of_name(words: Sequence[Token], parties: Parties, lexicon: Lexicon) -> float:
    """A whole name goes before the values of fields, a part of one behind: "New York" is where law is of."""
    key = tuple(each.stem for each in words)
    is_whole = any(each.normal == " ".join(word.word for word in words) for each in parties.parties)
    if not is_whole and lexicon.values(key) is not None:
        return 3.5
    return 1.5 if words[0].is_capital else 3.5


def _is_link(token: Token) -> bool:
    return any(isinstance(meaning, HavingWord) for meaning, _ in PHRASES.get((token.word,), ()))


def _is_kind(token: Token, lexicon: Lexicon) -> bool:
    return bool(lexicon.nouns((_noun_form(token),)))


def _place(words: Sequence[Token], lexicon: Lexicon) -> Values | None:
    """The values that an adjective of a place stands for: "German" law is that of Germany."""
    text = " ".join(token.text for token in words)
    place = canonical_place(text) if words[0].is_capital else canonical_place(text.title())
    return lexicon.values(stems(place)) if place and place.casefold() != text.casefold() else None


def _is_other_form(words: Sequence[Token], lexicon: Lexicon) -> bool:
    """True where the words only have the stems of a field: "contracts valued", "supplies by"."""
    if len(words) < 2:
        return False
    if words[-1].word == "by" and words[0].word.endswith("s"):
        return True
    is_kind = words[0].word.endswith("s") and bool(lexicon.nouns((singular(words[0].word),)))
    return is_kind and words[-1].word.endswith(("ed", "ing"))


def _noun_form(token: Token) -> str:
    return token.stem if token.text[:2].isupper() else singular(token.word)


def _of_values(values: Values) -> str:
    first = values.values[0]
    return f"is a value of {first.field}: {first.text}"
