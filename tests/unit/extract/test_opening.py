from __future__ import annotations

from core.config.fields import (
    FieldDefinition,
    HeadExtractor,
    KeyValueExtractor,
    RuleExtractor,
    Schema,
    WordsExtractor,
)
from core.domain.fields import FieldType
from core.extract.opening import opening_fields

RULE = RuleExtractor(rule="parties")


def field(name: str, kind: FieldType, *extractors: object) -> FieldDefinition:
    return FieldDefinition(name=name, title=name, type=kind, extractors=extractors)  # type: ignore[arg-type]


def test_parties_dates_and_names_come_first_unless_trained_heads_decide_them() -> None:
    schema = Schema(
        name="deals",
        title="Deals",
        fields=(
            field("buyer", FieldType.PARTY, RULE),
            field("signed", FieldType.DATE, KeyValueExtractor(keys=("signed",))),
            field("ends", FieldType.DATE, HeadExtractor(head="ends"), RULE),
            field("called", FieldType.TEXT, RuleExtractor(rule="document_name")),
            field("price", FieldType.MONEY, RULE),
            field("witness", FieldType.PARTY),
            field("escrow_agent", FieldType.PARTY, WordsExtractor(meaning="Who keeps what is deposited")),
        ),
    )
    assert opening_fields(schema) == ("buyer", "signed", "called")
