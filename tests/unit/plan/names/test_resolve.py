"""Resolution of words to documents."""

from __future__ import annotations

import pytest

from core.domain.document import OpeningNames
from core.plan.catalogue import DocumentEntry
from core.plan.names.index import NameIndex
from core.plan.names.naming import parse_naming
from core.plan.names.resolve import (
    FEATURES,
    NameDecision,
    NameResolution,
    candidates,
    resolve,
    weigh,
    weigh_none,
)
from core.values.naming.opening import opening_names

LIME = """Exhibit 10

DISTRIBUTOR AGREEMENT

THIS DISTRIBUTOR AGREEMENT (the "Agreement") is made as of September 7, 1999 by and between Lime Energy Co., a
Delaware corporation ("Company"), and Electric City of Illinois LLC ("Distributor").
"""
SONOS = """[LOGO]

This Services and Hosting Agreement is entered into on March 14, 2018 by and between Sonos, Inc. ("Sonos") and
VOTOCAST, Inc., a California corporation ("Votocast").
"""
VENTURE = """JOINT VENTURE AGREEMENT

between Kiromic Biopharma Inc. ("KBI") and Molipharma S.R.L., an Italian company ("Molipharma"), 2 April 2020
"""
SUPPLY = """MANUFACTURING AND SUPPLY AGREEMENT dated as of January 1, 2013 between Vapotherm, Inc. and Medica
S.p.A. for the supply of cartridges
"""
CHANGE = """SECOND AMENDMENT TO MANUFACTURING AND SUPPLY AGREEMENT dated May 2, 2016 between Vapotherm,
Inc. and Medica S.p.A.
"""
TEXTS = {
    "LIMEENERGYCO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT.txt": LIME,
    "scan0042.pdf": SONOS,
    "KIROMICBIOPHARMA_INC_04_08_2020-EX-10.28-JOINT_VENTURE_AGREEMENT.txt": VENTURE,
    "VAPOTHERM_INC._-_Manufacturing_and_Supply_Agreement.txt": SUPPLY,
    "VAPOTHERM_INC._-_Amendment.txt": CHANGE,
}
INDEX = NameIndex(
    [
        DocumentEntry(
            "1",
            "",
            "a.txt",
            "c",
            opening=OpeningNames("Hosting Agreement", (("Sonos Inc",),), ("2004-03-01",)),
        ),
        DocumentEntry(
            "2", "", "b.txt", "c", opening=OpeningNames("Amendment No. 2 to Lease", (("Target Inc",),))
        ),
    ]
)


@pytest.fixture(scope="module")
def index() -> NameIndex:
    return NameIndex(
        DocumentEntry(str(number), "[LOGO]", source, "contracts", opening=opening_names(text))
        for number, (source, text) in enumerate(TEXTS.items())
    )


def one(found: NameResolution) -> str:
    assert found.decision is NameDecision.ONE, found
    return found.documents[0].source


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("the Sonos hosting deal", "scan0042.pdf"),
        ("sonos'", "scan0042.pdf"),
        ("Votocast/Sonos paper", "scan0042.pdf"),
        ("Lime Energy's distributor contract", "LIMEENERGYCO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT.txt"),
        ("lime enregy", "LIMEENERGYCO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT.txt"),
        ("Kime Energy distribution", "LIMEENERGYCO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT.txt"),
        ("our 1999 distributor agreement", "LIMEENERGYCO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT.txt"),
        (
            "the JV between Kiromic and Molipharma",
            "KIROMICBIOPHARMA_INC_04_08_2020-EX-10.28-JOINT_VENTURE_AGREEMENT.txt",
        ),
        ("KBI", "KIROMICBIOPHARMA_INC_04_08_2020-EX-10.28-JOINT_VENTURE_AGREEMENT.txt"),
        ("Vapotherm-Medica supply agreement", "VAPOTHERM_INC._-_Manufacturing_and_Supply_Agreement.txt"),
        ("Amendment 2 of the Vapotherm agreement", "VAPOTHERM_INC._-_Amendment.txt"),
        ("scan0042.pdf", "scan0042.pdf"),
    ],
)
def test_words_name_one_document(words: str, source: str, index: NameIndex) -> None:
    assert one(resolve(words, index)) == source


