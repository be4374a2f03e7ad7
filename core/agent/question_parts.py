"""Parts of a text that each ask for something: whole sentences, and clauses joined by "and"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.plan.text.classify import read_comparison
from core.text.analyse import content_terms
from core.text.sentences import split_sentences
from core.text.words import word_list


def _closed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Closed classes of English words; what stays open is in words/splitting.toml.
_INTERROGATIVES = _closed("who whom whose what what's which when when's where where's why how who's how's")
_AUXILIARIES = _closed(
    "is are was were do does did has have had can could will would should shall must may might isn't "
    "aren't doesn't don't didn't can't won't"
)
_SUBJECTS = _closed(
    "it they we you i he she there the this that these those any anyone anybody anything all both "
    "either its their our my his her a an"
)
_REQUESTS = _closed(
    "list show tell give find count compare name identify summarise summarize explain describe "
    "calculate send provide enumerate display check confirm"
)
_REQUESTED = _closed(
    "me us them the all each every which who what how those these any its their out also both"
)
_RELATIVES = _closed("who which that whose whom")
_OPENINGS = _closed(
    "and also so then but ok okay please plus finally lastly secondly next btw oh hi hello hey well now"
)
_REPEATING = _closed(
    "list name them those these they are which ones what who show me tell all please it is that and "
    "how many there exactly their names titles give us out also one were was the"
)
_CIRCUMSTANCES = _closed("where when why whom")
_ASKED_OF = word_list("splitting", "asked_of")
_UNITS = word_list("splitting", "units")
_POLITE = word_list("politeness", "common", "closing")
_RESTRICTING = word_list("reading", "restricting")

_TOKEN = re.compile(r"[^\s,;:.?!()\"“”]+")
_QUERY_END = re.compile(r"\?+[!?]*[\"”')]*(?=\s)")
_BULLET = re.compile(r"^\s*(?:[-–—•*]|\(?\d{1,2}[.)])\s+")
_JOINT = re.compile(
    r"(?:\s*[,;]\s*|\s+|\s*[–—-]\s+)(?:and|plus|&|as well as|also|but)\s+(?:also\s+|then\s+)?|\s*;\s*", re.I
)
_WISH = re.compile(
    r"^(?:i|we)(?:'d| would)? (?:need|want|like|wish) to (?:know|see|find|have|understand)\b"
    r"|^(?:let|tell) (?:me|us) know\b|^do you know\b|^(?:can|could|would) you\b|^(?:i am|i'm|we are|we're) "
    r"(?:looking for|trying to find|wondering)\b|^i (?:wonder|was asked)\b",
    re.IGNORECASE,
)
_ADDING = re.compile(r"^(?:and|also|plus|what about|how about|same for)\b", re.IGNORECASE)
_COMPARING = re.compile(
    r"\b(?:compare|contrast|differences?|versus|vs|between|respectively)\b", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"^(?:its|their|his|her)\s+\w", re.IGNORECASE)
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|she|his|her|those|these|this|that|same|such|ones?)\b",
    re.IGNORECASE,
)
_ONLY_NOT = re.compile(  # "how many do not?": of what the question before asks
    r"^(?:and\s+)?(?:how\s+many|which|which\s+ones|who|what)(?:\s+of\s+them)?\s+"
    r"(?:(?:do|does|did|are|is|were|was|have|has)(?:\s+not|n['’]t)|lack\s+(?:one|it))\s*[?.!]*$",
    re.IGNORECASE,
)
_SAME_AGAIN = re.compile(
    r"(?P<asked>how many|how much|which(?: ones)?|what|who)\s+"
    r"(?P<joint>by|with|under|from|in|for|to|of|at|before|after)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“][^\"”]{0,400}[\"”]|\([^)]{0,300}\)")

MOST_PARTS = 5
LONG_CHARS = 220  # from which on a text is a message with a question in it
_LEAST_WORDS = 3  # of a question that another one follows: "how wide and how heavy is it" is one
_SHORT_WORDS = 4  # a fragment belongs to the question before it
_ASIDE_WORDS = 8
_CHOOSING_WORDS = 6  # of a clause that only wants one of what the clause before is about


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """One question of a text. is_phrase: it is only a phrase ("its governing law"), without a verb.

    leans: it points at what the part before it is about.
    """

    text: str
    is_phrase: bool = False

    @property
    def leans(self) -> bool:
        """True where it points at something said before."""
        return self.is_phrase or bool(_POINTING.search(self.text) or _ONLY_NOT.search(self.text))


def question_parts(text: str) -> tuple[QuestionPart, ...]:
    """The questions of a text in order, each once; () where the text is one question, or none.

    One part alone is the question of a longer message. Conditions of one question ("which have A and have
    B", "that expire and who ..."), comparisons and what stands in quotes or brackets are not taken apart.
    """
    parts: list[QuestionPart] = []
    aside, line = 0, -1
    for number, sentence in _sentences(text):
        words = _words(sentence)
        is_same_line, line = number == line, number
        if parts and _ADDING.match(sentence) and _ends_as_question(sentence) and len(words) <= _ASIDE_WORDS:
            parts.append(QuestionPart(sentence, is_phrase=not _starts_question(words, sentence)))
        elif parts and is_same_line and _belongs(sentence, words):
            parts[-1] = replace(parts[-1], text=f"{parts[-1].text} {sentence}")
        elif is_question(sentence):
            parts += _clauses(sentence)
        else:
            aside += len(words)
    unique = list({part.text.casefold().strip(" ?.!"): part for part in parts}.values())
    if len(unique) > MOST_PARTS or not unique:
        return ()
    is_message = len(text) >= LONG_CHARS and aside > 0
    return tuple(unique) if len(unique) > 1 or is_message else ()


def is_question(sentence: str) -> bool:
    """True where a sentence asks or requests something."""
    return _starts_question(_words(sentence), sentence) or _ends_as_question(sentence)


def opens_question(word: str) -> bool:
    """True of a word that questions and requests begin with, whatever they are about: "Does", "List"."""
    return word.casefold() in _INTERROGATIVES | _AUXILIARIES | _REQUESTS


def is_request(sentence: str) -> bool:
    """True where a sentence begins as a request does, and not as a question: "list the leases"."""
    first = next((word for word in _words(sentence) if word not in _OPENINGS), "")
    return first in _REQUESTS


def _ends_as_question(sentence: str) -> bool:
    return sentence.rstrip("\"”') ").endswith("?")


def _starts_question(words: list[str], sentence: str) -> bool:
    """True where a sentence begins as questions and requests do."""
    at = next((at for at, word in enumerate(words) if word not in _OPENINGS), len(words))
    rest = words[at:]
    if not rest:
        return False
    if rest[0] in _AUXILIARIES and not _ends_as_question(sentence):  # "is for Kuwait", "don't laugh"
        return len(rest) > 1 and (rest[1] in _SUBJECTS or _is_written_as_name(sentence, at + 1))
    is_asked = rest[0] in _INTERROGATIVES or rest[0] in _AUXILIARIES or rest[0] in _REQUESTS
    is_asked = is_asked or (rest[0] in _PREPOSITIONS and rest[1:2] != [] and rest[1] in _INTERROGATIVES)
    return is_asked or bool(_WISH.search(" ".join(rest)))


_ALL_COUNTED = re.compile(
    r"\s*(?:and\s+)?how\s+many\s+[\w-]+(?:\s+[\w-]+)?\s+(?:are\s+there|do\s+we\s+have|have\s+we\s+got|exist)"
    r"(?:\s+(?:in\s+(?:all|total)|overall|altogether))?[\s?.!]*$",
    re.IGNORECASE,
)


_CHOOSES_ONE = re.compile(r"\b(?:most|least|best|worst|(?!(?:rest|latest\s+by)\b)\w{2,}est)\b", re.IGNORECASE)


def adds_nothing(part: str, earlier: str) -> bool:
    """True where a part only asks once more for the answer to the earlier one: "which are they?".

    "How many contracts are there?" asks for all of them, whatever was counted before.
    """
    if _ONLY_NOT.search(part) or (_ALL_COUNTED.match(part) and not _ALL_COUNTED.match(earlier)):
        return False
    if _CHOOSES_ONE.search(part) and not _CHOOSES_ONE.search(earlier):
        return False  # "which is the most powerful", behind their average power
    if (_CIRCUMSTANCES & set(_words(part))) - set(_words(earlier)):
        return False  # "by whom was it signed", behind "when was it signed"
    known = {term for word in _words(earlier) for term in content_terms(word)}
    return all(
        word in _REPEATING or word in _UNITS or set(content_terms(word)) <= known for word in _words(part)
    )


def _sentences(text: str) -> list[tuple[int, str]]:
    """The sentences of a text with the number of their line.

    A question mark outside of quotes and brackets ends one whatever follows.
    """
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines()):
        sentences: list[str] = []
        for start, end in split_sentences(line):
            sentence = _BULLET.sub("", line[start:end])
            kept = [match.span() for match in _QUOTED.finditer(sentence)]
            begin = 0
            for match in _QUERY_END.finditer(sentence):
                if not any(first < match.start() < last for first, last in kept):
                    sentences.append(sentence[begin : match.end()].strip())
                    begin = match.end()
            sentences.append(sentence[begin:].strip())
        found += [(number, each) for each in _rejoined([each for each in sentences if each])]
    return found


def _rejoined(sentences: list[str]) -> list[str]:
    """Without the cuts behind abbreviations: "Who served under Lt. Col. Dunnington?"."""
    whole: list[str] = []
    for each in sentences:
        is_cut = whole and whole[-1].endswith(".") and is_question(whole[-1]) and each.endswith("?")
        if is_cut and not _starts_question(_words(each), each):
            whole[-1] = f"{whole[-1]} {each}"
        else:
            whole.append(each)
    return whole


def _words(text: str) -> list[str]:
    return [match.group().casefold().replace("’", "'") for match in _TOKEN.finditer(text)]


def _belongs(sentence: str, words: list[str]) -> bool:
    """True where a sentence only adds to the question before it: "top 10", "tires only", "(of 2024)"."""
    if _starts_question(words, sentence) or _POLITE & set(words):
        return False
    return sentence.startswith("(") or len(words) <= _SHORT_WORDS or _restricts(words)


def _restricts(words: list[str]) -> bool:
    return len(words) <= _ASIDE_WORDS and bool(_RESTRICTING & set(words))


def _clauses(sentence: str) -> list[QuestionPart]:
    """The clauses of one sentence that each ask for something."""
    if _COMPARING.search(sentence) or read_comparison(sentence):
        return [QuestionPart(sentence)]
    kept = [(match.start(), match.end()) for match in _QUOTED.finditer(sentence)]
    cuts: list[tuple[int, int, bool]] = []
    begin = 0
    for match in _JOINT.finditer(sentence):
        left, right = sentence[begin : match.start()], sentence[match.end() :]
        if any(start < match.end() and match.start() < end for start, end in kept):
            continue
        if not is_question(left) or len(_words(left)) < _LEAST_WORDS:
            continue
        is_phrase = bool(_POSSESSIVE.match(right)) and len(_words(right)) <= _SHORT_WORDS
        is_whole = _begins_clause(left, right) or _parallel(left, right) or _elliptic(left, right)
        if is_phrase or is_whole:
            cuts.append((match.start(), match.end(), is_phrase))
            begin = match.end()
    parts, begin, is_phrase = [], 0, False
    for start, end, following in cuts:
        parts.append(QuestionPart(sentence[begin:start].strip(" ,;"), is_phrase))
        begin, is_phrase = end, following
    parts.append(QuestionPart(sentence[begin:].strip(" ,;"), is_phrase))
    for at in range(1, len(parts)):
        pair = parts[at - 1].text, parts[at].text
        parts[at] = replace(parts[at], text=_parallel(*pair) or _elliptic(*pair) or parts[at].text)
    return parts


def _parallel(left: str, right: str) -> str:
    """The whole of a question that leaves out what it shares with the one before; "" where it does not.

    "How many are under Texas law, and how many under Iowa law?"
    """
    match = _SAME_AGAIN.match(right)
    if match is None or _has_verb(right):
        return ""
    before = re.match(rf"(?P<shared>.*\b){re.escape(match['joint'])}\b", left, re.IGNORECASE)
    is_alike = before is not None and left.casefold().startswith(match["asked"].casefold())
    return f"{before['shared']}{right[match.start('joint') :]}" if before is not None and is_alike else ""


_QUESTION_WORD = re.compile(
    r"^(?:when|where|why|how)\s+(?=(?:was|were|is|are|did|do|does|has|have|had|will|can)\b)", re.IGNORECASE
)
_QUESTION_WORD_ALONE = re.compile(
    r"^(?:by\s+whom|with\s+whom|for\s+whom|when|where|why|how|until\s+when|since\s+when|for\s+how\s+long)"
    r"(?=[\s?.!]*$)",
    re.IGNORECASE,
)


def _elliptic(left: str, right: str) -> str:
    """The whole of a question that is only its question word; "" where it is not.

    "When was it signed and by whom?"
    """
    before, word = _QUESTION_WORD.match(left), _QUESTION_WORD_ALONE.match(right)
    if before is None or word is None:
        return ""
    return f"{word[0]} {left[before.end() :].rstrip(' ?.!')}{right[word.end() :]}"


def _has_verb(text: str) -> bool:
    return any(word in _AUXILIARIES for word in _words(text))


def _begins_clause(left: str, right: str) -> bool:
    """True where a new question begins behind a joint."""
    words = _words(right)
    if len(words) < 2:
        return False
    first, second = words[0], words[1]
    has_relative = any(word in _RELATIVES for word in _words(left)[1:])
    has_verb = any(word in _AUXILIARIES for word in words[1:])
    embedded = any(word in _INTERROGATIVES for word in _words(left)[1:]) and not _tells(left)
    if first in _INTERROGATIVES and (second == "to" or (embedded and second not in _AUXILIARIES)):
        return False  # "which state when it is due and how it is paid", "what to do"
    if first in _PREPOSITIONS:
        return second in _INTERROGATIVES and has_verb and not has_relative
    if first in ("what", "what's", "when's", "where's", "how's"):
        return has_verb or first != "what" or second in _HAPPENS
    if first in ("how", "when", "where", "why"):
        return second in _AUXILIARIES or (first == "how" and has_verb)
    if first in ("who", "whom", "who's"):
        return not has_relative and second not in _PREPOSITIONS
    if first == "which":
        is_asked = second in _ASKED_OF and (has_verb or not has_relative)
        if second in _BEING and _CHOOSES_ONE.search(right) and len(words) <= _CHOOSING_WORDS:
            return not has_relative  # "and which is best"
        return is_asked or (second in ("are", "is") and " ".join(words[2:]) in _WHICH_ARE)
    if first in _AUXILIARIES:
        return _has_new_subject(words, left, right, has_relative=has_relative)
    is_request = first in _REQUESTS and (second in _REQUESTED or second.endswith("s"))
    return is_request and not _MODAL.search(left)


def _tells(left: str) -> bool:
    """True where a clause only asks to be told: "tell me who signed it and when it ends"."""
    words = [word for word in _words(left) if word not in _OPENINGS]
    return bool(words) and (words[0] in _REQUESTS or bool(_WISH.search(" ".join(words))))


def _has_new_subject(words: list[str], left: str, right: str, *, has_relative: bool) -> bool:
    """True where a subject of its own stands behind the verb: "and does it ...", "and is the ..."."""
    first, second = words[:2]
    if first in ("has", "have", "had") or (first in _BEING and second in ("a", "an")):
        return False
    if (second == "the" and (words[2:3] or [""])[0].endswith("est")) or " ".join(words[1:3]) in _SUPERLATIVES:
        return False
    goes_on = first in _BEING and (_words(left)[0] in ("which", "what", "who") or has_relative)
    if (goes_on or has_relative) and second not in _PRONOUNS:
        return False  # "which is the longest and is the one with ACME"
    return second in _SUBJECTS or _is_written_as_name(right, 1)


_PREPOSITIONS = frozenset(
    ["by", "until", "since", "to", "for", "at", "in", "on", "under", "with", "from", "as", "of"]
)
_BEING = frozenset(["is", "are", "was", "were"])
_HAPPENS = frozenset(["happens", "happened", "follows"])
_PRONOUNS = frozenset(
    ["it", "they", "we", "you", "i", "he", "she", "there", "this", "that", "these", "those"]
)
_SUPERLATIVES = frozenset(["the most", "the least", "the only", "the same"])
_MODAL = re.compile(r"\b(?:must|may|can|could|should|shall|will|would|to)\b(?! you\b)", re.IGNORECASE)
_WHICH_ARE = frozenset(["they", "those", "these", "it", "that", "the ones", "those ones"])


def _is_written_as_name(text: str, at: int) -> bool:
    """True where the word at a place is written as a name: "and does Beta ..."."""
    found = [match.group() for match in _TOKEN.finditer(text)]
    return at < len(found) and found[at][:1].isupper() and found[at].casefold() not in _INTERROGATIVES
