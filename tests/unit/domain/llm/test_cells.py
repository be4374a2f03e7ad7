from __future__ import annotations

from core.domain.llm.cells import (
    CellReadingEstimate,
    CellReadingTally,
    ModelSample,
    estimate_said,
    sample_said,
    tally_said,
)

ESTIMATE = CellReadingEstimate(
    model="small",
    cells=480,
    documents=40,
    calls=96,
    prompt_tokens=300_000,
    completion_tokens=60_000,
    cost_usd=0.06,
    seconds=2_700,
    day_tokens_left=500_000,
    is_exact=False,
)


def test_the_cost_is_said_in_a_sentence() -> None:
    assert estimate_said(ESTIMATE) == (
        "480 uncertain cells of 40 documents for small: about 96 calls, about 360,000 tokens, $0.0600, "
        "about 45 min."
    )


def test_an_unknown_price_and_a_short_budget_are_said() -> None:
    found = estimate_said(ESTIMATE.model_copy(update={"cost_usd": None, "day_tokens_left": 1_000}))

    assert "price not known" in found
    assert "Today's budget has 1,000 tokens left: the job stops there" in found


def test_what_was_read_before_is_said() -> None:
    found = estimate_said(ESTIMATE.model_copy(update={"kept": 1, "asked_before": 7}))

    assert "1 cell more were read before" not in found
    assert "1 cell read before comes back without a call." in found
    assert "7 were read before in vain, and are not asked again." in found


def test_where_nothing_waits_that_is_said() -> None:
    nothing = CellReadingEstimate(model="small", cells=0)

    assert estimate_said(nothing) == "No uncertain cell waits to be read by small."


def test_a_tally_says_what_was_decided_and_what_stays() -> None:
    tally = CellReadingTally(read=470, present=300, absent=12)

    assert tally_said(tally, 470) == "The model settled 312 of 470 cells; 158 stay as they were."
    assert (tally.decided, tally.uncertain) == (312, 158)


def test_a_sample_says_its_precision_once_something_is_checked() -> None:
    assert sample_said(ModelSample()) == ""
    assert sample_said(ModelSample(of=90, size=50)) == "None of the sample of 50 is checked yet."
    checked = ModelSample(of=90, size=50, checked=20, right=19)
    said = "Of the sample of 50, 20 are checked: 19 right (95%, 95 % interval 76% to 99%)."
    assert sample_said(checked) == said


def test_a_run_that_was_stopped_says_what_was_not_asked() -> None:
    tally = CellReadingTally(read=20, present=14, absent=1)

    assert tally_said(tally, 173) == (
        "The model settled 15 of 173 cells, 5 asked that stay as they were, 153 not asked."
    )
