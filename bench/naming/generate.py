"""Ways in which people name a contract, made of its labels: by parties, kind, day, file, or subject."""

from __future__ import annotations

import calendar
import random
import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bench.naming.contracts import LabelledContract, LabelledParty

HEADS = (
    "agreement",
    "agreement",
    "agreement",
    "contract",
    "contract",
    "deal",
    "deal",
    "paper",
    "document",
    "arrangement",
    "one",
    "",
)
_ROLES = """
    licensor licensee seller buyer purchaser supplier customer distributor vendor client franchisor
    franchisee company contractor consultant manufacturer agent reseller owner operator lender borrower
    employer employee investor sponsor provider developer shipper transporter carrier fund trust advisor
    adviser administrator principal you we us party parties affiliate marketer dealer executive bank
    subscriber artist talent host venturers
"""
ROLES = frozenset(_ROLES.split())  # fmt: skip
_NOBODY = frozenset(
    ["party", "parties", "collectively", "individually", "each", "we", "us", "our", "you", "your"]
)
FORMS = re.compile(
    r"[,\s]+(?:inc|incorporated|corp|corporation|co|company|llc|l\.l\.c|ltd|limited|lp|l\.p|plc|gmbh|ag|s\.a|sa"
    r"|n\.v|b\.v|s\.p\.a|s\.r\.l|holdings|group|trust|fund)\.?$",
    re.IGNORECASE,
)
SAID = {
    "joint venture": ("JV", "jv", "joint venture"),
    "intellectual property": ("IP", "ip", "intellectual property"),
    "distributor": ("distribution", "distributor", "distributorship"),
    "distribution": ("distribution", "distributor"),
    "maintenance": ("maintenance", "support"),
    "hosting": ("hosting", "host"),
    "transportation": ("transport", "transportation", "shipping"),
    "consulting": ("consulting", "consultancy"),
    "manufacturing": ("manufacturing", "production"),
    "collaboration": ("collaboration", "cooperation", "alliance"),
    "cooperation": ("cooperation", "collaboration", "coop"),
    "strategic alliance": ("alliance", "strategic alliance", "partnership"),
    "endorsement": ("endorsement", "celebrity endorsement"),
    "sponsorship": ("sponsorship", "sponsoring", "sponsor"),
    "license": ("license", "licence", "licensing"),
    "reseller": ("reseller", "resale"),
    "franchise": ("franchise", "franchising"),
    "outsourcing": ("outsourcing", "outsource"),
    "development": ("development", "dev"),
    "promotion": ("promotion", "promo"),
    "non-competition": ("non-compete", "noncompete", "non competition"),
    "affiliate": ("affiliate",),
    "agency": ("agency",),
    "services": ("services", "service"),
    "supply": ("supply",),
    "marketing": ("marketing",),
}
EARLY = 15_000  # characters: of the parties that are listed behind all articles nobody speaks
PADDING = ("old", "signed", "original", "existing", "current", "big", "long", "whole", "new", "master")
MONTHS = list(calendar.month_name)[1:]
MENTIONED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{4,}")
PLAIN = re.compile(r"[A-Za-z][a-z]{3,}")
_DETAIL = re.compile(r"(?<![A-Za-z-])[A-Za-z][a-z]{4,}(?![A-Za-z-])")


@dataclass(frozen=True, slots=True)
class NamedInWords:
    """Words that name a contract. told: by what; "made up" where nothing is called so."""

    words: str
    file: str
    told: str


