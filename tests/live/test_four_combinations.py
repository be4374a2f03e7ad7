"""Every database with every engine: the sample collection, ingested into each, gives the same answers.

A usual run has each database and each engine once, a full one every pair.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from core.config.models import IndexSettings, IngestSettings, RecordsSettings, Settings
from core.encode.load import load_batch_encoder
from core.workbench import Workbench
from samples import TRUTH
from tests.live.conftest import collection_at
from tests.support.examples import IS_FULL
from tests.support.given_encoder import PartsWith, RememberingEncoder
from tests.support.postgres_server import PostgresServer
from tests.support.weaviate_server import WeaviateServer

QUESTIONS = json.loads(TRUTH.read_text(encoding="utf-8"))["questions"]
PAIRS = tuple(product(("sqlite", "postgres"), ("embedded", "weaviate")))


@dataclass(frozen=True)
class Answered:
    """What came of one question; passages that score alike may be cited in another order."""

    status: str
    cited: frozenset[str]


def answers(settings: Settings, encoder: RememberingEncoder) -> dict[str, Answered]:
    """Ingest the sample collection into a home, and ask it the collection's questions."""
    with Workbench(PartsWith(settings, encoder)) as bench:
        bench.local.documents.ingest_sample()
        found = {}
        for question in dict.fromkeys([*QUESTIONS, *bench.local.questions.starters()]):
            answer = bench.ask(question)
            assert answer.degradations == (), question
            cited = frozenset(citation.source for claim in answer.claims for citation in claim.citations)
            found[question] = Answered(answer.status.value, cited)
        status = bench.local.settings.status()
        assert status.engine == settings.index.engine
        assert status.index_passages == status.passages
        return found


def test_the_samples_questions_cite_the_same_documents_on_every_database_and_engine(
    postgres_server: PostgresServer, weaviate_server: WeaviateServer, tmp_path: Path
) -> None:
    encoder = RememberingEncoder(load_batch_encoder(Settings(home=tmp_path)))
    found: dict[str, dict[str, Answered]] = {}
    for database, engine in PAIRS if IS_FULL else (PAIRS[0], PAIRS[-1]):
        home = tmp_path / f"{database}-{engine}"
        url = postgres_server.address(postgres_server.create_database()) if database == "postgres" else ""
        settings = Settings(
            home=home,
            ingest=IngestSettings(processes=1),
            records=RecordsSettings.model_validate({"url": url}),
            index=weaviate_server.settings(collection_at(home)) if engine == "weaviate" else IndexSettings(),
        )
        found[home.name] = answers(settings, encoder)

    first = found["sqlite-embedded"]
    for name, others in found.items():
        assert others == first, name
    for question in (
        "What is the minimum panel width for AlphaSolar models?",
        "Explain the maintenance steps for battery cabinet B-120.",
    ):
        assert first[question].status == "answered"
        assert {source.rpartition("/")[2] for source in first[question].cited} & set(
            QUESTIONS[question]["documents"]
        )