@pytest.mark.parametrize("words", ["the Zorblatt contract", "the Zorblatt hosting deal", "the contract", ""])
def test_a_name_that_nobody_has_is_no_other_document(words: str, index: NameIndex) -> None:
    found = resolve(words, index)

    assert found.decision is NameDecision.NONE
    assert found.documents == ()


def test_two_that_are_alike_are_both_given_the_likelier_first() -> None:
    twins = NameIndex(
        DocumentEntry(
            name, "Lease", f"{name}.txt", "contracts", opening=opening_names(f"LEASE AGREEMENT with {name}")
        )
        for name in ("Harbor North Inc.", "Harbor South Inc.")
    )

    found = resolve("the Harbor lease", twins)

    assert found.decision is NameDecision.SEVERAL
    assert len(found.documents) == 2


def test_of_a_set_nothing_that_shares_the_name_is_left_out_however_much_likelier_one_is() -> None:
    titles = {
        "alphasolar-product-family": "AlphaSolar Product Family Overview",
        **{
            f"alphasolar-as-{each}": f"AlphaSolar AS-{each} Photovoltaic Module"
            for each in (330, 400, 450, 550)
        },
        "inverter-iq-60": "Inverter IQ-60 Datasheet",
        "battery-cabinet": "Battery Cabinet B-120 Datasheet, tested with AlphaSolar modules",
    }
    index = NameIndex(
        DocumentEntry(name, title, f"datasheets/{name}.html", "datasheets", opening=opening_names(title))
        for name, title in titles.items()
    )

    found = resolve("AlphaSolar", index)

    assert found.decision is NameDecision.ONE  # the likeliest where one is meant
    assert {each.id for each in found.sharing} == {*titles} - {"inverter-iq-60"}
    assert resolve("AlphaSolar AS-400", index).documents[0].id == "alphasolar-as-400"


def test_those_that_share_a_name_are_of_the_day_that_is_said() -> None:
    twins = NameIndex(
        DocumentEntry(
            at, "Lease", f"{at}.txt", "contracts", opening=opening_names(f"LEASE with Harbor Inc. dated {at}")
        )
        for at in ("March 3, 2020", "May 5, 2020", "June 1, 2021")
    )

    found = resolve("the Harbor leases of 2020", twins)

    assert {each.id for each in found.sharing} == {"March 3, 2020", "May 5, 2020"}


def test_probabilities_add_up_to_one_at_most(index: NameIndex) -> None:
    found = resolve("the Vapotherm agreement", index)

    assert 0.5 < sum(each.probability for each in found.candidates) <= 1.0


def test_other_buckets_are_not_looked_at(index: NameIndex) -> None:
    assert resolve("the Sonos hosting deal", index, buckets=("manuals",)).decision is NameDecision.NONE


def test_an_index_made_from_an_earlier_one_finds_the_same(index: NameIndex) -> None:
    again = NameIndex(index.entries[:3], index)

    assert one(resolve("the Sonos hosting deal", again)) == "scan0042.pdf"
    assert again.profiles[0] is index.profiles[0]


def test_a_code_in_one_file_name_tells_it_from_those_that_mention_it() -> None:
    bills = {
        "INV-20533 Quillan.txt": "INVOICE INV-20533 of Quillan Elastomers Ltd, 12 February 2025",
        "INV-20418 Quillan.html": "Invoice INV-20418 of Quillan Elastomers Ltd, 27 January 2025",
        "credit CN-0077.md": "Credit note CN-0077 for INV-20533 of Quillan Elastomers Ltd",
    }
    index = NameIndex(
        DocumentEntry(str(number), "Invoice", source, "invoices", opening=opening_names(text))
        for number, (source, text) in enumerate(bills.items())
    )

    assert one(resolve("INV-20533", index)) == "INV-20533 Quillan.txt"


