"""The one document that another belongs to."""

from __future__ import annotations

from core.domain.fields import Fit
from core.values.naming.kinship import Kin, PossibleParent, choose
from core.values.naming.references import Kinship, ParentReference

_PARTIES = ("Acme Inc.", "Beta Works LLC")
_TITLES = frozenset(["supply agreement"])
_OWN = PossibleParent("child", parties=_PARTIES)


def _reference(day: str = "") -> ParentReference:
    return ParentReference(Kinship.AMENDS, 0, 1, "supply agreement", day)


def _master(id: str, day: str = "", parties: tuple[str, ...] = _PARTIES) -> PossibleParent:
    return PossibleParent(id, _TITLES, parties, frozenset([day] if day else []))


def test_the_one_with_title_parties_and_day_is_stated() -> None:
    masters = [_master("a", "2024-03-01"), _master("b", "2020-01-01")]
    assert choose(_reference("2024-03-01"), _OWN, masters) == Kin("a", Fit.STATED)


def test_of_two_of_the_same_title_and_parties_none_is_given() -> None:
    masters = [_master("b", "2020-01-01"), _master("a", "2024-03-01")]
    assert choose(_reference(), _OWN, masters) == Kin()


def test_one_of_another_day_is_none() -> None:
    assert choose(_reference("2024-03-01"), _OWN, [_master("b", "2020-01-01")]) == Kin()


def test_one_of_other_parties_is_none() -> None:
    assert choose(_reference(), _OWN, [_master("a", parties=("Gamma Ltd", "Delta GmbH"))]) == Kin()


def test_one_without_a_day_or_with_one_party_is_likely() -> None:
    assert choose(_reference("2024-03-01"), _OWN, [_master("a")]) == Kin("a", Fit.LIKELY)
    assert choose(_reference(), _OWN, [_master("a", parties=_PARTIES[:1])]) == Kin("a", Fit.LIKELY)


def test_a_document_is_never_over_itself() -> None:
    assert choose(_reference(), _OWN, [_master("child")]) == Kin()
    assert choose(_reference(), _OWN, []) == Kin()


def test_without_a_day_title_and_parties_are_only_likely() -> None:
    assert choose(_reference(), _OWN, [_master("a", "2024-03-01")]) == Kin("a", Fit.LIKELY)


def test_one_party_written_twice_is_one() -> None:
    own = PossibleParent("child", parties=("Acme Inc.", "ACME Inc"))
    assert choose(_reference("2024-03-01"), own, [_master("a", "2024-03-01")]) == Kin("a", Fit.LIKELY)
