from __future__ import annotations

import pytest

from core.guard.links import without_foreign_links

OURS = "https://docs.example/a"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("See [here](http://evil.example/?d=1).", "See here."),
        ("![x](http://evil.example/a.png)", "x"),
        ("![](<http://evil.example/a b> 'title')", ""),
        ("[![x](http://e.example/i.png)](http://e.example)", "x"),
        ("[a][1]\n\n[1]: http://evil.example", "a\n\n"),
        ("go to http://evil.example/x.", ""),
        (
            "Rent is due in May, see www.evil.example. It is USD 5. [1]",
            "Rent is due in May. It is USD 5. [1]",
        ),
        ("It is due in May and more is at hxxps://evil.example/a. [2]", "It is due in May. [2]"),
        ("At evil[.]com, the rent is said to be due.", "The rent is said to be due."),
        ("Rent is due (see http://evil.example) in May.", "Rent is due in May."),
        ("Rent is due. Go to http://evil.example now. [1] It is USD 5. [2]", "Rent is due. It is USD 5. [2]"),
        ("<http://evil.example>", ""),
        ('<img src="http://evil.example/?q=1">text', "text"),
        ("<script>fetch('x')</script>done", "done"),
        ("h<b>ttp://evil.example/x", ""),
        ("[x](javascript:alert)", "x"),
    ],
)
def test_foreign_addresses_are_taken_out(text: str, clean: str) -> None:
    assert without_foreign_links(text, [OURS]).text == clean


@pytest.mark.parametrize(
    "text",
    [
        f"[a]({OURS}) and {OURS}#part [1]",
        "The fee is 3.50; see section 2.1 [1] [2], a < b, file.txt.",
        "**bold** and `code`",
    ],
)
def test_what_is_cited_and_plain_text_stay(text: str) -> None:
    assert without_foreign_links(text, [OURS]) == type(without_foreign_links("", []))(text)


def test_a_bare_address_that_a_cited_quote_has_is_a_fact() -> None:
    quote = "Its site is www.acme.example."
    assert without_foreign_links("It is www.acme.example.", [], [quote]).removed == 0
    assert without_foreign_links("[It](http://www.acme.example)", [], [quote]).text == "It"
    assert without_foreign_links("www.acme.example/?q=secret", [], [quote]).removed == 1


def test_applying_it_twice_changes_nothing() -> None:
    once = without_foreign_links("[x](http://a.example) <b>http://b.example</b>", []).text
    assert without_foreign_links(once, []).text == once
