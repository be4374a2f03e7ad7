from __future__ import annotations

from pathlib import Path

import pytest

from core.config.models import LlmSettings, Settings
from core.domain.fields import ReviewAction
from core.domain.principal import Principal
from core.errors import RefusedError
from core.workbench import Workbench
from tests.support.filled_matrix import fill
from tests.support.reading_cells import reading
from tests.support.scripted_llm import ScriptedLlm
from tests.support.serve_model_cells import contracts

CAROL = Principal("carol", roles=frozenset({"reviewer"}))


def test_what_people_and_readers_say_is_proposed_as_examples(tmp_path: Path) -> None:
    home = tmp_path / "home"
    documents = fill(home)
    with ScriptedLlm(reading(contracts)) as server:
        llm = LlmSettings(base_url=server.url, tokens_per_minute=0)
        with Workbench.open(settings=Settings(home=home, llm=llm)) as bench:
            session = bench.local
            session.model_cells.read("contracts", with_decided=True)
            cobalt, ember = (documents[f"{name} agreement"] for name in ("Cobalt", "Ember"))
            [disputed] = session.schemas.examples("contracts", "insurance")
            session.matrix.review(ember, "insurance", ReviewAction.ABSENT)
            session.matrix.review(cobalt, "governing_law", ReviewAction.CONFIRM)

            [rejected] = session.schemas.examples("contracts", "insurance")
            [law] = session.schemas.examples("contracts", "governing_law")
            assert (disputed.states_it, disputed.by_model) == (None, False)
            assert (rejected.states_it, rejected.document, rejected.quote) == (False, ember, disputed.quote)
            assert (law.states_it, law.quote) == (
                True,
                "This agreement is governed by the laws of Texas.",
            )
            [value] = session.schemas.examples("contracts", "contract_value")
            assert (value.quote, value.by_model) == ("The contract value is USD 3,250.00.", True)
            assert session.schemas.examples("contracts", "contract_value", [value.quote]) == []
            with pytest.raises(RefusedError):
                bench.for_principal(CAROL).schemas.examples("contracts", "insurance")
