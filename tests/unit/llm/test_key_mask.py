from __future__ import annotations

import base64
import json
from random import Random

import pytest

from core.llm.key_mask import KeyMask, StreamMask

KEY = "gsk_Q7w2Zx9LmT4vB8nKc1RfHj5Yp3Ds6Ga0"


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(each):04x}" for each in text)


@pytest.mark.parametrize(
    "said",
    [
        KEY,
        KEY.upper(),
        KEY[:6],
        KEY[:20],
        KEY[-9:],
        KEY[8:20],
        f"{KEY[:7]}...{KEY[-4:]}",
        f"{KEY[:3]}****{KEY[-3:]}",
        f"{KEY[:4]}…{KEY[-4:]}",
        base64.b64encode(KEY.encode()).decode()[:-3],
        base64.urlsafe_b64encode(b"user:" + KEY.encode()).decode()[8:-3],
        KEY.encode().hex(),
        escaped(KEY),
        KEY.replace("_", "%5F").replace("Q", "%51"),
        json.dumps(escaped(KEY))[1:-1],
    ],
)
def test_no_form_of_the_key_is_left_in_what_a_server_says(said: str) -> None:
    mask = KeyMask(KEY)

    for hidden in (mask.error(f"No: {said}, sorry"), mask.reply(f"No: {said}, sorry")):
        assert hidden == "No: ***, sorry"


def test_the_tail_of_a_key_that_reads_as_a_word_goes_from_an_error_and_stays_in_an_answer() -> None:
    mask = KeyMask("gsk_Q7w2Zx9Lsecret")

    assert mask.error("ends in secret") == "ends in ***"
    assert mask.reply("a trade secret") == "a trade secret"


@pytest.mark.parametrize("key", ["", "x", "none", "ollama"])
def test_a_key_that_is_none_takes_no_word_from_an_answer(key: str) -> None:
    text = "x none ollama, there is none"

    assert KeyMask(key).reply(text) == text
    assert "".join([StreamMask(KeyMask(key)).feed(text)]).startswith("x none ollama,")


def test_a_text_without_a_key_stays_as_it_is() -> None:
    text = 'Rent is USD 4,500... "due" \\u00e9 100%25 on 2026-03-01.\n'

    assert KeyMask(KEY).reply(text) == KeyMask(KEY).error(text) == text


def test_other_keys_go_from_messages() -> None:
    assert KeyMask(KEY).message("Bearer abc.def and sk-0123456789") == "Bearer *** and ***"


@pytest.mark.parametrize("seed", range(20))
def test_a_key_is_masked_however_a_stream_is_cut(seed: int) -> None:
    rng = Random(seed)
    text = f'{{"text": "Use {KEY} now, {KEY[:9]}", "ids": ["{escaped(KEY)}"]}}\nNext line.'
    masked, given, left = StreamMask(KeyMask(KEY)), "", text
    while left:
        size = rng.randint(1, 12)
        given += masked.feed(left[:size])
        left = left[size:]
        assert KEY[:6] not in given
    given += masked.end()

    assert given == '{"text": "Use *** now, ***", "ids": ["***"]}\nNext line.'


def test_a_stream_waits_for_no_more_than_a_word() -> None:
    masked = StreamMask(KeyMask(KEY))

    assert masked.feed("The rent is du") == "The rent is "
    assert masked.feed("e on") == "due "
    assert masked.end() == "on"


def test_a_stream_without_a_space_is_given_all_the_same() -> None:
    masked = StreamMask(KeyMask(KEY))

    given = "".join(masked.feed("aé" if at % 3 else "bcd,") for at in range(2_000))

    assert len(given) > 3_000
