from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from core.config.models import Settings
from core.domain.fields import Candidate, CellStatus, FieldType, Finding, ReviewAction, Special, TypedValue
from core.domain.ids import DocumentId
from core.records.database import migrate
from core.records.database.field_tables import field_guesses
from core.records.store import Records
from tests.support.stated_values import ALL, day, money, present, put, special, text, uncertain
from tests.support.versions import new_version

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def guesses(records: Records) -> list[dict[str, Any]]:
    order = (field_guesses.c.document, field_guesses.c.field)
    with records.database.read() as connection:
        return [dict(row._mapping) for row in connection.execute(sa.select(field_guesses).order_by(*order))]


def several(*candidates: tuple[TypedValue | None, float], method: str = "rule") -> Finding:
    made = tuple(Candidate(value, (), sure, method) for value, sure in candidates)
    return Finding(CellStatus.UNCERTAIN, confidence=0.5, method=method, candidates=made)


def test_a_home_from_before_has_the_guesses_that_its_cells_would_be_given_now(settings: Settings) -> None:
    party = TypedValue(FieldType.PARTY, "Acme  Inc.", original="Acme Inc.", normal="acme")
    blank = special(FieldType.TEXT, Special.BLANK)
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    with Records.open(settings) as records:
        put(
            records,
            "a.txt",
            clause=uncertain(0.2),
            likely=uncertain(0.8, TypedValue(FieldType.BOOLEAN, "true", 1)),
            fee=several((money("5.00"), 0.9), (money("5.00"), 0.7), (money("7.00", "EUR"), 0.6)),
            end=several((special(FieldType.DATE, Special.AMBIGUOUS), 0.9), (day("2024-03-01"), 0.4)),
            place=several((None, 0.1)),
            nothing=Finding(CellStatus.UNCERTAIN),
            vendor=several((party, 0.5), (text("Straße"), 0.5), (blank, 0.1)),
            law=present(text("Texas")),
        )
        reviewed = DocumentId(put(records, "b.txt", law=uncertain(0.6, text("Ohio"))))
        records.reviews.review(reviewed, "law", ReviewAction.ABSENT, "carol", NOW, visible=ALL)
        put(records, "c.txt", law=uncertain(0.6, text("Utah")))
        records.documents.publish(new_version("c.txt", "Second text.", bucket="b", passages=0))
        before = guesses(records)
        with records.database.write() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0012")
            assert "field_guesses" not in sa.inspect(connection).get_table_names()
    with Records.open(settings) as records:
        after = guesses(records)

    assert [row["field"] for row in before] == ["clause", "end", "fee", "likely", "vendor"]
    assert after == before
