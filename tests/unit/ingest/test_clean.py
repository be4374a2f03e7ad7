import pytest

from core.ingest.clean import distinct_name, file_name, normalise


def test_stored_text_has_one_kind_of_line_end_and_nothing_invisible() -> None:
    assert normalise("so\u00adlid\r\nto\u200bday\x07 e\u0301 \ud800") == "solid\ntoday  \u00e9 \ufffd"
    assert normalise(normalise("a\r\rb")) == normalise("a\r\rb") == "a\n\nb"


@pytest.mark.parametrize(
    ("given", "name"),
    [("..\\..\\rates.csv", "rates.csv"), ("/etc/passwd", "passwd"), (" . ", ""), ("a/", "a")],
)
def test_a_name_from_elsewhere_leads_nowhere(given: str, name: str) -> None:
    assert file_name(given) == name


def test_names_that_are_taken_get_a_number_before_their_extension() -> None:
    taken: set[str] = set()
    names = [distinct_name("rates.csv", taken) for _ in range(3)]
    assert names[0] == "rates.csv"
    assert len(set(names)) == 3
    assert all(name.endswith(".csv") for name in names)
