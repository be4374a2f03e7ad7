"""What is sent to the server, and what is kept from it."""

from __future__ import annotations

import pytest

from core.errors import IndexUnavailableError
from core.index.weaviate.filters import clean, values
from core.index.weaviate.writing import check_ids, object_id, properties_of
from tests.support.indexed import indexed


def test_text_that_the_server_refuses_is_replaced() -> None:
    assert clean("a\0b") == "a b"
    assert clean("a\ud800b\udc00") == "a\ufffdb\ufffd"
    assert clean("naïve 𝔘") == "naïve 𝔘"


def test_blank_names_are_not_looked_for() -> None:
    assert values(["b", "", " ", "\0", "a", "a"]) == ["a", "b"]


def test_the_same_batch_gives_the_same_ids_and_the_next_one_others() -> None:
    one = indexed(1, "a", "alpha")
    assert object_id(one, 3) == object_id(one, 3)
    assert object_id(one, 3) != object_id(one, 4)


def test_a_passage_without_groups_is_open() -> None:
    assert properties_of(indexed(1, "a", "alpha"), 1)["open"] is True
    assert properties_of(indexed(1, "a", "alpha", acl=("x",)), 1)["open"] is False


def test_an_id_that_the_server_would_round_is_refused() -> None:
    with pytest.raises(IndexUnavailableError):
        check_ids([indexed(2**53, "a", "alpha")])
