"""Language models in words: roles, outcomes, settings, and what was spent as a chart and tables."""

from __future__ import annotations

from collections.abc import Sequence

from app.presenting.chart import Chart
from app.presenting.wording import counted
from core.config.llm_choices import ModelChoice
from core.config.load import FILE_NAME
from core.domain.llm.report import DaySpending, LostCalls, ModelHistory
from core.domain.llm.use import ModelOutcome, ModelRole

KIND = {"structured": "Replies of a given form", "tools": "Tool calls", "stream": "Streamed text"}
"""Kinds of call, in the order in which they are tried."""
ROLE = {
    ModelRole.STANDALONE: "Read the conversation",
    ModelRole.PLAN: "Plan",
    ModelRole.WRITE: "Write",
    ModelRole.VERIFY: "Check what was written",
    ModelRole.READ: "Read cells",
    ModelRole.AGENT: "Call tools",
    ModelRole.TEST: "Test",
}
LOST = {
    ModelOutcome.INVALID: "The reply was of no use, even after a repair",
    ModelOutcome.TIMED_OUT: "No answer in time",
    ModelOutcome.RATE_LIMITED: "The server's limit was reached",
    ModelOutcome.TOO_LARGE: "Too large for the server",
    ModelOutcome.REFUSED_KEY: "The key was refused",
    ModelOutcome.UNAVAILABLE: "The server did not answer",
    ModelOutcome.CUT_SHORT: "The reply broke off",
    ModelOutcome.FILTERED: "The server's filter cut off the reply",
    ModelOutcome.OVER_BUDGET: "Over a budget, not sent",
    ModelOutcome.CIRCUIT_OPEN: "Not sent, for the server had failed several times",
    ModelOutcome.STOPPED: "Stopped by the person",
    ModelOutcome.BEGUN: "Begun and not ended: it runs, or its process was killed",
}
HELP = {
    "base_url": "Of any OpenAI-compatible server, with its path; empty for Groq.",
    "planning_model": "Reads hard questions and follow-ups, and calls the tools.",
    "writing_model": "Writes the sentences of an answer.",
    "checking_model": "Checks every sentence against what it cites.",
    "reading_model": "Reads the uncertain cells of the matrix.",
    "agent": "Planned first: the plan is made, then searched. Calling tools: the model searches by itself.",
    "effort": "How long a model of this kind thinks before it answers.",
    "verify": "Code checks every sentence in any case; with this, the checking model does so, too.",
    "batch": "The server answers within a day. What has to be asked twice costs the full price. Questions "
    "never wait for it.",
    "tokens_per_minute": "Of the server's plan, prompt and reserved reply together; 0 for no limit.",
    "tokens_per_question": "Over it no further call is made, and the answer says so.",
    "tokens_per_day": "Of this home, all people together; over it no call is made until midnight UTC.",
}
AGENT = {"orchestrator": "Planned first", "loop": "Calling tools"}
EFFORT = {"low": "Low", "medium": "Medium", "high": "High"}
_CHART_PX = 190


def money(usd: float | None) -> str:
    """`$0.0042`, `$1.30`; "–" where no price is known."""
    if usd is None:
        return "–"
    return f"${usd:,.4f}" if 0 < usd < 0.01 else f"${usd:,.2f}"


def origin_words(choice: ModelChoice) -> str:
    """Where a setting was decided: `set by GROUNDWORK_LLM__EFFORT`, `chosen here`."""
    return {
        "environment": f"set by {choice.variable}",
        "page": "chosen here",
        "file": f"from {FILE_NAME}",
        "default": "as delivered",
    }[choice.origin]


def value_words(choice: ModelChoice) -> str:
    """Its value as a person reads it."""
    if choice.name == "base_url":
        return choice.value or "Groq (api.groq.com)"
    if choice.name in ("verify", "batch"):
        return "yes" if choice.value == "true" else "no"
    if choice.name.startswith("tokens_"):
        return f"{int(choice.value):,}" if int(choice.value) else "no limit"
    return {**AGENT, **EFFORT}.get(choice.value, choice.value)


def spent_words(day: DaySpending, limit: int) -> str:
    """`1,200 of 200,000 tokens in 3 calls, $0.02`."""
    told = f"{day.tokens:,} of {limit:,} tokens in {counted(day.calls, 'call')}"
    return told if day.cost_usd is None else f"{told}, {money(day.cost_usd)}"


def spending_chart(days: Sequence[DaySpending]) -> Chart:
    """A bar a day: its tokens."""
    data = [
        {
            "type": "bar",
            "name": "Tokens",
            "x": [day.day.isoformat() for day in days],
            "y": [day.tokens for day in days],
            "marker": {"color": "--st-blue-color"},
            "hovertemplate": "%{x|%-d %b}: %{y:,} tokens<extra></extra>",
        }
    ]
    layout = {
        "height": _CHART_PX,
        "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
        "bargap": 0.35,
        "hovermode": "closest",
        "showlegend": False,
        "xaxis": {"type": "date", "tickformat": "%-d %b", "nticks": 7, "showgrid": False},
        "yaxis": {"tickformat": ",", "rangemode": "tozero", "nticks": 4},
    }
    name = "Bar chart: tokens of each day (UTC). Its values are in the table."
    return Chart(name, {"data": data, "layout": layout}, day_rows(days))


def day_rows(days: Sequence[DaySpending]) -> list[dict[str, str]]:
    """The days with calls, the newest first."""
    return [
        {
            "Day (UTC)": f"{day.day.day} {day.day:%b %Y}",
            "Calls": f"{day.calls:,}",
            "Tokens": f"{day.tokens:,}",
            "Cost": money(day.cost_usd),
            "Not sent": f"{day.refused:,}",
            "Failed": f"{day.failed:,}",
        }
        for day in reversed(days)
        if day.calls
    ]


def role_rows(history: ModelHistory) -> list[dict[str, str]]:
    """What each role took, the one with most tokens first."""
    return [
        {
            "For": ROLE[each.role],
            "Calls": f"{each.calls:,}",
            "Tokens": f"{each.tokens:,}",
            "Cost": money(each.cost_usd),
            "Without a reply": f"{each.failed:,}",
        }
        for each in history.roles
    ]


def lost_words(lost: LostCalls) -> str:
    """`No answer in time: 2 calls. The server took too long.`"""
    told = f"{LOST.get(lost.outcome, lost.outcome)}: {counted(lost.calls, 'call')}."
    return f"{told} {lost.detail}".strip()
