"""Questions on how two names are connected, read by the names of the map; any other is left to other readers.

No rule of English: beside the names there may only be stop words and words of the node that answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.errors import DeadlineError
from core.graph.walk import MapWalks
from core.plan.ir.nodes.connect import ABOUT
from core.plan.reading import Operation, Reading, ReadName
from core.text.analyse import text_terms

NAME = "map"
_ABOUT = text_terms(ABOUT)
_MOST_WORDS = 40  # of both names; more are no question on two names
_EDGES = ".,;:?!()\"'“”‘’"


def read_connection(question: str, walks: Callable[[], MapWalks]) -> Iterator[Reading]:
    """The reading of a question that names two nodes of a map and asks for nothing beside their connection.

    walks: over what may be seen; made only for a question with words of such a connection.
    """
    words = [each.strip(_EDGES).removesuffix("'s").removesuffix("’s") for each in question.split()]
    terms = [text_terms(each) for each in words]
    telling = [at for at, own in enumerate(terms) if own - _ABOUT]
    if not 2 <= len(telling) <= _MOST_WORDS or not any(own & _ABOUT for own in terms):
        return
    cuts = [*range(1, len(telling))]
    known: Callable[[str], bool] = bool  # as long as nobody knows the names
    try:
        known = walks().is_known
    except DeadlineError:  # a large map is being made, which the answer then says
        cuts = [cut for cut in cuts if telling[cut] - telling[cut - 1] > 1]
        cuts = cuts if len(cuts) == 1 else []
    for cut in cuts:
        ends = (telling[0], telling[cut - 1]), (telling[cut], telling[-1])
        names = [" ".join(words[start : end + 1]) for start, end in ends]
        if all(map(known, names)):
            read = tuple(ReadName(words=each, role="party") for each in names)
            yield Reading(by=NAME, question=question, operation=Operation.CONNECT, names=read)
            return