class Namer:
    """Names contracts in words. common: in how many of the texts a word stands, to find telling ones."""

    def __init__(self, contracts: Sequence[LabelledContract], rng: random.Random) -> None:
        self._rng = rng
        self._common: Counter[str] = Counter()
        self._near: Counter[str] = Counter()
        self._said: dict[str, Counter[str]] = {}
        for each in contracts:
            words = Counter(word for word in PLAIN.findall(each.text[:12_000]))
            self._said[each.file] = words
            self._common.update(set(words))
            self._near.update(set(_DETAIL.findall(each.text[:20_000])))
        self._size = len(contracts)

    def names(self, contract: LabelledContract, count: int) -> list[NamedInWords]:
        """Some ways of naming a contract."""
        found: list[NamedInWords] = []
        for _ in range(count * 3):
            told, words = self._one(contract)
            words = " ".join(words.split())
            if len(found) < count and len(words) > 2:
                found.append(NamedInWords(self._written(words), contract.file, told))
        return found

    def made_up(self, contract: LabelledContract) -> NamedInWords:
        """A name that nobody has, with the kind of a contract."""
        name = self._invented()
        kind = self._kind(contract)
        form = self._rng.choice(
            ("the {n} {k}", "our {k} with {n}", "{n} {k}", "{n}'s {k}", "the {n} contract")
        )
        return NamedInWords(self._written(form.format(n=name, k=kind)), contract.file, "made up")

    def crossed(self, contract: LabelledContract, other: LabelledContract) -> NamedInWords | None:
        """A name that only stands in one contract's text, with another's kind: nothing is called so."""
        named = {word for party in contract.parties for word in party.name.split()}
        words = [
            word
            for word in MENTIONED.findall(contract.text[:6_000])
            if word not in named and word not in contract.kind.title()
        ]
        telling = [word for word in words if self._common[word] < 0.15 * self._size]
        kind = self._kind(other).strip()
        if (
            not telling
            or not kind
            or any(
                word[:5] in contract.kind.casefold() for word in kind.casefold().split() if word not in HEADS
            )
        ):
            return None
        if kind.split()[0] in HEADS:
            return None
        return NamedInWords(
            self._written(f"the {self._rng.choice(telling)} {kind}"), contract.file, "crossed"
        )

    def _one(self, contract: LabelledContract) -> tuple[str, str]:
        rng = self._rng
        parties = [party for party in contract.parties if self._may_name(party)]
        early = [party for party in parties if party.name[:12].casefold() in contract.text[:EARLY].casefold()]
        parties = early or parties
        first = self._party(rng.choice(parties)) if parties else ""
        owner = self._owner(contract.file)
        if not first or (owner and rng.random() < 0.15):
            first = owner or first
        others = [party for party in parties if len(parties) > 1]
        kind = self._kind(contract)
        draw = rng.random()
        detail = self._detail(contract) if draw < 0.06 else ""
        if detail:
            return "detail", rng.choice((f"the {detail} {kind}", f"{detail} {kind}", f"the {detail} deal"))
        if not first or draw < 0.04:
            subject = self._subject(contract)
            return "subject", rng.choice(
                (f"the {subject} {kind}", f"{subject} {kind}", f"our {kind} about {subject}")
            )
        if draw < 0.1:
            return "file", self._file(contract.file)
        if len(others) > 1 and draw < 0.35:
            one, other = (self._party(party) for party in rng.sample(others, 2))
            form = rng.choice(
                ("the {k} between {a} and {b}", "{a}/{b} {k}", "the {a}-{b} {k}", "{a} and {b} {k}",
                 "{a} & {b} {k}",
                 "{a}'s {k} with {b}", "{k} of {a} and {b}", "{a} / {b}", "the {a} {b} {k}", "{a} - {b}",
                 "{k} between {a} / {b}",
                 "the {k} that {a} has with {b}")
            )  # fmt: skip
            return "parties", form.format(a=one, b=other, k=kind)
        if draw < 0.5 and contract.day:
            when = self._day(contract.day)
            form = rng.choice(
                ("the {d} {k} with {a}", "our {k} with {a} from {d}", "{a} {k} ({d})", "{a} {k} of {d}",
                 "{a}'s {d} {k}",
                 "{a} {k}, {d}", "{d} {a} {k}", "the {k} {a} signed in {d}")
            )  # fmt: skip
            return "day", form.format(a=first, k=kind, d=when)
        if draw < 0.6:
            subject = self._subject(contract)
            return "party and subject", rng.choice(
                (
                    f"the {first} {subject} {kind}",
                    f"{first}'s {subject} {kind}",
                    f"{first} {kind} for {subject}",
                )
            )
        if draw < 0.66:
            return "party", first
        if draw < 0.74:
            return "party", rng.choice(
                (
                    f"the {first} contract",
                    f"the agreement with {first}",
                    f"{first} deal",
                    f"our {first} paper",
                )
            )
        form = rng.choice(
            ("the {a} {k}", "{a} {k}", "{a} {k}", "our {k} with {a}", "{a}'s {k}",
             "the {k} with {a}", "the {k} of {a}",
             "{k} {a}",
             "our {p} {k} with {a}", "the {p} {a} {k}")
        )  # fmt: skip
        return "party and kind", form.format(a=first, k=kind, p=rng.choice(PADDING))

    def _may_name(self, party: LabelledParty) -> bool:
        name = party.name.casefold()
        words = re.findall(r"[a-z]+", name)
        if len(name) < 3 or not words or {*words} & _NOBODY or re.search(r"[)\"”]", name):
            return False
        is_role = name in ROLES or name.split()[-1].rstrip("s") in ROLES or "part" in name.split()[-1]
        return not is_role and len(name) < 70 and "[" not in name

    def _party(self, party: LabelledParty) -> str:
        rng = self._rng
        short = [
            each
            for each in party.short
            if each.casefold().split()[-1].rstrip("s") not in ROLES and len(each) > 1
        ]
        bare = party.name
        while FORMS.search(bare):
            bare = FORMS.sub("", bare)
        bare = bare.removeprefix("The ").strip(" ,.")
        words = bare.split()
        draw = rng.random()
        if short and draw < 0.3:
            return rng.choice(short)
        if draw < 0.36:
            return party.name
        if len(words) > 2 and draw < 0.42:
            return "".join(word[0] for word in words if word[0].isalnum()).upper()
        if len(words) > 1 and draw < 0.75:
            first = words[0] if len(words[0]) > 3 else " ".join(words[:2])
            return first if draw < 0.6 else " ".join(words[:2])
        return bare

    def _owner(self, file: str) -> str:
        """The company in the name of a file, where it can be read."""
        start = re.split(r"_\d|_-_|-EX", file)[0]
        if start.isupper() or "_" in start:
            return ""
        words = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", start)
        while len(words) > 1 and words[-1].casefold() in (
            "inc",
            "corp",
            "ltd",
            "llc",
            "plc",
            "co",
            "holdings",
            "group",
        ):
            words.pop()
        return " ".join(words[: self._rng.choice((1, 2, 3))]) if words and len(words[0]) > 3 else ""

    def _kind(self, contract: LabelledContract) -> str:
        rng = self._rng
        name = re.sub(r"[^\w\s'&-]", " ", contract.kind).strip().casefold()
        draw = rng.random()
        if draw < 0.15 and name:
            return name
        words = [
            word
            for word in name.split()
            if word not in ("agreement", "contract", "the", "and", "of", "to", "for")
        ]
        head = rng.choice(HEADS)
        if draw < 0.3 and words:
            return f"{' '.join(words[-2:])} {head}"
        known = [said for key, said in SAID.items() if key in name]
        if known:
            return f"{rng.choice(rng.choice(known))} {head}"
        return f"{words[-1]} {head}" if words and draw < 0.8 else head or "agreement"

    def _day(self, day: tuple[int, ...]) -> str:
        year, month, number = day
        return self._rng.choice(
            (str(year), str(year), str(year), f"{MONTHS[month - 1]} {year}",
             f"{MONTHS[month - 1]} {number}, {year}",
             f"{year}-{month:02d}-{number:02d}", f"{number} {MONTHS[month - 1]} {year}")
        )  # fmt: skip

    def _subject(self, contract: LabelledContract) -> str:
        """A word that few other texts have, of those said most often."""
        words = self._said[contract.file]
        ranked = sorted(words, key=lambda word: (-words[word] / (1 + self._common[word]), word))[:8]
        telling = [word for word in ranked if self._common[word] < 0.1 * self._size and words[word] > 3]
        name = [
            word
            for word in PLAIN.findall(contract.kind.title())
            if word.casefold() not in ("agreement", "with", "between")
        ]
        return str(self._rng.choice(telling or name or ["paper"]))

    def _detail(self, contract: LabelledContract) -> str:
        """A word of a product, a place or a thing that hardly another text has."""
        counts = Counter(word for word in _DETAIL.findall(contract.text[:20_000]))
        telling = sorted(word for word, count in counts.items() if count > 1 and self._near[word] < 3)
        return str(self._rng.choice(telling)) if telling else ""

    def _file(self, file: str) -> str:
        stem = file.removesuffix(".txt")
        company = str(re.split(r"_\d\d_|-EX|_EX", stem)[0])
        return self._rng.choice((file, stem, stem.replace("_", " "), company))

    def _invented(self) -> str:
        rng = self._rng
        parts = (
            "zor",
            "blat",
            "quen",
            "vix",
            "mar",
            "tolo",
            "ner",
            "gra",
            "phi",
            "lux",
            "dex",
            "ova",
            "kry",
            "stel",
            "bro",
        )
        name = "".join(rng.sample(parts, rng.choice((2, 3)))).capitalize()
        return name + rng.choice(("", "", " Systems", " Energy", " Inc", " Media"))

    def _written(self, words: str) -> str:
        """As people type: sometimes without capitals, sometimes with a slip."""
        rng = self._rng
        if rng.random() < 0.3:
            words = words.casefold()
        if rng.random() < 0.15:
            words = self._slipped(words)
        return words

    def _slipped(self, words: str) -> str:
        rng = self._rng
        places = [match.span() for match in re.finditer(r"[A-Za-z]{5,}", words)]
        if not places:
            return words
        start, end = rng.choice(places)
        at = start if rng.random() < 0.15 else rng.randrange(start, end - 1)
        letter = rng.choice(string.ascii_lowercase)
        return rng.choice(
            (
                words[:at] + words[at + 1 :],
                words[:at] + words[at] + words[at:],
                words[:at] + words[at + 1] + words[at] + words[at + 2 :],
                words[:at] + letter + words[at + 1 :],
            )
        )
