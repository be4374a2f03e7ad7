from __future__ import annotations

from core.config.schema_store import shipped_schemas
from core.domain.fields import Extraction, FieldType
from core.store.query.subjects import SubjectSchemas, marked_documents
from core.store.store import Records
from tests.support.stated_values import ALL, day, present, text
from tests.support.versions import new_version

SCHEMAS = SubjectSchemas(tuple(shipped_schemas().values()))


def test_labels_name_the_one_field_that_has_them() -> None:
    assert SCHEMAS.named("rated power") == "power"
    assert SCHEMAS.named("total of nothing") == "total of nothing"
    assert {"model", "product"} <= set(SCHEMAS.subject_labels)


def test_what_names_a_document_is_not_compared_and_a_clause_neither() -> None:
    assert SCHEMAS.comparable("invoices", "total")
    assert SCHEMAS.comparable("invoices", "customer")
    assert not SCHEMAS.comparable("invoices", "vendor")
    assert not SCHEMAS.comparable("contracts", "document_kind")
    assert not SCHEMAS.comparable("contracts", "audit_rights")
    assert not SCHEMAS.comparable("generic", "author")


def test_an_amendment_is_about_the_agreement_whose_name_begins_as_it_says(records: Records) -> None:
    parties = present(text("Delta", FieldType.PARTY), text("ACME Inc.", FieldType.PARTY))
    named = {
        "document_name": present(text("Software License Agreement")),
        "agreement_date": present(day("2024-05-01")),
    }
    for source, findings, family in (("base", named, ""), ("change", {}, "software license")):
        made = records.documents.publish(new_version(source, f"Text of {source}", passages=0))
        extraction = Extraction("contracts", {"parties": parties, **findings}, family=family)
        records.fields.put(made.document, 1, extraction, "f")
    with records.database.read() as connection:
        found = {each.document.name: each for each in marked_documents(connection, ALL, SCHEMAS).values()}

    base, change = (found[f"Title of {name}"] for name in ("base", "change"))
    assert list(base.subjects) == list(change.subjects) == [("acme|delta", "software license agreement")]
    assert (base.document.since, change.document.amends) == ("2024-05-01", True)
