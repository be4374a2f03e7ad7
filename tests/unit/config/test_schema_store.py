"""Schemas of a home: shipped ones, changes over them, and what is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from core.config.fields import (
    FieldCheck,
    FieldDefinition,
    HeadExtractor,
    KeyValueExtractor,
    PatternExtractor,
    Relation,
    RuleExtractor,
    Schema,
)
from core.config.schema_store import SchemaStore, fingerprint, shipped_schemas
from core.domain.fields import FieldType
from core.errors import NotFoundError, SettingsError


def _field(name: str = "site", **values: object) -> FieldDefinition:
    given = {"title": "Site", "type": FieldType.TEXT, "extractors": (KeyValueExtractor(keys=("site",)),)}
    return FieldDefinition.model_validate({"name": name, **given, **values})


def test_twelve_schemas_ship_and_contracts_hold_all_clause_types(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    names = [each.name for each in store.schemas()]

    papers = ["minutes", "incidents", "policies", "filings", "budgets"]
    assert names == [
        *("contracts", "invoices", "datasheets", "certificates", "manuals", "pages"),
        *papers,
        "generic",
    ]
    assert [each.name for each in store.schemas() if each.when_present] == papers
    booleans = [each for each in store.schema("contracts").fields if each.type is FieldType.BOOLEAN]
    assert len(booleans) == 48
    assert all(each.synonyms and each.extractors for each in booleans)


def test_every_shipped_pattern_compiles(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    for schema in shipped_schemas().values():
        for definition in schema.fields:
            store.check(schema.name, definition)

    assert store.schemas()


def test_a_field_can_be_added_and_another_store_sees_it(tmp_path: Path) -> None:
    store, other = SchemaStore(tmp_path), SchemaStore(tmp_path)
    other.schemas()

    store.add_field("contracts", _field())

    assert other.schema("contracts").fields[-1].name == "site"
    assert tomllib.loads((tmp_path / "schemas" / "contracts.toml").read_text())["fields"][0]["name"] == "site"
    assert not list((tmp_path / "schemas").glob(".*"))


def test_a_field_cannot_be_added_twice(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.add_field("contracts", _field())

    with pytest.raises(SettingsError, match="already has a field 'site'"):
        store.add_field("contracts", _field())


def test_a_changed_field_stays_in_its_place(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    before = [each.name for each in store.schema("contracts").fields]

    store.change_field("contracts", _field("parties", title="Who"))

    after = store.schema("contracts").fields
    assert [each.name for each in after] == before
    assert after[before.index("parties")].title == "Who"


def test_a_removed_field_is_kept_and_comes_back_as_it_was(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    before = store.schema("contracts")

    store.remove_field("contracts", "discount")
    gone = store.schema("contracts")
    kept = [each.name for each in store.removed("contracts")]
    store.restore_field("contracts", "discount")

    assert gone.field("discount") is None
    assert kept == ["discount"]
    assert store.schema("contracts") == before


def test_a_renamed_field_keeps_its_place_and_the_old_definition(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    place = [each.name for each in store.schema("contracts").fields].index("annual_fee")

    store.rename_field("contracts", "annual_fee", "yearly_fee")
    store.rename_field("contracts", "yearly_fee", "fee_per_year")

    names = [each.name for each in store.schema("contracts").fields]
    assert names[place] == "fee_per_year"
    assert "annual_fee" not in names
    assert store.renames("contracts") == {"annual_fee": "fee_per_year", "yearly_fee": "fee_per_year"}
    assert {each.name for each in store.removed("contracts")} == {"annual_fee", "yearly_fee"}


def test_a_subject_is_of_the_home_and_follows_the_names_of_its_fields(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    own = "name = 'policies'\nsubject = {fields = ['matter'], once = true}\n"
    (tmp_path / "schemas" / "policies.toml").write_text(own)
    store = SchemaStore(tmp_path)
    store.add_field("policies", _field("matter"))
    store.rename_field("policies", "matter", "topic")
    store.rename_field("contracts", "document_name", "name_of_it")

    subjects = [SchemaStore(tmp_path).schema(name).subject for name in ("policies", "contracts")]
    assert [each.fields for each in subjects if each] == [("topic",), ("parties", "name_of_it")]
    assert subjects[0] is not None
    assert subjects[0].once


def test_a_name_that_was_renamed_can_be_restored_beside_the_new_one(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.rename_field("contracts", "annual_fee", "yearly_fee")

    store.restore_field("contracts", "annual_fee")

    schema = store.schema("contracts")
    assert schema.field("annual_fee") is not None
    assert schema.field("yearly_fee") is not None


def test_an_unknown_type_is_named_with_its_file_and_field(tmp_path: Path) -> None:
    _write(tmp_path, '[[fields]]\nname = "site"\ntitle = "Site"\ntype = "colour"\n')

    with pytest.raises(SettingsError, match=r"Field 'site' in .*contracts\.toml.*'colour' is no type"):
        SchemaStore(tmp_path).schemas()


def test_a_field_that_stands_twice_in_a_file_is_refused(tmp_path: Path) -> None:
    entry = '[[fields]]\nname = "site"\ntitle = "Site"\ntype = "text"\n'
    _write(tmp_path, entry + entry)

    with pytest.raises(SettingsError, match="'site' stands twice"):
        SchemaStore(tmp_path).schemas()


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    _write(tmp_path, "fields = [")

    with pytest.raises(SettingsError, match=r"contracts\.toml.*not valid TOML"):
        SchemaStore(tmp_path).schemas()


@pytest.mark.parametrize("pattern", ["(", r"(a)\1", "(?=a)b", "a{1,5000}{1,5000}"])
def test_a_pattern_that_re2_cannot_take_is_refused(tmp_path: Path, pattern: str) -> None:
    store = SchemaStore(tmp_path)
    definition = _field(extractors=(PatternExtractor(patterns=(pattern,)),))

    with pytest.raises(SettingsError, match=r"Field 'site' in schema 'contracts'.*cannot be used"):
        store.add_field("contracts", definition)

    assert store.schema("contracts").field("site") is None


def test_an_unknown_head_and_an_unknown_rule_are_refused(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path, heads={"insurance"}, rules={"parties"})
    head = _field(type=FieldType.BOOLEAN, extractors=(HeadExtractor(head="nonsense"),))
    rule = _field(extractors=(RuleExtractor(rule="nonsense"),))

    with pytest.raises(SettingsError, match="unknown head 'nonsense'"):
        store.add_field("generic", head)
    with pytest.raises(SettingsError, match="unknown rule 'nonsense'"):
        store.add_field("generic", rule)


def test_the_bucket_decides_before_what_a_document_looks_like(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    assert store.schema_for("receipts", "contracts").name == "invoices"
    assert store.schema_for("manuals", "generic").name == "manuals"
    assert store.schema_for("research", "contracts").name == "contracts"
    assert store.schema_for("research", "nonsense").name == "generic"
    assert store.schema_for("research").name == "generic"


def test_a_bucket_that_is_assigned_belongs_to_one_schema(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    store.assign_bucket("datasheets", "contracts")

    assert store.schema_for("contracts").name == "datasheets"
    assert "contracts" not in store.schema("contracts").buckets


def test_the_kinds_that_count_are_a_choice_of_the_home(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    assert store.schema("contracts").counts == ("agreement",)

    store.count_kinds("contracts", ("agreement", "amendment"))
    assert SchemaStore(tmp_path).schema("contracts").counts == ("agreement", "amendment")
    with pytest.raises(SettingsError, match="'lease', which is no kind"):
        store.count_kinds("contracts", ("lease",))
    store.count_kinds("contracts", ())
    assert SchemaStore(tmp_path).schema("contracts").counts == ()
    assert store.remove_field("contracts", "document_kind").kinds == ()


def test_an_export_reads_back_equal(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    odd = _field(title='A "quoted" \\ title\x7f', description="two\nlines", synonyms=("café", "a'b\\c"))
    schema = store.add_field("certificates", odd)

    for each in (schema, *shipped_schemas().values()):
        text = store.export(each.name)
        assert Schema.model_validate(tomllib.loads(text)) == store.schema(each.name)


def test_a_schema_of_the_homes_own_can_be_added(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    store.add_schema(Schema(name="permits", title="Permits", buckets=("permits",), fields=(_field(),)))

    assert SchemaStore(tmp_path).schemas()[-1].title == "Permits"
    assert store.schema_for("permits").field("site") is not None
    with pytest.raises(SettingsError, match="already"):
        store.add_schema(Schema(name="permits", title="Permits"))


def test_an_unknown_schema_or_field_is_not_found(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    with pytest.raises(NotFoundError, match="no schema 'nonsense'"):
        store.schema("nonsense")
    with pytest.raises(NotFoundError, match="no field 'nonsense'"):
        store.remove_field("contracts", "nonsense")


def test_the_fingerprint_changes_with_what_is_extracted_and_not_with_words(tmp_path: Path) -> None:
    schema = shipped_schemas()["invoices"]
    first, *others = schema.fields
    reworded = first.model_copy(update={"title": "Another", "synonyms": ("x",)})
    retyped = first.model_copy(update={"many": True})

    same = schema.model_copy(update={"fields": (reworded, *others)})
    changed = schema.model_copy(update={"fields": (retyped, *others)})

    assert fingerprint(same) == fingerprint(schema)
    assert fingerprint(changed) != fingerprint(schema)
    assert fingerprint(schema, "heads 2") != fingerprint(schema)


def _write(home: Path, text: str) -> None:
    (home / "schemas").mkdir()
    (home / "schemas" / "contracts.toml").write_text(text)


def test_a_bucket_can_be_taken_from_one_schema_after_the_other(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    for name in ("generic", "invoices", "contracts", "generic", "invoices"):
        store.assign_bucket(name, "mixed")

        assert [each.name for each in SchemaStore(tmp_path).schemas() if "mixed" in each.buckets] == [name]


def test_what_would_be_read_otherwise_is_not_written(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.assign_bucket("generic", "mixed")
    before = (tmp_path / "schemas" / "generic.toml").read_text()

    with pytest.raises(SettingsError, match="cannot be written"):
        store.assign_bucket("generic", "half a pair: \ud800")

    assert (tmp_path / "schemas" / "generic.toml").read_text() == before
    assert store.schema("generic").buckets == ("mixed",)


def test_a_phrase_is_an_example_of_its_field_and_leaves_the_field_as_it_ships(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    before = store.schema("contracts")
    after = store.add_phrase("contracts", "audit_rights", "look into the books")
    store.add_phrase("contracts", "audit_rights", "Look into the books")

    assert after.field("audit_rights").phrases == ("look into the books",)  # type: ignore[union-attr]
    written = tomllib.loads((tmp_path / "schemas" / "contracts.toml").read_text())
    assert written == {"name": "contracts", "phrases": {"audit_rights": ["look into the books"]}}
    assert fingerprint(after) == fingerprint(before)
    assert 'phrases = ["look into the books"]' in store.export("contracts")
    assert store.remove_phrase("contracts", "audit_rights", "LOOK into the books") == before
    with pytest.raises(NotFoundError, match="no example 'look into the books'"):
        store.remove_phrase("contracts", "audit_rights", "look into the books")


def test_phrases_stay_with_a_field_that_is_changed_renamed_and_brought_back(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.add_field("contracts", _field(phrases=("where it stands",)))
    store.add_phrase("contracts", "site", "in which place")
    both = ("where it stands", "in which place")

    assert store.change_field("contracts", _field(title="Place")).fields[-1].phrases == both
    changed = store.schema("contracts").fields[-1].model_copy(update={"title": "Spot"})
    assert store.change_field("contracts", changed).fields[-1].phrases == both
    assert store.rename_field("contracts", "site", "spot").fields[-1].phrases == both
    assert store.remove_phrase("contracts", "spot", "in which place").fields[-1].phrases == both[:1]
    store.remove_field("contracts", "spot")
    assert store.restore_field("contracts", "spot").fields[-1].phrases == both[:1]


def test_phrases_have_a_limit(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    with pytest.raises(SettingsError, match="cannot take"):
        store.add_phrase("contracts", "audit_rights", "x" * 201)
    with pytest.raises(SettingsError, match="cannot take ''"):
        store.add_phrase("contracts", "audit_rights", "")
    with pytest.raises(NotFoundError):
        store.add_phrase("contracts", "moon", "luna")


def _checks(store: SchemaStore, name: str) -> list[str]:
    found = store.schema("contracts").field(name)
    assert found is not None
    return [each.field for each in found.checks]


def test_a_renamed_field_is_renamed_in_the_checks_of_others(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    store.rename_field("contracts", "effective_date", "starts")

    assert _checks(store, "expiration_date") == ["starts", "agreement_date"]
    assert _checks(SchemaStore(tmp_path), "expiration_date") == ["starts", "agreement_date"]


def test_checks_against_a_removed_field_rest_until_it_is_back(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)

    store.remove_field("contracts", "effective_date")
    assert _checks(store, "expiration_date") == ["agreement_date"]
    store.restore_field("contracts", "effective_date")

    assert _checks(store, "expiration_date") == ["effective_date", "agreement_date"]


def test_a_check_that_cannot_be_made_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    check = FieldCheck(relation=Relation.AFTER, field="nonsense")

    with pytest.raises(SettingsError, match=r"'site' cannot be checked against 'nonsense': .*no field"):
        store.add_field("contracts", _field(type=FieldType.DATE, checks=(check,)))

    assert store.schema("contracts").field("site") is None
    assert SchemaStore(tmp_path).schemas()
