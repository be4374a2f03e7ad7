"""Everything that a session gives out about documents, as calls that a test can make at random.

A surface is called for a session of the home in question and for one of a twin that lacks what is hidden:
what they give is to be the same. Hidden documents are named in calls as often as others.
"""

from __future__ import annotations

import dataclasses
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from core.domain.ids import TraceId
from core.domain.matrix import MatrixQuery
from core.domain.predicate import parse_condition
from core.domain.search import SearchQuery
from core.plan.clarify import Clarify
from core.workbench import Session
from tests.support.planted import BUCKETS, LAWS, PlantedHome

Call = Callable[[Session], Any]

_OF_THE_MOMENT = (
    {"trace_id", "data_version", "timings_ms", "latency_ms", "ms", "at", "at_ms", "saved_at", "created_at"}
    | {"updated_at", "asked_at", "opened_at", "index_passages", "index_sequence", "passage"}
    | {"score", "keyword", "cosine", "sentence_cosine", "rank", "full_match", "fingerprint"}
)
_FIELDS = ("governing_law", "contract_value", "parties", "effective_date", "termination_notice")
_INDEXES = ("passages", "clauses", "parties", "financials", "summaries")

COUNTING = (
    "How many contracts are governed by {law} law?",
    "Which contracts are governed by {law} law?",
    "Which contracts lack force majeure?",
    "How many documents are there?",
    "What is the total contract value by vendor?",
    "What is the highest contract value?",
    "Which contracts have a value above $300,000?",
    "How many contracts have a termination notice of 60 days?",
)
READING = (
    "Where is the copper kept?",
    "What does {name} Corporation deliver?",
    "What is the contract value of the {name} Supply Agreement?",
    "What did the committee say about {name} Hall?",
    "Compare {name} Corporation and {other} Corporation",
    "What does {misspelt} Corporation deliver?",
    "Summarise the {name} memorandum",
)


@dataclass(frozen=True)
class Surface:
    """One call. said: what it says itself, which may come back; is_exact: a twin gives the very same."""

    name: str
    call: Call
    said: str = ""
    is_exact: bool = True


def surfaces(chance: random.Random, home: PlantedHome) -> Iterator[Surface]:
    """Calls without end, at random."""
    makers = [_reads] * 8 + [_searches] * 6 + [_tables] * 10 + [_inspections] * 2 + [_plans, _questions, _old]
    while True:
        yield chance.choice(makers)(chance, home)


def _reads(chance: random.Random, home: PlantedHome) -> Surface:
    word = chance.choice(list(home.documents))
    id = home.documents[word]
    field = chance.choice(_FIELDS)
    calls: dict[str, Call] = {
        "get": lambda session: session.documents.get(id),
        "page": lambda session: session.documents.page(id, None, 1),
        "original": lambda session: session.documents.original(id).name,
        "facts": lambda session: session.documents.facts(id),
        "metadata": lambda session: session.documents.metadata(id),
        "identity": lambda session: session.documents.identity(id),
        "family": lambda session: session.documents.family(id),
        "words": lambda session: session.documents.words(id, None, 1),
        "cell": lambda session: session.matrix.cell(id, field),
        "details": lambda session: session.matrix.details(id, field),
        "history": lambda session: session.matrix.history(id, field),
        "find_words": lambda session: session.matrix.find_words(id, "Corporation"),
        "versions": lambda session: session.citations.compare(id, 1),
        "by_id": lambda session: session.documents.by_id(list(home.documents.values())),
    }
    name = chance.choice(list(calls))
    return Surface(f"{name} of {word}", calls[name], str(id) if name != "by_id" else "")


def _searches(chance: random.Random, home: PlantedHome) -> Surface:
    word = chance.choice(list(home.documents))
    text = chance.choice(
        (f"{word.title()} Corporation", "copper timber glass", "notice", f"{word} Hall", "committee")
    )
    query = SearchQuery(
        text,
        mode=chance.choice(("hybrid", "keyword", "semantic")),
        top_k=30,
        index=chance.choice(_INDEXES),
        buckets=chance.choice(((), (), (chance.choice(BUCKETS),))),
    )

    def found(session: Session) -> Any:
        hits = session.documents.search(query).hits
        return sorted({(hit.document, hit.page, hit.start, hit.text) for hit in hits})

    return Surface(f"search {query.index} {query.mode}", found, text)


def _inspections(chance: random.Random, home: PlantedHome) -> Surface:
    word = chance.choice(list(home.documents))
    query = SearchQuery(f"{word.title()} Corporation notice", top_k=30)

    def idf(session: Session) -> Any:
        found = session.documents.inspect(query)  # of one engine or two, which tell of the same words
        return sorted({(term.term, round(term.idf, 6)) for each in found.engines for term in each.terms})

    if chance.random() < 0.5:
        return Surface("inspected words", idf, query.text)
    return Surface("inspect", lambda session: session.documents.inspect(query), query.text, is_exact=False)


