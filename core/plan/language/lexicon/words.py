"""Words of the grammar with their meanings, by kind; and words with several meanings, or none."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.annotation import Calculation
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Ask,
    Aspect,
    ClauseNoun,
    Comparator,
    Comparing,
    Connective,
    Currency,
    Filler,
    Grouping,
    HavingWord,
    Meaning,
    Negator,
    Ordering,
    Statistic,
    Top,
)
from core.plan.text.document_nouns import PAPERS
from core.text.words import word_list

IDLE_VERBS = word_list("idle", "done")
"""What is done with every document: by themselves these ask for nothing."""

SEVERAL_MEANINGS: dict[str, tuple[str, ...]] = {
    "liability": ("liability cap", "limitation of liability", "indemnity"),
    "date": ("agreement date", "effective date", "expiration date", "invoice date", "due date"),
    "dates": ("agreement date", "effective date", "expiration date", "invoice date", "due date"),
    "fee": ("annual fee", "late fee"),
    "fees": ("annual fee", "late fee"),
    "deadline": ("due date", "payment period", "expiration date"),
    "notice period": ("notice to stop renewal", "termination notice"),
}
"""Words that people use for several things; asked about where the wording does not decide."""

DOCUMENT_NOUNS = frozenset([*PAPERS, "register", "credit note", "statement", "quote"])
"""Kinds of document that are called so: "maintenance" says what a manual is for, and is none."""


_COMPARATORS: dict[Operator, str] = {
    Operator.GREATER: "more than|greater than|higher than|larger than|bigger than|longer than|over|above"
    "|exceed|exceeds|exceeding|exceeded|in excess of|upwards of|beyond|>|wider than|heavier than|later than"
    "|taller than|that exceeds|that exceed|which exceed|which exceeds|surpass|surpasses"
    "|surpassing|worth over"
    "|costing more than|not limited to|after more than|bigger|deeper than|thicker than|stronger than"
    "|go beyond|goes beyond|going beyond|top|tops|topping|outside of|violate|violates|violating|breach"
    "|breaches|breaching",
    Operator.GREATER_EQUAL: "at least|no less than|not less than|no fewer than|not under|not below"
    "|minimum of|a minimum of|or more|or above|or higher"
    "|or longer|or greater|and above|and up|and more|or over|or later|or upwards|>=|≥|=>"
    "|or older|and older"
    "|from at least|no shorter than|not shorter than"
    "|starting at|starting from|no lower than|not lower than",
    Operator.LESS: "less than|lower than|smaller than|fewer than|shorter than|under|below|<|cheaper than"
    "|beneath|narrower than|lighter than|short of|thinner than|inside of|not as much as",
    Operator.LESS_EQUAL: "at most|no more than|not more than|not exceeding|not exceed|do not exceed"
    "|does not exceed|up to|not over|not above|maximum of|a maximum of|no longer than|not longer than"
    "|or less|or fewer|or below|or lower|or shorter|or under|or smaller|and below|and less|or cheaper"
    "|or younger"
    "|<=|≤|=<|no greater than|not greater than|no higher than|not higher than|don't exceed|doesn't exceed"
    "|within the limit of|stay within|stays within|staying within",
    Operator.EQUAL: "the same|same|equal to|equals|equal|exactly|=|==|precisely|amounting to|amounts to"
    "|identical to"
    "|the same as",
    Operator.NOT_EQUAL: "!=|<>|not equal to|different from|differing from",
    Operator.BETWEEN: "between|ranging from|in the range of|in the range|anywhere from",
}
_LACKS = (
    "without|without any|without a|without an|lack|lacks|lacking|lacked|miss|misses|missing|omit|omits"
    "|omitting|omitted|silent on|silent about|are silent on|is silent on|are silent about|is silent about"
    "|say nothing about|says nothing about|say nothing on|says nothing on|absent|free of|devoid of|minus"
    "|fail to include|fails to include|fail to contain|fails to contain|fail to mention|fails to mention"
    "|fail to have|fails to have|fail to state|fails to state|fail to specify|fails to specify"
    "|failing to include"
    "|fail to provide|fails to provide|fail to address|fails to address|fail to cover|fails to cover"
    "|do not contain|does not contain|don't contain|doesn't contain|do not have|does not have|don't have"
    "|doesn't have|do not include|does not include|don't include|doesn't include|do not mention"
    "|does not mention|don't mention|doesn't mention|do not state|does not state|don't state|doesn't state"
    "|do not specify|does not specify|don't specify|doesn't specify|do not provide|does not provide"
    "|do not address|does not address|do not say anything about|not containing|not including|not having"
    "|not mentioning|have no|has no|having no|with no|contain no|contains no|containing no|include no"
    "|includes no|there is no|there's no|no mention of|make no mention of|makes no mention of|lack of"
    "|are missing|is missing|are without|is without|do not cover|does not cover|do not provide for"
    "|does not provide for|don't provide|doesn't provide|neglect|neglects|leave out|leaves out|leaving out"
    "|forgot|forget|fail to provide for|fails to provide for|do not carry|does not carry|did not include"
    "|didn't include|lacks any|lack any|lack a|lacks a|missing a|missing any|missing an|not contain"
    "|not have|not include|not mention|not state|not specify|not address|not provide|not provide for"
)
_NOTS = (
    "not|isn't|aren't|don't|doesn't|do not|does not|is not|are not|never|neither|none of|no|wasn't|weren't"
    "|cannot|fail to|fails to|failing to|did not|didn't|nor|that are not|which are not|that is not"
    "|neither of|not one of|non|can not|could not|have not|has not|had not|will not|would not|should not"
)
_OTHERS = "other than|except|except for|excluding|apart from|besides|but not|aside from|anything but|save for"
_LINKS = (
    "with|with a|with an|with any|have|has|having|had|contain|contains|containing|include"
    "|includes|including"
    "|mention|mentions|mentioning|state|states|stating|specify|specifies|specifying|provide for"
    "|provides for|feature|features|featuring|carry|carries|carrying|that have|which have|that contain"
    "|which contain|that include|which include|whose|stipulate|stipulates|stipulating|grant|grants|granting"
    "|where|there is|there's|there are|and have|and has|impose|imposes|imposing|prescribe|prescribes"
    "|come with|comes with|do have|does have|do contain|does contain|do include|does include"
    "|possess|possesses|combine|combines|combining|feature|features|featuring|provide"
    "|provides|providing|offer|offers|offering|address|addresses|addressing|cover|covers|covering"
    "|set|sets|setting|require|requires|requiring|allow|allows|allowing"
)
_FUNCTIONS: dict[Calculation, str] = {
    Calculation.SUM: "total|sum|sum of|sum up|add up|combined|altogether|in total|total sum of|aggregate"
    "|overall|adds up|accumulated|cumulative|the sum|all together",
    Calculation.AVG: "average|mean|avg|on average|averaged|typical",
    Calculation.MEDIAN: "median|middle",
    Calculation.DISTINCT: "distinct|different|unique",
}
_EXTREMES: dict[tuple[Calculation, bool], str] = {
    (Calculation.MAX, False): "highest|largest|biggest|greatest|maximum|max|longest|most expensive|widest"
    "|heaviest|priciest|costliest|most valuable|tallest|deepest|thickest|most powerful|most costly|maximal"
    "|strongest|most generous|strictest|largest possible|peak|steepest|most|most common"
    "|thirstiest|hungriest|greediest|busiest|dearest|richest|bulkiest"
    "|most frequent|most often|commonest",
    (Calculation.MIN, False): "lowest|smallest|minimum|min|shortest|cheapest|least expensive|least|narrowest"
    "|lightest|tiniest|minimal|least valuable|thinnest|slimmest|weakest|fewest|littlest"
    "|thriftiest|leanest|most frugal|most economical|poorest|quietest",
    (Calculation.MAX, True): "latest|newest|most recent|last|most recently|youngest",
    (Calculation.MIN, True): "earliest|oldest|first|soonest|nearest|next",
}
HINTS = {
    "wider than": "width", "narrower than": "width", "heavier than": "weight", "lighter than": "weight",
    "taller than": "height", "thicker than": "depth", "thinner than": "depth", "deeper than": "depth",
    "widest": ""
    "width", "narrowest": "width", "heaviest": "weight", "lightest": "weight", "tallest": "height",
    "thickest": "depth", "thinnest": "depth", "deepest": "depth", "most powerful": "power",
}  # fmt: skip
_GROUPINGS = (
    "by each|per|down by|for each|for every|grouped by|group by|broken down by|break down by|split by|in each"
    "|breakdown by|for each of the|by|according to|across each|across|with each|within each|each"
)
_ORDERINGS = "sorted by|ordered by|in order of|ranked by|rank by|order by|sort by|ranking by"
_COMPARING = (
    "compare|contrast|comparison of|comparison|difference|differences|the difference between|difference in"
    "|differences in|compared to|compared with|differ|differs|side by side"
    "|stack up against each other|stack up against one another|stack up|measure up against each other"
)
_VERSUS = "versus|vs|vs.|against"
_ASKS: dict[str, str] = {
    "list": "list|find|show|show me|give me|enumerate|identify|get|name|list all|find all|show all|display"
    "|get me|give me a list of|give me all|tell me|i need|i want|search for|look for|look up"
    "|report|provide me|break down|break the|break all|break our|split up|break out"
    "|find me|list out|please list|let me see|a list of|lists of|list of|bring up|pull up|retrieve|return",
    "count": "how many|number of|count|count of|the number of|the count of|what number of|how often"
    "|count up|tally|the amount of",
    "which": "which|which of|which of our|which of the|which ones|what kind of|which kinds of|what kinds of",
    "what": "what|what is|what's|what are|what was|what were|whats",
    "when": "when|when does|when do|when did|when is|when will|when was|on what date|what date|until when"
    "|by when|since when|from when|on which date|on which day|what day",
    "who": "who|who is|who are|with whom|whom|who's|by whom|from whom|for whom|to whom",
    "where": "where is|where are|where does|where was",
    "much": "how much|how high|how large|how big|how expensive|what amount|how much money",
    "long": "how long|for how long|how soon|how quickly|how many days|how many months|how many years",
    "whether": "is|are|does|do|did|has|have|is there|are there|does it|can|was|were|will",
    "text": "why|explain|describe|how|how do|how can|how does|how should|summarize|summarise|summary of"
    "|tell me about|what does|what do|what happens|what must|what should",
}
_DESCENDING = (
    "descending|sorted descending|in descending order|highest first|largest first"
    "|biggest first|latest first"
    "|newest first|most recent first|most expensive first|longest first|from highest to lowest"
)
_ASCENDING = (
    "ascending|sorted ascending|in ascending order|lowest first|smallest first|earliest first|oldest first"
    "|cheapest first|shortest first|soonest first|from lowest to highest"
)
_CURRENCIES = {
    "USD": "us dollars|u.s dollars|us-dollars|american dollars|dollars|dollar|us dollar|us$|usd amounts",
    "EUR": "euros|euro", "GBP": "pounds sterling|british pounds|sterling", "CHF": "swiss francs|francs",
    "JPY": "japanese yen|yen", "CAD": "canadian dollars", "AUD": "australian dollars",
}  # fmt: skip
_CLAUSES = (
    "clause|clauses|provision|provisions|term|terms|section|sections|language|wording|stipulation"
    "|stipulations|article|articles|covenant|paragraph|paragraphs|undertaking|undertakings|right|rights"
    "|obligation|obligations|commitment|commitments"
)
_FILLERS = (
    "the|a|an|all|every|any|our|my|your|their|its|we|i|you|us|me|of|for|to|in|on|at|from|that|which|please"
    "|is|are|was|were|be|been|being|it|they|them|those|these|this|there|also|both|has|do|does"
    "|did|will|would"
    "|can|could|should|shall|must|may|might|just|only|some|currently|existing|available"
    "|collection|bucket|database|files|file"
    "|folder|us|out|so|as|such|then|than|if|who|whom|what|when|now|yet|ever|still|together|ours"
    "|with|along|made|stated|given|set|found|mentioned|named|listed|according"
    "|kindly|want|like|need|know|see|exactly|ones|one|each|entire|whole|full|overall|here|ask"
    "|tell|show|give"
    "|concluded|whose|into|about|regarding|concerning|respective|individual|particular|certain"
    "|documents state|respectively|year's|have been|had been|across all|among all|among|amongst|over all"
    "|in our collection|in the collection|on file|that we have|we have|do we have|do you have|are there"
    "|have we|there exist|exist|exists|that exist|held|hold|currently have|s|up|really|actually|me the"
    "|many|much|how|by far|company|companies|automatically|either|sent|send|sends|received"
    "|receive|filed|stored|uploaded|agreed"
    "|keep|keeps|kept|run|runs|running|ran|lasting|lasts|lifetime|duration|going by|taking|only"
    "|considering|looking at|limited to|restricted to"
    "|either side|each side|both sides|one side|all sides|either party"
    "|at the same time|fall into|falls into|falling into|denominated|whatsoever|whatever|at all"
    "|commonwealth of|state of|republic of|federal republic of|kingdom of"
    "|province of|canton of"
    "|with counts|with a count|and counts|with the counts|with count"
    "|involve|involving|involves|relating|related|belonging|belong|belongs|became|become|becomes|becoming"
)


def _extreme(function: Calculation, of_time: bool, phrase: str) -> Statistic:
    hint = HINTS.get(phrase, "")
    return Statistic(function, is_extreme=True, of_time=of_time, hint=hint, ahead=phrase == "next")


def _hint(phrase: str) -> str:
    """The field that the first word of an order says: "lightest first"."""
    return HINTS.get(phrase.split()[0], "")


def _split(text: str) -> Iterator[str]:
    yield from text.split("|")


def _all() -> Iterator[tuple[str, Meaning, str]]:
    """Phrases with their meanings and reasons; earlier ones win where two say the same."""
    for operator, phrases in _COMPARATORS.items():
        for phrase in _split(phrases):
            yield phrase, Comparator(operator, HINTS.get(phrase, "")), f"compares: {operator.value}"
    for phrase in _split(_LACKS):
        yield phrase, Negator(lacks=True), "says that something is not there"
    for phrase in _split(_OTHERS):
        yield phrase, Negator(is_other=True), "leaves out what follows"
    for phrase in _split(_NOTS):
        yield phrase, Negator(), "negates what follows"
    for phrase in _split(_LINKS):
        yield phrase, HavingWord(), "says that something is there"
    for function, phrases in _FUNCTIONS.items():
        for phrase in _split(phrases):
            yield phrase, Statistic(function), f"asks for the {function.value}"
    for (function, of_time), phrases in _EXTREMES.items():
        for phrase in _split(phrases):
            yield phrase, _extreme(function, of_time, phrase), f"asks for the {function.value}"
            top = Top(0, function is Calculation.MAX, of_time, hint=_hint(phrase))
            yield f"{phrase} first", top, "says which come first"
    for phrase in _split(_GROUPINGS):
        yield phrase, Grouping(), "asks for a result for each"
    for phrase in _split(_ORDERINGS):
        yield phrase, Ordering(), "asks for an order"
    for phrase in _split(_COMPARING):
        yield phrase, Comparing(), "compares sides"
    for phrase in _split(_VERSUS):
        yield phrase, Comparing(), "stands between sides"
    for how, phrases in _ASKS.items():
        for phrase in _split(phrases):
            yield phrase, Ask(how), "is how the question asks"  # type: ignore[arg-type]
    for phrase in _split(_CLAUSES):
        yield phrase, ClauseNoun(), "says that a clause is meant"
    for name in ("year", "quarter", "month"):
        yield name, Aspect(name), f"a {name}"
    for name in ("currency", "currencies"):
        yield name, Aspect("unit"), "the currency of an amount"
    for code, phrases in _CURRENCIES.items():
        for phrase in (code.lower(), *_split(phrases)):
            yield phrase, Currency(code), f"the currency {code}"
    for word in ("and", "or", "nor", "but"):
        yield word, Connective(word), "joins"
    for sign in (",", ";"):
        yield sign, Connective(","), "joins"
    for sign, word in (("&", "and"), ("/", "or"), ("as well as", "and"), ("and also", "and"), ("yet", "but")):
        yield sign, Connective(word), "joins"  # type: ignore[arg-type]
    for phrase in ("but also", "and both", "and yet", "together with", "plus", "and at the same time"):
        yield phrase, Connective("and"), "joins"
    yield "or else", Connective("or"), "joins"
    yield "worst first", Top(0, False), "the smallest first"
    yield "best first", Top(0, True), "the largest first"
    for phrase in ("in order", "ranked", "sorted", "ordered"):
        yield phrase, Top(0, None), "asks for an order"
    for phrase in _split(_DESCENDING):
        yield phrase, Top(0, True, hint=_hint(phrase)), "the largest first"
    for phrase in _split(_ASCENDING):
        yield phrase, Top(0, False, hint=_hint(phrase)), "the smallest first"
    for phrase in _split(_FILLERS):
        yield phrase, Filler(), "says nothing of its own"


def _phrases() -> dict[tuple[str, ...], list[tuple[Meaning, str]]]:
    found: dict[tuple[str, ...], list[tuple[Meaning, str]]] = {}
    for phrase, meaning, reason in _all():
        key = (
            tuple(phrase.replace("/", " / ").split())
            if "/" in phrase and len(phrase) > 1
            else tuple(phrase.split())
        )
        known = found.setdefault(key, [])
        if meaning not in (each for each, _ in known):
            known.append((meaning, reason))
    return found


PHRASES = _phrases()
"""Words in lower case to what they may mean, the likeliest first."""

LONGEST = max(map(len, PHRASES))
