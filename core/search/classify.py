"""Cleaning and classes of questions, by their wording: greetings, lookups, comparisons, unnamed things."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.domain.answer import Kind, Route
from core.domain.fields import SummaryKind
from core.errors import QuestionError
from core.text.analyse import analyse, content_terms
from core.text.nouns import is_plural, plural
from core.text.words import word_list

PAPERS = (
    *("agreement", "contract", "lease", "policy", "nda", "invoice", "receipt", "certificate", "manual"),
    *("data ?sheet", "amendment", "order", "report"),
)
"""Kinds of documents that those who read a question agree on, of a regular expression, in the singular."""
EMPTY_STEP = "Ask about something in your documents, for example what a contract says about termination."
MOST_WORDS = 4  # of what a thing is called
_WORD = re.compile(r"[^\W_]+(?:[-.&/][^\W_]+)*")
_POINTER = re.compile(
    r"(?<![\w'’-])(?:(?P<placed>of|in|for|at|by|with|from|to|on|about) )?"
    r"(?:(?P<points>this|that)|(?P<defined>the)|an?) (?:(?P<stressed>particular|specific|certain) )?",
    re.IGNORECASE,
)
# Behind a definite noun they tell which one is meant: "the process for applying", "the fee of the court".
_TELLS_WHICH = frozenset(
    ("of", "for", "to", "that", "which", "who", "whom", "whose", "where", "when", "with", "from")
)
_NOT_THINGS = word_list("asking", "not_things")
# Which document is meant is asked where documents are looked up, and a party is told by its document.
_TOLD_BY_DOCUMENTS = frozenset((*PAPERS, *map(plural, PAPERS))) | word_list("naming", "roles")


def clean_question(text: str) -> str:
    """The question in one line of NFC text, without control, bidi, zero-width or unpaired characters.

    "" where nothing is left; applying it twice changes nothing.
    """
    told = ((char, unicodedata.category(char)) for char in text)
    spaced = ((" " if of in ("Cc", "Zl", "Zp") else char, of) for char, of in told)
    kept = "".join(char for char, of in spaced if of not in ("Cf", "Cs", "Cn", "Co"))
    return " ".join(unicodedata.normalize("NFC", kept).split())


def require_question(text: str, max_chars: int, left_out: int = 0) -> str:
    """The cleaned question. Raises QuestionError (E001) where it is empty or over `max_chars`.

    left_out: characters of it that are not in `text`.
    """
    length = len(text) + left_out
    if length > max_chars:
        raise QuestionError(
            f"The question has {length:,} characters; at most {max_chars:,} are read.",
            next_step="Ask in a sentence or two, and add long texts to the collection as documents instead.",
        )
    question = clean_question(text)
    if not any(char.isalnum() for char in question):
        raise QuestionError("The question is empty.", next_step=EMPTY_STEP)
    return question


def _any(*alternatives: str) -> str:
    return "(?:" + "|".join(alternatives) + ")"


def _compiled(*alternatives: str) -> re.Pattern[str]:
    return re.compile(_any(*alternatives), re.IGNORECASE)


# What a bucket is full of, one and many: "which contracts", "every receipt".
_THINGS = (
    *(*PAPERS, "document", "doc", "file", "e-?mail", "letter"),
    *("supplier", "vendor", "customer", "counterparty", "company"),
)


_PLURAL = _any(*map(plural, _THINGS))


_SINGULAR = _any(*_THINGS, "record")


_EITHER = _any(_PLURAL, _SINGULAR)


_WORDS = r"(?:[\w'$%&-]+\s+){0,4}"


_GREETING = (
    _any("hi", "hello", "hey", "howdy", "greetings", r"good (?:morning|afternoon|evening|day)")
    + r"(?:\s+(?:there|all|everyone|groundwork))?"
)


CLEAR = "clear"


"""Topic of an order that puts away what is in hand."""


_PLEASE = r"(?:please |can you |could you )?"


_IN_HAND = (
    r"(?:them|these|those|it|this|that|(?:all of|both of) \w+|the (?:list|set|table|results?|rows|\w+ one))"
)


_SMALL_TALK_TOPICS: dict[str, tuple[str, ...]] = {
    "greeting": (_GREETING, r"how are you(?: doing)?(?: today)?", "how'?s it going", "what'?s up"),
    "thanks": (
        r"(?:ok(?:ay)?|great|perfect|nice|got it)?[\s,.!]*(?:many |much )?(?:thanks|thank you|thx|cheers)"
        r"(?: (?:a lot|so much|very much|again|for (?:your|the|all the) "
        r"(?:help|answers?|explanation|information|work)(?: (?:yesterday|today|earlier|so far|now))?))*",
        "much appreciated",
        r"(?:(?:that|this|it)(?:'s| was| is)? )?(?:very |really |so )?helpful",
        r"(?:that|this|it) (?:really )?(?:helps?|helped)(?: me)?(?: a lot| so much)?",
        r"(?:great|good|nice|excellent|well) (?:job|work|answer|done)",
        r"i appreciate (?:it|your help|that)",
    ),
    "farewell": (
        r"(?:good ?)?bye(?: bye)?",
        r"see you(?: later| soon| tomorrow)?",
        r"good night|take care|cheerio|(?:talk|speak) to you (?:later|soon)",
        r"have a (?:nice|good|great) (?:day|one|evening)",
    ),
    "acknowledgement": (
        r"ok(?:ay)?|k|great|perfect|cool|nice|got it|i see|understood|sounds (?:good|great)|all ?right",
        r"good|fine|wonderful|excellent|awesome|brilliant|super|very (?:good|nice)|(?:that )?makes sense",
        r"(?:no(?:pe)?,? )?that(?:'?s| is| was| will be) (?:all|it|everything|good|great|fine|perfect)"
        r"(?: for (?:now|today))?",
        r"that(?:'ll| will| would) do(?: for (?:now|today))?",
        r"that (?:worked|works)|(?:nothing|no more)(?: else)?(?: for now)?|no,? thanks",
    ),
    "help": (
        r"help(?: me)?(?: please)?",
        r"what can (?:you|i) (?:do|ask)(?: (?:here|for me|you))?",
        r"how (?:do|can) i (?:use (?:this|you|groundwork)|start|get started)",
        r"how does (?:this|groundwork) work",
        r"what (?:is|does) (?:this|groundwork)(?: do)?(?: for)?",
        r"what are you(?: for)?",
    ),
    "contents": (
        r"what(?:'s| is) in (?:here|this collection)",
        r"what (?:documents |files )?do (?:you|we|i) have(?: (?:in )?here)?",
    ),
    CLEAR: (
        r"(?:(?:let'?s|can we) )?(?:start (?:over|again|afresh)|begin (?:again|anew))(?: please)?",
        rf"(?:clear|forget|reset|drop)(?: {_IN_HAND}| everything)?|never ?mind",
        "(?:a )?new (?:conversation|topic|question)",
    ),
    "export": (rf"{_PLEASE}(?:export|download|save|e-?mail|send|share) (?:me )?{_IN_HAND}\b.{{0,60}}",),
    "delete": (rf"{_PLEASE}(?:delete|erase|destroy) {_IN_HAND}",),
    "identity": (
        "who are you",
        r"what(?:'s| is) your name",
        r"are you (?:a |an )?(?:human|person|robot|bot|ai|real|language model|llm)",
        r"who (?:made|built|created) you",
        "tell me about yourself",
        "introduce yourself",
    ),
    "orders": (
        r"(?!.*\b(?:which|how many|when|who)\b)(?:please )?"
        r"(?:ignore|disregard|forget|override|bypass) .{0,40}\b(?:instructions?|prompts?|rules|guidelines)\b"
        r".*\b(?:prompt|delete|drop|erase|reveal|passwords?|secrets?|api keys?|instructions?)\b.*",
        r"(?:please )?(?:print|show|reveal|output|repeat|tell me|give me|what(?:'?s| is)) (?:me )?"
        r"(?:your|the) (?:system|hidden|initial) (?:prompt|instructions?|message)\b.*",
        r"(?:please )?(?:delete|drop|erase|wipe) (?:all|every|everything)\b"
        r"(?: (?:of )?(?:the |my |our )?(?:documents?|files?|data|records?|tables?|collection|database))?",
    ),
    "chat": (
        "tell me a joke",
        "how old are you",
        "nice to meet you",
        "i love you",
        r"you(?:'re| are) (?:great|awesome|the best|stupid|wrong)",
        r"(?:test|testing|ping)(?: test(?:ing)?)?",
        r"what(?:'s| is) the (?:weather|time)(?: like)?(?: today| now)?",
    ),
}


_SMALL_TALK = {
    topic: re.compile(rf"(?:{_GREETING}[\s,.!]*)?{_any(*patterns)}[\s.!?]*", re.IGNORECASE)
    for topic, patterns in _SMALL_TALK_TOPICS.items()
}


_COURTESIES = ("thanks", "farewell", "acknowledgement")


_ONE_COURTESY = _any(*(pattern for topic in _COURTESIES for pattern in _SMALL_TALK_TOPICS[topic]))


_ONLY_COURTESIES = re.compile(rf"(?:{_ONE_COURTESY}(?:[\s,.!;:-]+(?:and\s+|for now\s*)?|$))+", re.IGNORECASE)


_COURTESY = re.compile(
    rf"^(?:(?:{_GREETING}|thanks|thank you|ok(?:ay)?|great|please)[\s,.!]+)+(?=\S)", re.IGNORECASE
)


_REQUEST = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please |kindly |maybe )*|please |kindly "
    r"|i(?:'d| would) like to know |i want to know )(?=\w)",
    re.IGNORECASE,
)


# A sum of what was paid is one over several papers, unless the question names one of them.
_TOTAL_PAID = (
    rf"^(?!.*\b{_SINGULAR}\b).*\b(?:total|sum|average)\b[^?]{{0,30}}\b(?:paid|spent|billed|invoiced)\b"
)


_LENGTH = r"(?:business |working )?(?:days|weeks|months|years|hours)\b"


_AGGREGATE = _compiled(
    _TOTAL_PAID,
    rf"\b(?:how many(?! {_LENGTH})|number of|count(?: of)?)\s+(?:of (?:the|our|my)\s+)?{_WORDS}{_PLURAL}\b",
    rf"\b(?:total|sum|average|mean|median|add up|combined)\b[^?]{{0,60}}\b{_PLURAL}\b",
    rf"\b(?:list|find|show(?: me)?|give me|name|enumerate|identify|get)\s+(?:all|every|each)\b"
    rf"[^?]{{0,60}}\b{_EITHER}\b",
    rf"^(?:list|find|show(?: me)?|give me|enumerate|identify|get)\s+(?:the\s+)?{_WORDS}{_PLURAL}\b",
    rf"^(?:which|what)\s+(?:of (?:the|our|my)\s+)?{_WORDS}{_PLURAL}\b(?! (?:do|does|did|of|must|can)\b)",
    rf"\b(?:across|over|in|among) (?:all|every|each of)\b[^?]{{0,30}}\b{_EITHER}\b",
)


_LACKS = _any(
    *("miss(?:ing|es)?", "lack(?:s|ing)?", "without", "omits?", "fails? to", r"violat\w*", r"breach\w*"),
    *(r"exceed\w*", "not (?:have|include|contain|mention|comply)", r"compl(?:y|ies|iant)"),
    *("(?:don't|doesn't|do not|does not) (?:have|include|contain|mention)", r"non-?complian\w*"),
    *("(?:our|company) policy", "contrary to", r"deviat\w*"),
)


_LACKING = _compiled(
    rf"\b(?:which|what|list|find|show)\b[^?]{{0,60}}\b{_PLURAL}\b[^?]{{0,60}}\b{_LACKS}\b",
)


_COMPLIANCE = _compiled(
    r"\b(?:compl(?:y|ies|iant) with|in violation of|non-?complian\w*|against (?:our|the) policy)\b",
    r"\b(?:exceed|conflict|deviat|violat)\w*\b[^?]{0,30}\bpolicy\b",
    r"\ballowed (?:by|under) (?:our|the) policy\b",
)


_TASKS = _any(
    *("install", "replace", "maintain", "clean", "test", "inspect", "reset", "configure", "set up", "start"),
    *("stop", "shut down", "commission", "service", "check", "charge", "mount", "remove", "connect"),
    *("calibrate", "operate", "submit", "apply", "register", "claim"),
)


_STEPS = _compiled(
    r"\b(?:steps?|procedures?|instructions?|process for|step[- ]by[- ]step)\b",
    rf"^how (?:do|can|should|does|to|would)\s+(?:i |we |you |one |an? [\w-]+ |the [\w-]+ )?{_TASKS}\b",
)


_SUMMARY = _compiled(
    r"\b(?:summar(?:y|ies|i[sz]e[sd]?)|overview|outline|main points|gist|tl;?dr|in a nutshell)\b",
    r"\bkey (?:points|terms|takeaways|risks|findings)\b",
    r"\bbrief(?:ly)? (?:describe|description|explain)\b",
    rf"\bwhat is (?:this|the) (?:[\w-]+ ){{0,3}}(?:paper|{_SINGULAR}) about\b",
    r"^(?:explain|describe|tell me about)\b",
)


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """Subject of a summary in words of the question, and its readers."""

    subject: str
    kind: SummaryKind = SummaryKind.EXECUTIVE


def summary_request(question: str) -> SummaryRequest | None:
    """The request of a question that asks for a summary of something; None where it does not."""
    normalised = without_courtesies(question)
    found = _SUMMARY.search(normalised)
    if found is None:
        return None
    before, behind = normalised[: found.start()].split(), normalised[found.end() :].split()
    kind = next((each for each in SummaryKind if before and before[-1].casefold() == each.value), None)
    subject = " ".join((*(before[:-1] if kind is not None else before), *behind))
    return SummaryRequest(subject, kind or SummaryKind.EXECUTIVE) if content_terms(subject) else None


_SAYS = re.compile(
    r"^what (?:does|do|did)\b[^?]{1,120}\b(?:say|state|provide|specify|stipulate|require)s? "
    r"(?:about|on|regarding|concerning|for|as to)\b"
    r"|^what (?:does|do|did)\b[^?]{1,120}"
    r"\b(?:clause|section|provision|paragraph|article|(?:foot|end)?note|rule)\b[^?]{0,120}\b(?:say|state|provide|specify|stipulate|require)\b",
    re.IGNORECASE,
)


def small_talk(question: str) -> str:
    """Kind of small talk that the whole question is; "" where any of it asks about something else."""
    whole = next((topic for topic, pattern in _SMALL_TALK.items() if pattern.fullmatch(question)), "")
    if whole or not _ONLY_COURTESIES.fullmatch(question):
        return whole
    # Several in a row: "ok great, thanks, bye"; the one that asks most for a reply counts.
    spoken = {topic: rf"\b{_any(*_SMALL_TALK_TOPICS[topic])}(?!\w)" for topic in ("farewell", "thanks")}
    found = (topic for topic, pattern in spoken.items() if re.search(pattern, question, re.IGNORECASE))
    return next(found, "acknowledgement")


def without_courtesies(question: str) -> str:
    """The question without a leading greeting or "could you please"; never empty for a non-empty question."""
    rest = _REQUEST.sub("", _COURTESY.sub("", question).strip()).strip()
    return rest if any(char.isalnum() for char in rest) else question


def asks_for_compliance(question: str) -> bool:
    """True where the question holds documents against a rule, or asks which ones lack something."""
    return bool(_LACKING.search(question) or _COMPLIANCE.search(question))


def asks_what_is_said(question: str) -> bool:
    """True where the question asks for all that is said on a topic: a section rather than a sentence."""
    return bool(_SAYS.search(question))


_NAME = r"(?:the |an? )?([^,?;]{1,80}?)"


_VERSUS = r"(?:vs\.?|versus)"


_PAIR = rf"{_NAME} (?:and|{_VERSUS}) {_NAME}"


_LINK = rf"(?:and|to|with|against|{_VERSUS})"


_DIFFERENCE = r"(?:differences?|similarit(?:y|ies)|comparison)"


_WHAT = r"(?:what(?:'s| is| are) (?:the )?)?"


_ON = r"(?: (?:in terms of|with regard to|regarding|in|on|by) (?P<topic>[^?]{1,120}?))?"


_TOPIC = r"(?P<topic>[^?]{1,120}?)"


_PATTERNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern + r" ?[?.!]{0,8}$", re.IGNORECASE)
    for pattern in (
        rf"^(?:compare|contrast) {_TOPIC} (?:between|of|for) {_NAME}"
        rf"(?:, ?([^,?;]{{1,80}}?))?,? {_LINK} {_NAME}",
        rf"^{_WHAT}{_DIFFERENCE} (?:in|of) {_TOPIC} between {_PAIR}",
        rf"^{_WHAT}{_DIFFERENCE} between {_PAIR}{_ON}",
        rf"^{_WHAT}{_TOPIC} {_DIFFERENCE} between {_PAIR}",
        rf"^how (?:does|do|did) {_NAME} (?:differ|compare) (?:from|to|with) {_NAME}{_ON}",
        rf"^(?:compare|contrast) {_NAME} {_LINK} {_NAME}{_ON}",
        rf"^{_NAME} {_VERSUS} {_NAME}(?: ?[:,] ?{_TOPIC})?",
    )
)


@dataclass(frozen=True, slots=True)
class ComparisonQuestion:
    """Subjects of a comparison by name, and the topic they are compared on ("" for in general)."""

    subjects: tuple[str, ...]
    topic: str


def read_comparison(question: str) -> ComparisonQuestion | None:
    """The named subjects of a comparison with its topic; None where the question compares nothing."""
    question = " ".join(question.split())
    for match in filter(None, (pattern.match(question) for pattern in _PATTERNS)):
        topic_at = match.re.groupindex.get("topic", 0)
        names = [group.strip() for at, group in enumerate(match.groups(), 1) if group and at != topic_at]
        if len(names) >= 2:
            return ComparisonQuestion(tuple(names), (match.groupdict().get("topic") or "").strip())
    return None


@dataclass(frozen=True, slots=True)
class Classification:
    """Classification of a question.

    normalised: the question without greeting and politeness, never empty.
    over_collection: the answer is a count, sum or list over all documents, which a top-k list cannot give.
    is_procedure: asks for steps, which belong together and in order.
    small_talk: which general reply fits; "" for questions that need the collection.
    """

    kind: Kind
    route: Route
    normalised: str
    over_collection: bool = False
    is_procedure: bool = False
    small_talk: str = ""


@lru_cache(maxsize=256)  # a question is read by several that do not know of one another
def classify(question: str) -> Classification:
    """Classify a cleaned, non-empty question by rules; the same question always gives the same result."""
    normalised = without_courtesies(question)
    topic = small_talk(question)
    if topic:
        return Classification(Kind.GENERAL, Route.NONE, normalised, small_talk=topic)
    is_procedure = bool(_STEPS.search(normalised))
    kind = Kind.SUMMARY if _SUMMARY.search(normalised) and not is_procedure else Kind.LOOKUP
    if read_comparison(normalised):
        kind = Kind.COMPARISON
    elif asks_for_compliance(normalised):
        kind = Kind.COMPLIANCE
    elif _AGGREGATE.search(normalised):
        kind = Kind.AGGREGATE
    is_lacking = kind is Kind.COMPLIANCE and bool(_LACKING.search(normalised))
    is_procedure = is_procedure and kind is Kind.LOOKUP
    route = Route.LONG_TEXT if kind is Kind.SUMMARY or is_procedure else Route.HYBRID
    return Classification(kind, route, normalised, kind is Kind.AGGREGATE or is_lacking, is_procedure)


@dataclass(frozen=True, slots=True)
class UnnamedThing:
    """A thing that a question means and does not name.

    words: what it may be called, longest first, as far as it can be told from the words behind it.
    start: where its pointer ("this", "the") stands in the question; first: where its words begin.
    is_certain: it needs a name even where the collection tells none apart, as "this X" does.
    """

    words: tuple[str, ...]
    start: int
    first: int
    is_certain: bool


def unnamed_things(question: str, said: Sequence[str]) -> tuple[UnnamedThing, ...]:
    """The things of a question that it points at without a name, in order; () for most questions.

    said: what was said before in the conversation, questions and answers.
    """
    words = frozenset(word.casefold() for text in said for word in _WORD.findall(text))
    read = (_thing(question, match, words) for match in _POINTER.finditer(question))
    return tuple(each for each in read if each is not None and not _is_named(each.words, said))


def _is_named(words: Sequence[str], said: Sequence[str]) -> bool:
    """True where one such thing was called by its name: "Finger Lake"; "While lakes freeze" names none."""
    behind = rf"\b([A-Z][\w'’]*) (?i:{'|'.join(map(re.escape, words))})\b"
    return any(content_terms(name) for text in said for name in re.findall(behind, text))


def _thing(question: str, match: re.Match[str], known: frozenset[str]) -> UnnamedThing | None:
    """The thing that a pointer points at. known: the words of the conversation."""
    run = _run(question, match.end())
    words = [word.group() for word in run]
    folded = {word.casefold() for word in words}
    is_stressed, placed = match["stressed"] is not None, (match["placed"] or "").casefold()
    if not run or words[0].casefold() in _NOT_THINGS or (not is_stressed and folded & _TOLD_BY_DOCUMENTS):
        return None
    if match["defined"] is not None:
        return _defined(question, match, run, known)
    ends = range(len(run))
    if match["points"] is None:
        is_one_in_mind = is_stressed and placed == "about"
        return _made(question, match, run, ends, is_certain=True) if is_one_in_mind else None
    if (match["points"].casefold() == "that" and not placed) or folded & _NOT_THINGS:
        return None  # a clause begins: "that businesses pay"; "on this huge amount of data"
    # One such thing was spoken of, and not their kind: "index funds".
    is_one = bool(folded & known) and not known & set(map(plural, folded))
    if is_one and not placed and not is_stressed:
        return None
    is_certain = (bool(placed) or is_stressed) and not is_one
    return _made(question, match, run, ends, is_certain=is_certain)


def _defined(
    question: str, match: re.Match[str], run: Sequence[re.Match[str]], known: frozenset[str]
) -> UnnamedThing | None:
    """What stands behind "the": all of it, or the part with capitals where it is followed by none."""
    capitals = next((at for at, word in enumerate(run) if not word.group()[0].isupper()), len(run))
    last = (capitals or len(run)) - 1
    words = [word.group() for word in run[: last + 1]]
    head = words[-1].casefold()
    behind = _WORD.match(question, run[last].end() + 1)
    after = behind.group().casefold() if behind is not None else ""
    is_numbered = bool(capitals) and after[:1].isdigit()  # "the Fluke 115"
    stems = {term for word in known for term in analyse(word)}
    is_told = all(stems.intersection(analyse(word)) for word in words)
    if after in _TELLS_WHICH or is_numbered or is_plural(head) or head in _NOT_THINGS or is_told:
        return None
    return _made(question, match, run, (last,), is_certain=False)


def _made(
    question: str, at: re.Match[str], run: Sequence[re.Match[str]], ends: Sequence[int], *, is_certain: bool
) -> UnnamedThing | None:
    """The thing by its words up to each of the ends; None where the question has told of it already."""
    before = {term for word in _WORD.findall(question[: at.start()]) for term in analyse(word)}
    if any(before.issuperset(analyse(run[end].group())) for end in ends):
        return None
    words = tuple(question[run[0].start() : run[end].end()] for end in reversed(ends))
    start = at.start() if at["placed"] is None else at.end("placed") + 1
    return UnnamedThing(words, start, run[0].start(), is_certain)


def _run(question: str, start: int) -> list[re.Match[str]]:
    """The content words that stand side by side from there on, at most MOST_WORDS."""
    found: list[re.Match[str]] = []
    for word in _WORD.finditer(question, start):
        gap = question[found[-1].end() if found else start : word.start()]
        if gap.strip() or not content_terms(word.group()):
            break
        found.append(word)
    return found[:MOST_WORDS]
