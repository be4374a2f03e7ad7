from __future__ import annotations

from core.domain.ids import DocumentId
from core.search.evidence.instances import named_instances


def _names(words: str, *texts: str) -> list[str]:
    return list(named_instances(words, ((DocumentId(str(at)), text) for at, text in enumerate(texts))))


def test_names_end_in_the_words_with_a_capital() -> None:
    texts = ("The Auburn Police Department hires.", "At Morgan Hill Police Department, a police department")
    assert _names("police department", *texts) == [
        "Auburn Police Department",
        "Morgan Hill Police Department",
    ]


def test_a_name_may_go_on_behind_the_words() -> None:
    found = _names("superior court", "Superior Court of California, County of Ventura is open.")
    assert found == ["Superior Court of California, County of Ventura"]


def test_the_words_alone_are_no_name() -> None:
    assert (
        _names("police department", "The Police Department. Police Department", "the police department") == []
    )


def test_of_two_that_contain_one_another_the_shorter_is_kept() -> None:
    assert _names("loan", "A VA Loan", "A VA Home Loan") == ["VA Loan"]


def test_a_kind_of_several_is_none_of_them() -> None:
    texts = ("Sampson State Park", "Long Point State Park", "a State Park")
    assert _names("park", *texts) == ["Sampson State Park", "Long Point State Park"]


def test_the_first_document_of_a_name_counts() -> None:
    texts = ((DocumentId(each), "Toronto Exchange") for each in ("a", "b"))
    assert named_instances("exchange", texts) == {"Toronto Exchange": "a"}


def test_words_that_look_like_patterns_are_taken_as_they_are() -> None:
    assert _names("c++ (group)", "The Acme C++ (Group) meets") in ([], ["Acme C++ (Group)"])
