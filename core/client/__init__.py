"""Client of the REST interface, for Python programs: `from core.client import Client`.

Responses are the shapes that the server sends. Keys that a later server adds are left alone, so that a
program of today goes on working with it.
"""

from core.client.client import CitedPlace, Client, JobRecord, StreamedEvent
from core.client.transport import ApiError
from core.domain.wire.records import DocumentRow as DocumentRecord
from core.domain.wire.records import Health as ServerHealth
from core.domain.wire.records import Hit as HitRecord
from core.domain.wire.records import JobInput
from core.domain.wire.records import PageText as DocumentPage
from core.domain.wire.records import PlanMade as PlanRecord
from core.domain.wire.records import QuestionState as QuestionRecord
from core.domain.wire.records import SearchResult as SearchResponse
from core.domain.wire.records import WholeDocument as DocumentPages

__all__ = [
    "ApiError",
    "CitedPlace",
    "Client",
    "DocumentPage",
    "DocumentPages",
    "DocumentRecord",
    "HitRecord",
    "JobInput",
    "JobRecord",
    "PlanRecord",
    "QuestionRecord",
    "SearchResponse",
    "ServerHealth",
    "StreamedEvent",
]
