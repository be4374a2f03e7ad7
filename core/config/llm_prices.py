"""Public list prices of the models that are offered as delivered, of the day on which they were looked up."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

LIST_DATE = date(2026, 7, 4)
"""Day on which the list was last compared with the page; a provider may have changed its prices since."""

GROQ_LIST: Mapping[str, tuple[float, float]] = {
    "openai/gpt-oss-120b": (0.15, 0.60),
    "openai/gpt-oss-20b": (0.075, 0.30),
    "openai/gpt-oss-safeguard-20b": (0.075, 0.30),
}
"""US dollars per million tokens of prompt and completion, by model, on Groq's pay-as-you-go plan.

Source: groq.com/pricing as price catalogues quote it (Helicone pull request 5709, models.dev 2907), not
read there by us. What `[llm.prices]` says goes over it; another server has no list.
"""
