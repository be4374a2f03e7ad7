"""Passages around an answer that were not searched for: the nearest ones, and where to go on."""

from __future__ import annotations

from core.agent.suggestions.text import OF_PROGRAM, suggest
from core.answer.abstain import nearest_passages
from core.domain.answer import Answer, Route, Status
from core.domain.search import SearchQuery
from core.errors import IndexUnavailableError
from core.evidence.base import EvidenceFinder
from core.evidence.pack import pack
from core.records.database.visibility import Visibility


def with_surroundings(
    answer: Answer, finder: EvidenceFinder, visibility: Visibility, buckets: tuple[str, ...]
) -> Answer:
    """The answer with questions to go on with; one that abstains with the passages nearest to it, too."""
    if answer.status not in (Status.ANSWERED, Status.PARTIAL, Status.ABSTAINED):
        return answer
    titles = dict.fromkeys(source.title for source in answer.sources)
    if answer.follow_ups:
        return answer  # made of its plan
    if answer.status is not Status.ABSTAINED or answer.nearest:
        found: tuple[str, ...] = suggest(answer.question, answer.claims, (), titles)
        if answer.route is Route.STRUCTURED:
            found = tuple(each for each in found if each not in OF_PROGRAM)
        return answer.model_copy(update={"follow_ups": found})
    try:
        evidence = pack(finder.retrieve(SearchQuery(answer.question, buckets=buckets), visibility))
    except IndexUnavailableError:
        return answer  # what is absent is known without the index
    return answer.model_copy(
        update={
            "nearest": nearest_passages(evidence),
            "follow_ups": suggest(answer.question, answer.claims, evidence.candidates, titles),
        }
    )