def documents(**texts: str) -> NameIndex:
    return NameIndex(
        DocumentEntry(source, "", f"{source}.txt", "contracts", opening=opening_names(text))
        for source, text in texts.items()
    )


def test_the_beginning_of_one_file_name_tells_it() -> None:
    index = documents(
        RandWorldwideInc_20010402_8_KA_EX_10_2="CO-BRANDING AGREEMENT", RandWorldwideInc_19990101_10_K="LEASE"
    )

    assert one(resolve("RandWorldwideInc_20010402", index)) == "RandWorldwideInc_20010402_8_KA_EX_10_2.txt"


def test_a_word_of_the_text_that_one_document_has_suffices() -> None:
    index = documents(
        first="LICENSE AGREEMENT between Vyera LLC and CytoDyn Inc. of leronlimab. " + "leronlimab " * 4,
        second="LICENSE AGREEMENT between Coherus Inc. and Bioeq AG of ranibizumab. " + "ranibizumab " * 4,
        third="LEASE between Target Corporation and Harbor Estates LLC",
    )

    assert one(resolve("the leronlimab licence", index)) == "first.txt"


def test_the_code_that_a_document_states_is_never_denied() -> None:
    index = documents(
        first="MAINTENANCE AGREEMENT Contract No.: pr-4544 between Midwest, Inc. and MTS, Inc.",
        second="LEASE with a pr department between Target Corporation and Harbor Estates LLC",
    )

    assert one(resolve("pr-4544", index)) == "first.txt"


def test_the_contract_itself_is_meant_where_no_amendment_is_said() -> None:
    index = documents(
        first="SERVICES AGREEMENT between Federated Management Company and Advisory Services LLC",
        second="SECOND AMENDMENT TO SERVICES AGREEMENT between Federated Management Company and Advisory "
        "Services LLC",
    )

    assert resolve("the Federated services agreement", index).candidates[0].document.id == "first"
    assert one(resolve("the second amendment to the Federated services agreement", index)) == "second.txt"


def figures(words: str, row: int) -> dict[str, float]:
    (found,) = weigh(parse_naming(words, INDEX), INDEX, [row])
    return {name: value for name, value in zip(FEATURES, found, strict=True) if value}


def test_documents_that_share_a_word_are_candidates() -> None:
    assert candidates(parse_naming("the Sonos deal", INDEX), INDEX) == [0]
    assert candidates(parse_naming("the Zorblatt deal", INDEX), INDEX) == []


def test_a_party_counts_with_its_side() -> None:
    found = figures("the Sonos hosting deal", 0)

    assert found["first_side"] > 0.9
    assert found["kind_share"] == 1.0


def test_what_a_document_lacks_counts_against_it() -> None:
    assert figures("the Zorblatt hosting deal", 0)["strange"] == 1.0


def test_days_agree_or_not() -> None:
    assert figures("Sonos March 2004", 0)["day"] == 1.0
    assert figures("Sonos 2004", 0)["year"] == 1.0
    assert figures("Sonos 1998", 0)["other_year"] == 1.0


def test_amendments_and_their_numbers_agree_or_not() -> None:
    assert figures("Amendment 2 with Target", 1)["number"] == 1.0
    assert figures("Amendment 3 with Target", 1)["other_number"] == 1.0
    assert figures("the Target lease", 1)["changes_unsaid"] == 1.0
    assert figures("Amendment 1 with Sonos", 0)["changes_not"] == 1.0


def test_no_document_is_weighed_by_the_words_alone() -> None:
    assert weigh_none(parse_naming("the Zorblatt deal", INDEX)).tolist() == [1.0, 1.0, 0.0, 0.0, 1.0]
