"""The search engines of a home as settings name them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.encode.base import EncoderSignature
from core.errors import EncoderError, UsageError
from core.index.engines import EMBEDDED
from core.store.store import Records
from core.workbench.engines.passages import Engines


@pytest.fixture
def engines(tmp_path: Path) -> Iterator[Engines]:
    """Of an empty home without a search server."""
    settings = load_settings(tmp_path)
    with closing(Records.open(settings)) as records, closing(Engines(records, settings)) as opened:
        yield opened


def test_without_a_server_the_embedded_engine_alone_answers(engines: Engines) -> None:
    assert engines.names == (EMBEDDED,)
    assert not engines.is_open
    assert [each.name for each in engines.at_hand()] == [EMBEDDED]
    assert engines.is_open
    assert (engines.degradation(), engines.server_problem(), engines.server_start()) == ("", None, None)


def test_an_engine_that_the_settings_do_not_name_is_refused_with_those_that_they_do(engines: Engines) -> None:
    engines.require("")
    engines.require(EMBEDDED)
    with pytest.raises(UsageError, match="no engine 'weaviate'"):
        engines.require("weaviate")


def test_an_index_can_be_built_anew_also_where_it_was_never_opened(engines: Engines) -> None:
    engines.rebuild(lambda done, total: None)

    assert engines.facts(EMBEDDED).passages == 0


def test_vectors_of_another_encoder_are_refused_with_the_next_step(
    engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = EncoderSignature("other", 8, "0" * 64)
    monkeypatch.setattr(type(engines._records.passages), "encoder_signature", lambda self: stored)

    with pytest.raises(EncoderError, match="encoded by 'other' \\(8 dimensions\\)") as caught:
        _ = engines.passages

    assert "groundwork reindex" in caught.value.next_step
