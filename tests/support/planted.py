"""A home of documents that each hold a word of their own, principals over it, and what each may see.

The words are planted in the file's name, the title, the parties, the clauses and the text, so that no output
can tell anything of a document without one of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from core.config.models import Settings
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.workbench import Workbench
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

GROUPS = ("legal", "finance", "board")
USERS = ("ann", "bob", "cleo")
BUCKETS = ("contracts", "purchases", "notes")
WORDS = (
    "quagmirex",
    "zephyrbold",
    "obsidianth",
    "marzipolis",
    "kumquatine",
    "xylographo",
    "bergamundi",
    "halcyonide",
    "vermilique",
    "cinnabarro",
    "palimpsoar",
    "tourmaline",
)
LAWS = ("Delaware", "Texas", "England and Wales", "New York")

_CONTRACT = """{name} Supply Agreement

This Supply Agreement is made on {day} March {year} between {name} Corporation and {other} GmbH.
The total contract value is ${value},000.00. {name} Corporation delivers {goods} every month.

Section 7. Termination. Either party may terminate this Agreement on {notice} days written notice.
{force}
This Agreement is governed by the laws of {law}. {name} Corporation keeps its {goods} in {name} Hall.
"""
_NOTE = """{name} memorandum

The committee met on {day} March {year} about {name} Hall and the {goods} that are kept there.
{name} Corporation asked for {value} thousand dollars. Nobody from {other} GmbH was present.
"""
_FORCE = "Section 8. Force Majeure. Neither party is liable for delay caused by events beyond its control.\n"


@dataclass
class PlantedHome:
    """The access that the documents of a home were given, as the test keeps it for itself.

    of_bucket: keys, () everybody. own: of documents with access of their own; documents: id by word.
    """

    documents: dict[str, DocumentId]
    bucket_of: dict[str, str]
    of_bucket: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(BUCKETS, ()))
    own: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def anew(self) -> PlantedHome:
        """The same documents, all open to everybody."""
        return PlantedHome(self.documents, self.bucket_of)

    def acl(self, word: str) -> tuple[str, ...]:
        """The keys that a document is open to."""
        return self.own.get(word, self.of_bucket[self.bucket_of[word]])

    def seen_by(self, who: Principal) -> frozenset[str]:
        """The words of the documents that somebody may see."""
        keys = {*who.groups, f"user:{who.user}"}
        return frozenset(word for word in self.documents if not self.acl(word) or keys & set(self.acl(word)))

    def hidden_from(self, who: Principal) -> frozenset[str]:
        """The words of all others."""
        return frozenset(self.documents) - self.seen_by(who)


def open_home(settings: Settings) -> Workbench:
    """A workbench that needs no model."""
    return Workbench(PartsWith(settings, HashedEncoder()))


def plant(bench: Workbench, folder: Path) -> PlantedHome:
    """Bring the documents in, open to everybody."""
    bucket_of: dict[str, str] = {}
    for at, word in enumerate(WORDS):
        bucket_of[word] = BUCKETS[at % len(BUCKETS)]
        place = folder / bucket_of[word]
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{word}.txt").write_text(text_of(at), encoding="utf-8")
    for bucket in BUCKETS:
        report = bench.ingest([folder / bucket], bucket=bucket)
        assert report.counts["ready"] == len(WORDS) / len(BUCKETS), report
    by_word = {Path(each.source).stem: each.id for each in bench.documents()}
    assert set(by_word) == set(WORDS)
    return PlantedHome(by_word, bucket_of)


def text_of(at: int) -> str:
    """The text of a document."""
    text = _NOTE if BUCKETS[at % len(BUCKETS)] == "notes" else _CONTRACT
    return text.format(
        name=WORDS[at].title(),
        other="Nordwind" if at % 2 else "Adriatic",
        day=at + 1,
        year=2018 + at % 6,
        value=100 + 50 * at,
        notice=(30, 60, 90)[at % 3],
        goods=("copper", "timber", "glass")[at % 3],
        law=LAWS[at % len(LAWS)],
        force=_FORCE if at % 4 else "",
    )


def principals(chance: random.Random) -> Iterator[Principal]:
    """One who is in no group, and some at random."""
    yield Principal("dora")
    for user in chance.sample(USERS, 2):
        groups = frozenset(group for group in GROUPS if chance.random() < 0.4)
        yield Principal(user, frozenset({"analyst"}), groups)


def change_access(bench: Workbench, home: PlantedHome, chance: random.Random) -> None:
    """Open buckets and documents to some at random, and remember it."""
    access = bench.local.access
    for bucket in BUCKETS:
        if chance.random() < 0.6:
            keys = _keys(chance)
            access.set_bucket(bucket, keys or "everybody")
            home.of_bucket[bucket] = keys
    for word in chance.sample(WORDS, 4):
        document = home.documents[word]
        if chance.random() < 0.3:
            access.set_document(document, "bucket")
            home.own.pop(word, None)
        else:
            keys = _keys(chance)
            access.set_document(document, keys or "everybody")
            home.own[word] = keys


def _keys(chance: random.Random) -> tuple[str, ...]:
    if chance.random() < 0.2:
        return ()
    if chance.random() < 0.15:
        return ("admins:",)
    known = [*GROUPS, *(f"user:{user}" for user in USERS)]
    return tuple(sorted(chance.sample(known, chance.randint(1, 2))))