def _tables(chance: random.Random, home: PlantedHome) -> Surface:
    bucket = chance.choice((None, *BUCKETS))
    field = chance.choice(_FIELDS)
    text = chance.choice(("", "", chance.choice(list(home.documents))))
    law = parse_condition(f"governing_law = {chance.choice(LAWS)}")
    calls: dict[str, Call] = {
        "list": lambda session: session.documents.list(bucket=bucket, text=text),
        "count": lambda session: session.documents.count(bucket=bucket, text=text),
        "buckets": lambda session: session.documents.buckets(),
        "status": lambda session: session.settings.status().documents,
        "kinds": lambda session: session.matrix.kinds(bucket),
        "matrix": lambda session: session.matrix.read(bucket),
        "rows": lambda session: session.matrix.page(MatrixQuery(bucket=bucket, text=text)),
        "counts": lambda session: session.matrix.counts(bucket),
        "ledger": lambda session: session.matrix.ledger(bucket, field),
        "worklist": lambda session: session.matrix.worklist(bucket),
        "annotations": lambda session: session.matrix.search(bucket, [law], 50),
        "groups": lambda session: session.matrix.aggregate(bucket, group_by="governing_law"),
        "values": lambda session: session.plans.catalogue(),
        "starters": lambda session: session.questions.starters(),
        "columns": lambda session: session.matrix.columns(bucket, None),
        "export": lambda session: _exported(session, bucket),
        "outdated": lambda session: session.audits.outdated(),
        "conversations": lambda session: [each.title for each in session.conversations.list()],
        "waiting": lambda session: session.scans.offer(),
        "unknown": lambda session: session.matrix.of_unknown_kind(bucket),
    }
    name = chance.choice(list(calls))
    return Surface(name, calls[name], text, is_exact=name not in ("starters", "waiting"))


def _exported(session: Session, bucket: str | None) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "matrix.csv"
        session.matrix.export(file, MatrixQuery(bucket=bucket))
        return file.read_text(encoding="utf-8")


def _plans(chance: random.Random, home: PlantedHome) -> Surface:
    question = worded(chance.choice(COUNTING + READING), chance, home)

    def planned(session: Session) -> Any:
        made = session.plans.make(question)
        return made if isinstance(made, Clarify) else [made, session.plans.run(made)]

    return Surface(f"plan {question}", planned, question, is_exact=False)


def _questions(chance: random.Random, home: PlantedHome) -> Surface:
    is_counting = chance.random() < 0.6
    question = worded(chance.choice(COUNTING if is_counting else READING), chance, home)
    return Surface(f"ask {question}", lambda session: session.questions.ask(question), question, is_counting)


def _old(_chance: random.Random, _home: PlantedHome) -> Surface:
    def kept(session: Session) -> Any:
        found: list[Any] = []
        for conversation in session.conversations.list():
            for turn in session.conversations.turns(conversation.id):
                found.append(turn)
                if turn.answer is not None:
                    found.append(session.questions.trace(TraceId(turn.answer.trace_id)))
        return found

    return Surface("old answers", kept, is_exact=False)


def ask_before(session: Session, chance: random.Random) -> None:
    """Ask some questions that name no document, and keep their answers for later."""
    conversation = session.conversations.create()
    for question in (chance.choice(COUNTING), "Where is the copper kept?"):
        said = question.format(law=chance.choice(LAWS))
        turn = session.conversations.start_turn(conversation.id, said)
        session.conversations.finish_turn(turn.id, session.questions.ask(said))


def worded(question: str, chance: random.Random, home: PlantedHome) -> str:
    """A question with names of documents, a misspelt one and a law at random."""
    name, other = chance.sample(list(home.documents), 2)
    misspelt = name[:4] + name[5] + name[4] + name[6:]
    return question.format(
        name=name.title(), other=other.title(), misspelt=misspelt.title(), law=chance.choice(LAWS)
    )


def plain(value: Any) -> Any:
    """A result as nested lists and dicts, without what differs from one moment to the next."""
    if isinstance(value, BaseModel):
        value = value.model_dump()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        if value.get("source") in ("sql", "memory", "store"):
            value = {key: each for key, each in value.items() if key != "source"}
        pairs = sorted(((str(key), each) for key, each in value.items()), key=lambda pair: pair[0])
        return {key: plain(each) for key, each in pairs if key not in _OF_THE_MOMENT}
    if isinstance(value, frozenset | set):
        return sorted(map(str, value))
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def everything_of(value: Any) -> str:
    """All that a result says, in one text, case folded."""
    if isinstance(value, BaseModel):
        return value.model_dump_json().casefold()
    return str(value).casefold()


def differences(one: Any, other: Any, at: str = "") -> list[str]:
    """Places where two plain results differ, with what stands there."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted({*one, *other})
        return [each for key in keys for each in differences(one.get(key), other.get(key), f"{at}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [each for n, (a, b) in pairs for each in differences(a, b, f"{at}[{n}]")]
    return [] if one == other else [f"{at}: {str(one)[:300]} / {str(other)[:300]}"]
