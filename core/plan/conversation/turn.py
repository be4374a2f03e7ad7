"""A turn of a conversation, read for the words by which it goes on from what was said before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from core.plan.language.rewriting.rewording import with_end
from core.text.words import word_list
from core.values.numbers import CARDINAL_WORDS, ONES, ORDINAL_DIGITS, ORDINAL_WORDS, parse_ordinal


class Move(StrEnum):
    """Way in which a turn goes on."""

    CONTINUING = "continuing"
    INSTEAD = "instead"
    EITHER = "either"
    NARROWING = "narrowing"
    EXCLUDING = "excluding"
    RELEASING = "releasing"
    WHY = "why"
    AMONG = "among"  # whether a document is among those found
    EVERYWHERE = "everywhere"
    RETURNING = "returning"  # to what was in hand before


class PointerKind(StrEnum):
    """Thing that words point at."""

    SET = "set"  # the documents in hand
    SET_OWN = "set_own"  # "their"
    ONE = "one"  # one document
    ONE_OWN = "one_own"  # "its"
    OTHERS = "others"  # the documents left out
    OTHER_ONE = "other_one"
    NTH = "nth"  # of the documents in hand
    NTH_SIDE = "nth_side"  # of the sides, or groups, that were spoken of
    NAMED = "named"  # "the Gamma one"
    VALUE = "value"  # the value that was given
    THING = "thing"  # what was asked about: "which have one?"
    YEAR = "year"  # beside the one that was spoken of: "the year after"


@dataclass(frozen=True, slots=True)
class Pointer:
    """Words text[start:end] that point back. nth: 1 for the first, -1 for the last; name: of a named one.

    Of a year it is 1 for the one after, -1 for the one before.

    is_strict: it says that what follows is asked of these alone ("of those"). is_definite: only an article
    and the noun of what is in hand ("the contracts").
    """

    start: int
    end: int
    kind: PointerKind
    nth: int = 0
    name: str = ""
    is_strict: bool = False
    is_definite: bool = False


@dataclass(frozen=True, slots=True)
class TurnReading:
    """A turn without the words by which it begins and ends. rest: what an exclusion or a release is about.

    is_ordered: it is to be left out by a verb ("drop ..."), and not only said to be without.
    """

    text: str
    moves: frozenset[Move]
    pointers: tuple[Pointer, ...]
    rest: str = ""
    is_ordered: bool = False

    def of(self, *kinds: PointerKind) -> tuple[Pointer, ...]:
        """The pointers of these kinds, in order."""
        return tuple(each for each in self.pointers if each.kind in kinds)

    @property
    def blanked(self) -> str:
        """The text with spaces in the place of what points."""
        text = self.text
        for each in self.pointers:
            text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
        return text


@dataclass(frozen=True, slots=True)
class SetNoun:
    """Noun for the documents in hand: `contracts`, `contract`."""

    plural: str = "documents"
    singular: str = "document"


_ENDS = " \t?.!,;:…–—-"


def read_turn(question: str, noun: SetNoun) -> TurnReading:
    """The reading of a cleaned question as a turn. noun: for what is in hand, which "the contracts" are."""
    text, moves = _without_openers(_in_plain_words(_as_corrected(question.strip(_ENDS))))
    text = _in_plain_words(text)
    swapped = next((found for each in _SWAPS if (found := each.match(text)) is not None), None)
    if swapped is not None:
        text = swapped["new"].strip(_ENDS)
        moves.add(Move.INSTEAD)
    text = _with_thing(text)
    if _starts(text, "why") or _WHY_NOT_THERE.search(text):
        moves.add(Move.WHY)
    if _anywhere("everywhere").search(text):
        moves.add(Move.EVERYWHERE)
    rest = ""
    member = _member().fullmatch(text)
    if member is not None:
        moves.add(Move.AMONG)
        rest = member["name"]
    returned = _starts(text, "returning")
    if returned is not None:
        moves.add(Move.RETURNING)
        rest = text[returned.end() :].strip(_ENDS)
    released = _released(text)
    excluded = _starts(text, "excluding", "leaving_out")
    if released is not None:
        moves.add(Move.RELEASING)
        rest = released
    elif excluded is not None:
        moves.add(Move.EXCLUDING)
        rest = text[excluded.end() :].strip(_ENDS)
    text, closed = _without_closers(text)
    moves |= closed
    is_ordered = _starts(text, "leaving_out") is not None
    return TurnReading(text, frozenset(moves), tuple(_pointers(text, noun)), rest, is_ordered)


_WHY_NOT_THERE = re.compile(
    r"[,.;?!–—-]\s*(?:why|how\s+come|why\s+(?:not|is\s+that)|what['’]?s\s+the\s+reason)$"
    r"|^(?:what\s+happened\s+to|what\s+became\s+of|what['’]?s\s+(?:missing|wrong)\s+with|"
    r"what\s+(?:keeps|kept|rules|ruled|disqualifies|disqualified|excludes|excluded|puts|put))\b"
    r"|^(?:should\s*n['’]?t|should\s+not|is\s*n['’]?t|was\s*n['’]?t)\s+.+\b(?:supposed|meant|be|been)\b.*"
    r"\b(?:there|here|list|set|in|among|one\s+of)\b",
    re.IGNORECASE,
)
_SWAPPED = re.compile(
    r"^instead\s+of\s+[^,]+?(?:,\s*|\s+(?=(?:take|use|try|with|show|make)\b))"
    r"(?:(?:take|use|try|with|show|make|it)\s+)*(?P<new>.+)$",
    re.IGNORECASE,
)
_SWAPPED_BEHIND = re.compile(
    r"^(?:(?:take|use|try|with)\s+)?(?P<new>.+?)\s+instead\s+of\s+.+$", re.IGNORECASE
)


_SWAPPED_AWAY = re.compile(
    r"^(?:forget|drop|scrap|lose|ditch|skip|never\s+mind|leave\s+(?:out|aside))\s+(?:about\s+)?[^,;]+?"
    r"(?:[,;]\s*(?:(?:and|now|just)\s+)?(?:(?:do|show|give|take|try|use|make|look\s+at)\s+)?|"
    r"\s+and\s+(?:do|show|give|take|try|use|look\s+at)\s+)(?:(?:me|it|that|with|for)\s+)*(?P<new>(?!and\b|or\b).+)$",
    re.IGNORECASE,
)
_SWAPPED_NOT = re.compile(r"^(?P<new>[^,]+),\s*(?:and\s+)?not\s+(?:the\s+)?\w[^,]*$", re.IGNORECASE)
_SWAPS = (_SWAPPED, _SWAPPED_BEHIND, _SWAPPED_AWAY, _SWAPPED_NOT)


def _with_thing(text: str) -> str:
    """The text with a word for the thing that it ends before: "the ones without" is without that."""
    words = text.casefold().split()
    asks_who = any(_WHO.fullmatch(word) for word in words)  # "who is it with"
    is_whole = asks_who or _WE_HAVE.search(text)
    return f"{text} one" if len(words) > 1 and words[-1] in phrases("having") and not is_whole else text


_WE_HAVE = re.compile(
    r"\b(?:we|i|you)\s+(?:(?:still|currently|now|already|actually|all)\s+)*have$", re.IGNORECASE
)
_WHO = re.compile(r"who(?:m|se|['’](?:s|re))?")


def _as_corrected(text: str) -> str:
    """The text as a person said it last, where they corrected themselves: "... I mean under New York law"."""
    found = list(_anywhere("correcting").finditer(text))
    left = text[found[-1].end() :].strip(_ENDS) if found else ""
    return left if len(left.split()) > 1 else text


def _in_plain_words(text: str) -> str:
    """The text with turns of speech of conversations in the words that planners know."""
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    return with_end(text)


_PLAIN = (
    (
        re.compile(
            r"^(?:(?:can|could|would|will)\s+(?:you|we|i)\s+(?:please\s+|also\s+|now\s+)*"
            r"|(?:and\s+|but\s+)?(?:what\s+)?if\s+(?:i|we|you)\s+)"
            r"(?=(?:only|just|limit|narrow|restrict|filter|keep|leave|drop|remove|exclude|take|show|give|sort|order|add|"
            r"include|go|list|skip|ignore|lose|cut)\b)",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(
            r"^(?:(?:just|only)\s+)?(?:show|give|list|get|let['’]?s\s+(?:see|have|look\s+at)|i\s+want|i['’]?d\s+like|i\s+need)"
            r"\s+(?:me\s+)?(?=(?:only|just)\b)",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(r"^i\s+(?:really\s+)?(?:only|just)\s+(?:want|need|care\s+about|meant?)\s+", re.IGNORECASE),
        "only ",
    ),
    (re.compile(r"^just\s+(?:show|give|list)\s+(?:me\s+)?(?=(?:the|those|these)\b)", re.IGNORECASE), "only "),
    (
        re.compile(
            r"^(?:i|we)\s+(?:don['’]?t|do\s+not)\s+(?:need|want|care\s+for)\s+(?=the\b)", re.IGNORECASE
        ),
        "leave out ",
    ),
    *(
        (
            re.compile(
                rf"^which\s+(?:one\s+|of\s+(?:them|those|these|the\s+two)\s+)?(?:is|was|are)\s+(?:the\s+)?{word}$",
                re.IGNORECASE,
            ),
            f"which is the {most}",
        )
        for word, most in (
            ("older", "oldest"),
            ("newer", "newest"),
            ("later", "latest"),
            ("earlier", "earliest"),
        )
    ),
    (
        re.compile(
            r"^(?:take|cut|strike|cross|leave|throw|kick|pull)\s+(?!out\b|off\b|away\b)(?P<what>.+?)\s+(?:off|out)"
            r"(?:\s+(?:of\s+)?(?:the|that|this|your|my)?\s*(?:list|set|it|there|selection|results?))?$",
            re.IGNORECASE,
        ),
        r"leave out \g<what>",
    ),
    (
        re.compile(r"^(?:make|change|switch)\s+(?:it|that|this|them)\s+(?:to\s+)?(?=\w)", re.IGNORECASE),
        "what about ",
    ),
    (
        re.compile(r"^(?:swap|replace|change|switch)\s+.+?\s+(?:for|with|by|to)\s+(?=\w)", re.IGNORECASE),
        "what about ",
    ),
    (re.compile(r"\bnon-?\s?exclusive\b(?!\s+licen)", re.IGNORECASE), "not exclusive"),
    (re.compile(r"^order\s+(?=(?:them|those|these|it|by|the|in)\b)", re.IGNORECASE), "sort "),
    (
        re.compile(
            r"\bfrom\s+((?:[a-z]+\s+)?(?:19|20)\d\d)\s+(?:on(?:wards?)?|forwards?|up(?:wards?)?)\b",
            re.IGNORECASE,
        ),
        r"since \1",
    ),
)


def _without_openers(text: str) -> tuple[str, set[Move]]:
    moves: set[Move] = set()
    while True:
        for name, move in _OPENERS:
            found = _starts(text, name)
            if found is None or (
                name == "polite" and text[found.end() : found.end() + 1] not in tuple(",.!;:")
            ):
                continue
            left = text[found.end() :].lstrip(_ENDS)
            if move is Move.NARROWING:
                left = _ending_of_narrowing().sub("", left, count=1).lstrip(_ENDS)
            if not left:
                continue
            if move is not None:
                moves.add(move)
            text = left
            break
        else:
            return text, moves


_OPENERS: tuple[tuple[str, Move | None], ...] = (
    ("instead", Move.INSTEAD),
    ("either", Move.EITHER),
    ("narrowing", Move.NARROWING),
    ("continuing", Move.CONTINUING),
    ("polite", None),
)


def _without_closers(text: str) -> tuple[str, set[Move]]:
    moves: set[Move] = set()
    while (found := _ends("closing").search(text)) is not None and found.start() > 0:
        said = found.group(1).casefold()
        moves |= {Move.INSTEAD} if said == "instead" else {Move.NARROWING} if said == "only" else set()
        text = text[: found.start()].rstrip(_ENDS)
    return text, moves


@cache
def _member() -> re.Pattern[str]:
    """A question for one document among those found: "is the Beta lease one of them?"."""
    end = rf"(?:{_list('plural')}|{_list('wholes')}|(?:the|that|this|your)\s+(?:{_list('wholes')})|there|it)"
    inside = rf"(?:also\s+)?(?:{_list('belonging')})"
    return re.compile(
        rf"(?:is|are|was)\s+(?P<name>.+?)\s+{inside}\s+{end}(?:\s+too|\s+as\s+well)?", re.IGNORECASE
    )


def _released(text: str) -> str | None:
    """The words for a condition that is taken back; None where none is."""
    found = _starts(text, "releasing")
    if found is not None:
        return text[found.end() :].strip(_ENDS)
    unneeded = _UNNEEDED.match(text)
    if unneeded is not None:
        return unneeded["what"].strip(_ENDS)
    found = _starts(text, "excluding", "leaving_out")
    if found is None:
        return None
    left = text[found.end() :].strip(_ENDS)
    named = _ends("conditions").search(left)
    if named is not None:
        return left[: named.start()].strip(_ENDS)
    about = _about_condition().match(left)
    return about["what"].strip(_ENDS) if about is not None else None


_UNNEEDED = re.compile(
    r"^(?:the\s+)?(?P<what>.+?)\s+(?:does\s*n['’]?t|do\s*n['’]?t|does\s+not|no\s+longer)\s+matters?(?:\s+any\s*more)?$",
    re.IGNORECASE,
)


@cache
def _about_condition() -> re.Pattern[str]:
    """Words for a condition by what it is about: "the condition about revenue", "the filter on law"."""
    return re.compile(
        rf"(?:the\s+)?(?:{_list('conditions')})\s+(?:about|on|for|of|that|with|to do with)\s+(?P<what>.+)",
        re.IGNORECASE,
    )


def _pointers(text: str, noun: SetNoun) -> list[Pointer]:
    taken: list[Pointer] = []
    for each in _proposals(text, noun):
        if all(each.end <= one.start or each.start >= one.end for one in taken):
            taken.append(each)
    return sorted(taken, key=lambda each: each.start)


def _proposals(text: str, noun: SetNoun) -> Iterator[Pointer]:
    """Pointers, the surest first."""
    grammar = _grammar(noun)
    for kind, pattern in grammar:
        for found in pattern.finditer(text):
            groups = found.groupdict()
            start, end = found.span("p") if "p" in groups else found.span()
            nth = _nth(groups.get("nth") or "") or _step(groups.get("step") or "")
            yield Pointer(
                start,
                end,
                kind,
                nth=nth,
                name=(groups.get("name") or "").strip(),
                is_strict=bool(groups.get("of")),
                is_definite=bool(groups.get("definite")),
            )


def _nth(text: str) -> int:
    if not text:
        return 0
    said = text.casefold()
    if said in word_list("pointing", "last") or said == "bottom":
        return -1
    if said == "top":
        return 1
    if said in ONES:
        return ONES[said]
    return int(text) if text.isdecimal() else parse_ordinal(text) or 0


def _step(text: str) -> int:
    """Years from the one that was spoken of."""
    return 0 if not text else 1 if text.casefold() in word_list("pointing", "later") else -1


@cache
def _grammar(noun: SetNoun) -> tuple[tuple[PointerKind, re.Pattern[str]], ...]:
    things = _alternatives([*phrases("things"), noun.plural])
    thing = _alternatives([*phrases("thing"), noun.singular])
    nth = rf"(?P<nth>{ORDINAL_WORDS}|{ORDINAL_DIGITS}|{_list('last')})"
    listed = rf"(?:\s+(?:on|in|of|from)\s+(?:the|that|this|your)\s+(?:{_list('wholes')}))?"
    of = rf"(?P<of>(?:{_list('of')})\s+(?:all\s+)?(?:of\s+)?)"
    plural, same = _list("plural"), rf"the\s+(?:{_list('same')})"
    counted = rf"(?:{CARDINAL_WORDS}|\d+)"
    between = "(?:the|that|of|in|to|for|from|with|is|does)"
    described = "(?:with|that|under|from|in)"
    end = r"(?=\s*(?:$|[?:;,.!–—]))"
    no_verb = r"(?!\s+(?:[a-z]+(?:s|ed)|can|will|may|had)\b)"  # "after it ends" compares no value
    not_of_today = rf"(?!\s+(?:{_list('calendar')})\b)"
    patterns = (
        (PointerKind.NTH_SIDE, rf"\b(?:the\s+)?{nth}\s+(?:{_list('sides')})(?:['’]s)?\b"),
        (PointerKind.NTH, rf"\b(?:the\s+|that\s+)?{nth}\s+(?:{thing})\b(?:\s+of\s+(?:{plural})\b|{listed})"),
        (PointerKind.NTH, rf"\bthe\s+(?P<nth>top|bottom)\s+(?:{thing})\b{listed}"),
        (PointerKind.NTH, rf"\b(?:the\s+)?{nth}\s+of\s+(?:{plural})\b"),
        (PointerKind.NTH, rf"^(?:the\s+)?{nth}{end}"),
        (PointerKind.NTH, rf"\b(?:of|for|about|with|on)\s+(?P<p>the\s+{nth}){end}"),
        (PointerKind.NTH, rf"\b(?:does|did|has|was|will)\s+(?P<p>the\s+{nth})\s+(?=[a-z]+)(?!{counted}\b)"),
        (PointerKind.NTH, r"(?:\b(?:number|no\.?|item)\s*|#)(?P<nth>\d{1,3})\b"),
        (PointerKind.NTH, rf"\b(?:number|no\.?|item)\s+(?P<nth>{'|'.join(ONES)})\b"),
        (PointerKind.OTHER_ONE, rf"\bthe\s+other\s+(?:{thing})\b"),
        (PointerKind.OTHER_ONE, rf"\bthe\s+other(?:['’]s)?{end}"),
        (
            PointerKind.OTHERS,
            rf"\b(?:(?:of|all|among|from)\s+)?the\s+(?:{_list('others')}|other\s+(?:{things}))\b",
        ),
        (
            PointerKind.YEAR,
            rf"\b(?:in\s+)?(?:the\s+year|a\s+year|one\s+year)\s+(?P<step>{_list('later')}|{_list('earlier')})\b",
        ),
        (PointerKind.YEAR, rf"\b(?:in\s+)?the\s+(?P<step>{_list('later')}|{_list('earlier')})\s+year\b"),
        (
            PointerKind.VALUE,
            rf"(?<!\bones )(?<!\bthose )(?<!\bthing )\b(?:that|this{not_of_today}|the\s+same)\s+"
            rf"(?:{_list('values')})\b",
        ),
        (PointerKind.VALUE, rf"\b(?:{_list('comparing')})\s+(?P<p>{_list('value_words')})\b{no_verb}"),
        (PointerKind.THING, rf"\b(?:{_list('having')})\s+(?P<p>one|any|it|them)\b{end}"),
        (
            PointerKind.SET,
            rf"\b{of}?(?:all\s+|both\s+)?(?:{plural}|{same})(?:\s+{counted})?\s+(?:{things})\b",
        ),
        (PointerKind.SET, rf"\b{of}?(?:those|these|the)\s+{counted}{end}"),
        (PointerKind.SET, rf"(?:{_SOME_OF})\b{of}(?:those|these|the)\s+{counted}(?:\s+(?:{things}))?\b"),
        (PointerKind.SET, rf"\b{of}?(?:{_list('both')})\b"),
        (PointerKind.SET, rf"\b{of}?(?:the|this|that|your|my)\s+(?:{_list('wholes')})\b"),
        (PointerKind.SET, rf"\b{of}?(?:{plural}|{same})\b"),
        (PointerKind.SET, rf"\b{of}(?P<definite>the\s+{re.escape(noun.plural)})\b"),
        (PointerKind.SET, rf"\b(?P<definite>the\s+{re.escape(noun.plural)})\b(?!\s+{described}\b)"),
        (PointerKind.SET_OWN, rf"\b(?:{_list('plural_own')})\b(?!\s+own\b)"),
        (PointerKind.ONE, rf"\b(?:{of})?(?:{_list('demonstrative')}|the\s+same)\s+(?:{thing})\b"),
        (PointerKind.NAMED, rf"\b(?:the|that)\s+(?P<name>(?:(?!{between}\b)[\w.&'’/-]+\s+){{1,7}}?)one\b"),
        (PointerKind.ONE, rf"\b(?:{_list('single')})\b"),
        (PointerKind.ONE, rf"\b(?:is|was|does|did|has|will)\s+(?P<p>{_list('demonstrative')})\b"),
        (PointerKind.ONE_OWN, rf"\b(?:{_list('single_own')})\b"),
    )
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in patterns)


_SOME_OF = "|".join(
    rf"(?<=\b{word}\s)" for word in ("which", "many", "any", "all", "none", "each", "some", "one")
)


@cache
def phrases(name: str) -> tuple[str, ...]:
    """The words and phrases of a list of words that point, in order."""
    return tuple(each.replace("_", " ") for each in sorted(word_list("pointing", name)))


def _alternatives(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=lambda each: (-len(each), each))
    return "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in longest_first)


@cache
def _list(name: str) -> str:
    return _alternatives(phrases(name))


@cache
def _start(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{_list(name)})(?=[\s,.;:!?]|$)", re.IGNORECASE)


def _starts(text: str, *names: str) -> re.Match[str] | None:
    found = [match for name in names if (match := _start(name).match(text)) is not None]
    return max(found, key=lambda match: match.end(), default=None)


@cache
def _ends(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s,])({_list(name)})$", re.IGNORECASE)


@cache
def _anywhere(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_list(name)})\b", re.IGNORECASE)


@cache
def _ending_of_narrowing() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{_list('narrowing_ends')})\s+)+(?=\S)", re.IGNORECASE)
