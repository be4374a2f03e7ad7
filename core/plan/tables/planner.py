"""Planner of questions over tables: the query that says most of a question over the tables there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.domain.answer import Route
from core.domain.fields import PLAIN_TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify, option_for
from core.plan.ir.nodes import ComputationNode, Condition, Note, Plan, SelectionNode, flattened
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import DayRange, Filler, Token, UnknownWord, tokens_of
from core.plan.reader.reading import Operation, QuestionReading
from core.plan.tables.absent_columns import are_sheets
from core.plan.tables.assembly.assembler import QueryAssembler
from core.plan.tables.assembly.wide_table import wide_table
from core.plan.tables.doubts.certainty import DoubtSigns, doubt_signs
from core.plan.tables.doubts.disagreement import disagreement
from core.plan.tables.doubts.fit import misfit
from core.plan.tables.doubts.other_tables import are_twins, named_elsewhere, said_with_sheet, surely_named
from core.plan.tables.grammar import grammar_of
from core.plan.tables.header import ColumnKind
from core.plan.tables.interpret import TableReader
from core.plan.tables.links import WordLikeness
from core.plan.tables.measures import is_unique
from core.plan.tables.mentions import (
    ColumnMention,
    FlagMention,
    MentionedTable,
    MentionProposal,
    RowMention,
    TablePiece,
    ValueMention,
    pieces_over,
)
from core.plan.tables.plans import PlanBuilder
from core.plan.tables.query import OF_SIDES, TableOperation, TableQuery
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import TableKey, TablesVocabulary, TableVocabulary, tables_vocabulary
from core.text.analyse import content_terms

_READ = 6  # tables that a question is read over
_KEYS = 3  # tables that are tried beside one of them
_JOINED = 0.1  # doubt of what needs two tables, or one that was made of another
_DERIVED = 0.05
_UNLIKELY = 0.6
_UNKNOWN = 0.3  # of a word that another table knows
_ELSEWHERE = 0.5  # of a word that is the name of a column of another table
_AS_GOOD = 0.1  # doubt within which the same of another table is meant as well
_UNREAD = 0.25  # of what a trained reader takes the words for and a query leaves out
_SURELY = 0.85
_SLIGHTLY = 0.55  # weight below which a column is only like a word
_ASSEMBLED = 0.15  # of a query that no wording was known for
_NAMED = 0.6  # less of it where the table is called by its name
_PLAUSIBLE, _OTHERS = 0.6, 2  # more doubt than the best reading has; other readings that are kept
_UNPIVOTED = 100_000  # as `core.extract.unpivot` numbers the tables that it makes
_EXACT = 0.7
_CHECKED = 0.7  # probability of a yes or no from which on a question that begins so is one
_WHETHER = frozenset(["has", "have", "is", "are", "was", "were", "did", "does", "do"])
_GROUNDED = 0.5  # share of the words that say something, which a table has to have


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Plan of a question over tables. named: a table is called by its name. is_whole: every word is covered.

    grounded: of the words that say something, the share that is the table's own. is_sheet: its documents are
    spreadsheets, which are asked about their rows. is_alone: there are no other documents than such.
    signs: of doubt, where it comes to a number. others: next best plans that come to something else.
    """

    planned: Plan | Clarify
    named: bool
    is_whole: bool
    grounded: float
    is_sheet: bool
    is_alone: bool = False
    signs: DoubtSigns | None = None
    others: tuple[Plan, ...] = ()

    @property
    def is_doubtful(self) -> bool:
        """True where it comes to a number that may well be another than the one asked for."""
        return self.signs is not None and self.signs.is_doubtful

    @property
    def is_sure(self) -> bool:
        """True where it answers the whole question, out of what the table says."""
        return self.is_whole and (
            self.named or self.is_alone or (self.is_sheet and self.grounded >= _GROUNDED)
        )

    def shares(self, other: Plan | Clarify) -> bool:
        """True where another plan reads the documents of this table, or this one is a question back."""
        if isinstance(self.planned, Clarify) or isinstance(other, Clarify):
            return True
        own = _documents(self.planned)
        return any(own & set(node.scope.documents) for node in other.nodes if isinstance(node, SelectionNode))


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    tokens: Sequence[Token]
    grammar: Sequence[MentionProposal]
    today: date
    unique: frozenset[str] = frozenset()
    reading: QuestionReading | None = None
    meaning: WordLikeness | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    words: TableVocabulary
    query: TableQuery
    hits: float
    grounded: float
    named: bool
    known: frozenset[int] = frozenset()
    explained: frozenset[int] = frozenset()
    pieces: tuple[TablePiece, ...] = ()
    used: frozenset[int] = frozenset()

    @property
    def rank(self) -> tuple[float, float]:
        """The lowest is best."""
        doubt = len(self.query.uncovered) + self.query.doubt
        return (doubt - _NAMED * self.named, -self.hits)


def plan_tables(
    question: str,
    lexicon: Lexicon,
    buckets: tuple[str, ...],
    today: date,
    reading: QuestionReading | None = None,
    meaning: WordLikeness | None = None,
) -> TablePlan | None:
    """The plan over the tables that say most of the question; None where none could answer it.

    reading: of a trained reader, as further evidence; meaning: likeness by which words are linked to columns.
    """
    tokens = tokens_of(question)
    vocabulary = tables_vocabulary(lexicon)
    likeliest = vocabulary.likeliest({token.stem for token in tokens}, buckets, _READ)
    if not likeliest:
        return None
    asked = _Asked(
        question,
        tokens,
        grammar_of(question, tokens, today),
        today,
        vocabulary.unique_titles,
        reading,
        meaning,
    )
    plain = replace(asked, reading=None, meaning=None)
    found = [each for words in likeliest for each in _candidates(plain, words, vocabulary)]
    if reading is not None and all(each.query.uncovered for each in found):
        found += [each for words in likeliest for each in _candidates(asked, words, vocabulary)]
    if reading is not None:
        assembled = (_assembled(asked, words, vocabulary) for words in _assembled_over(likeliest, vocabulary))
        found += [each for each in assembled if each is not None]
    if not found:
        return None
    if reading is not None:
        _weigh(found, tokens, vocabulary, reading)
    best = min(found, key=lambda each: each.rank)
    signs = _signs_of(best, found) if reading is not None else None
    _decide_whether(best.query, tokens, reading)
    planned = _planned(question, best.query, buckets, today)
    is_doubtful = signs is not None and signs.is_doubtful
    return TablePlan(
        _doubted(planned, best, signs) if signs is not None and is_doubtful else planned,
        best.named,
        not best.query.uncovered and not is_doubtful,
        best.grounded,
        are_sheets(best.words.documents),
        are_sheets([each for each in lexicon.catalogue.documents if not buckets or each.bucket in buckets]),
        signs,
        _next_best(question, best, found, buckets, today) if reading is not None else (),
    )


def _next_best(
    question: str, best: _Candidate, found: Sequence[_Candidate], buckets: tuple[str, ...], today: date
) -> tuple[Plan, ...]:
    """Plans of the next best queries that cover the question and come to something else."""
    known = {_result(best.query)}
    plans: list[Plan] = []
    for each in sorted(found, key=lambda each: each.rank):
        is_far = each.rank[0] > best.rank[0] + _PLAUSIBLE
        if is_far or len(plans) == _OTHERS:
            break
        result = _result(each.query)
        if result in known or each.query.uncovered:
            continue
        known.add(result)
        planned = _planned(question, each.query, buckets, today)
        plans += [planned] if isinstance(planned, Plan) else []
    return tuple(plans)


def _signs_of(best: _Candidate, found: Sequence[_Candidate]) -> DoubtSigns | None:
    """Signs of doubt of a query that leaves no word out; None for any other."""
    if best.query.uncovered:
        return None
    margin = min(
        (each.rank[0] - best.rank[0] for each in found if _result(each.query) != _result(best.query)),
        default=1.0,
    )
    twins = (
        each.query.measure
        for each in found
        if are_twins(best.query, each.query) and not each.query.uncovered and not is_derived(each.words)
        if each.rank[0] <= best.rank[0] + _AS_GOOD and not is_derived(best.words)
    )
    named = tuple(dict.fromkeys(said_with_sheet(column) for column in twins if column is not None))
    return doubt_signs(best.query, best.pieces, margin, best.used, named)


def _decide_whether(query: TableQuery, tokens: Sequence[Token], reading: QuestionReading | None) -> None:
    """ "Has the cake been paid for?": whether there are such rows is asked, and not for the rows."""
    said = [token.word for token in tokens]
    if reading is None or query.operation is not TableOperation.ROWS or not query.clauses:
        return
    asks_all = {"all", "every", "each", "any"} & set(said)
    checks = sum(p for each, p in reading.operations if each in (Operation.CHECK, Operation.EXISTS))
    if said[:1] and said[0] in _WHETHER and not asks_all and checks >= _CHECKED and query.order is None:
        query.operation, query.shown = TableOperation.EXISTS, []


def _result(query: TableQuery) -> tuple[object, ...]:
    """What tells the result of a query from that of another."""
    filters = frozenset(
        (each.column.key, each.op, each.values, each.aspect) for clause in query.clauses for each in clause
    )
    lacks = any(used.how == "without" for used in query.used)
    measure = query.measure.key if query.measure is not None else ""
    combined = query.combined.column.key if query.combined is not None else ""
    groups = tuple(group.key for group in query.groups)
    return (
        query.operation,
        filters,
        query.parts,
        lacks,
        measure,
        combined,
        groups,
        query.over_groups,
        str(query.sides),
    )


def _doubted(planned: Plan | Clarify, best: _Candidate, signs: DoubtSigns) -> Plan | Clarify:
    """A plan that says which words it is not sure of, or asks which of several columns is meant."""
    if isinstance(planned, Clarify):
        return planned
    words = signs.stray or signs.weak or signs.verbs or (planned.question,)
    measure = best.query.measure
    doubt = "may mean something else"
    if signs.rivals and measure is not None:
        doubt = f"is computed with {measure.entry.name}, and may be meant of {' or '.join(signs.rivals)}"
    sureness = round(signs.likelihood, 4)
    notes = [Note(phrase=word[:500], reading=doubt, confidence=sureness) for word in words]
    uncovered = tuple(dict.fromkeys((*planned.uncovered, *(note.phrase for note in notes))))
    return planned.model_copy(update={"uncovered": uncovered, "notes": (*planned.notes, *notes)})


_LIKELY: dict[TableOperation, tuple[Operation, ...]] = {
    TableOperation.COUNT: (Operation.COUNT,),
    TableOperation.DISTINCT: (Operation.COUNT,),
    TableOperation.ROWS: (Operation.LIST, Operation.LOOKUP, Operation.RANK, Operation.CHECK, Operation.ALL),
    TableOperation.EXISTS: (Operation.EXISTS, Operation.CHECK),
    TableOperation.ALL: (Operation.CHECK, Operation.EXISTS),
}


def _weigh(
    found: Sequence[_Candidate],
    tokens: Sequence[Token],
    vocabulary: TablesVocabulary,
    reading: QuestionReading,
) -> None:
    """Add to the doubt of candidates what speaks against each: in itself, and that others know of words."""
    known = frozenset().union(*(each.known for each in found))
    known = frozenset(at for at in known if content_terms(tokens[at].text))
    named = surely_named(each.pieces for each in found)
    for each in found:
        each.query.doubt += misfit(each.query, tokens, vocabulary) + _unlikely(each.query, reading)
        each.query.doubt += _UNKNOWN * len(known - each.explained)
        each.query.doubt += _UNREAD * disagreement(each.query, reading)
        each.query.doubt += _ELSEWHERE * named_elsewhere(each.pieces, named, tokens)


def _unlikely(query: TableQuery, reading: QuestionReading | None) -> float:
    """Doubt where a trained reader takes the question for one that asks for another operation."""
    if reading is None or query.operation in OF_SIDES:
        return 0.0
    computing = (Operation.COMPUTE, Operation.LOOKUP, Operation.COUNT, Operation.RANK)
    likely = {*_LIKELY.get(query.operation, computing), Operation.COMPARE}
    if any(column.kind is ColumnKind.MEASURE for column in query.shown):
        likely |= {*computing} - ({Operation.COMPUTE} if _has_many(query) else set())
    if query.groups:
        likely |= {Operation.GROUP, Operation.RANK, Operation.LIST}
    return _UNLIKELY * (1 - sum(share for each, share in reading.operations if each in likely))


def _has_many(query: TableQuery) -> bool:
    """True where conditions leave several rows, as those of one month do; one row is looked up."""
    filters = [each for clause in query.clauses for each in clause]
    is_chosen = query.order is not None or any(is_unique(each.column) for each in filters)
    return bool(filters) and not is_chosen


def _candidates(asked: _Asked, words: TableVocabulary, vocabulary: TablesVocabulary) -> list[_Candidate]:
    """The question over one table, and over it with another that goes with it, where words are left."""
    single = _candidate(asked, words)
    found = [single] if single is not None else []
    for key, other in vocabulary.keys_of(words)[:_KEYS]:
        codes = single is not None and not single.query.uncovered and _shows_codes(single.query, key)
        is_short = single is None or single.query.uncovered or single.query.doubt > 0 or codes
        if is_short and (joined := _candidate(asked, words, other, key)) is not None:
            found.append(joined)
    return found


def _assembled_over(
    likeliest: Sequence[TableVocabulary], vocabulary: TablesVocabulary
) -> list[TableVocabulary]:
    """The likeliest tables, and those that go with them, of which the question may say less."""
    found = {id(words): words for words in likeliest}
    for words in likeliest:
        found.update((id(other), other) for _, other in vocabulary.keys_of(words)[:_KEYS])
    return list(found.values())


def _assembled(asked: _Asked, words: TableVocabulary, vocabulary: TablesVocabulary) -> _Candidate | None:
    """The question over a table and all that go with it, by what its words mean wherever they stand."""
    wide = wide_table(words, vocabulary.keys_of(words), _KEYS)
    pieces = pieces_over(
        asked.question, asked.tokens, asked.grammar, wide.tables, asked.reading, asked.meaning
    )
    sequence = PieceSequence(asked.question, asked.tokens, pieces)
    query = QueryAssembler(sequence, wide, asked.today, asked.reading, asked.meaning).assemble()
    if query is None:
        return None
    query.doubt += _ASSEMBLED + _DERIVED * is_derived(words)
    hits = sum(piece.score for piece in pieces if _is_own(piece))
    return _Candidate(
        words,
        query,
        hits,
        _grounded(pieces),
        _is_named(words, asked),
        *_places(pieces),
        tuple(sequence.pieces),
        frozenset(sequence.used),
    )


def _shows_codes(query: TableQuery, key: TableKey) -> bool:
    columns = (*query.shown, *(group.column for group in query.groups))
    return any(column is key.left for column in columns)


def _candidate(
    asked: _Asked, words: TableVocabulary, other: TableVocabulary | None = None, key: TableKey | None = None
) -> _Candidate | None:
    tables = [words] if other is None else [words, other]
    pieces = pieces_over(asked.question, asked.tokens, asked.grammar, tables, asked.reading)
    sequence = PieceSequence(asked.question, asked.tokens, pieces)
    query = TableReader(sequence, words, asked.today, other, key).read()
    if query is None:
        return None
    if other is not None:
        query.doubt += -_JOINED if query.names_codes else _JOINED
    query.doubt += _DERIVED * is_derived(words)
    hits = sum(piece.score for piece in pieces if _is_own(piece))
    return _Candidate(
        words,
        query,
        hits,
        _grounded(pieces),
        _is_named(words, asked),
        *_places(pieces),
        tuple(sequence.pieces),
        frozenset(sequence.used),
    )


def _is_own(piece: TablePiece) -> bool:
    return isinstance(piece.mention, ColumnMention | ValueMention | FlagMention | MentionedTable | RowMention)


def _places(pieces: Sequence[TablePiece]) -> tuple[frozenset[int], frozenset[int]]:
    """The places of words that are surely columns, values or rows, and of those that mean anything."""
    sure = frozenset(at for piece in pieces if _is_sure(piece) for at in range(piece.first, piece.end))
    meant = (
        piece
        for piece in pieces
        if not isinstance(piece.mention, UnknownWord | Filler)
        and not (isinstance(piece.mention, MentionedTable) and piece.end == piece.first + 1)
        and not (isinstance(piece.mention, ColumnMention) and piece.mention.columns[0][1] < _SLIGHTLY)
    )
    return sure, frozenset(at for piece in meant for at in range(piece.first, piece.end))


def _is_sure(piece: TablePiece) -> bool:
    mention = piece.mention
    if isinstance(mention, ColumnMention):
        return mention.columns[0][1] >= _SURELY
    if isinstance(mention, ValueMention):
        return not mention.options[0].is_part
    own = (FlagMention, DayRange)  # periods stand among the pieces of tables that have days or years
    return isinstance(mention, own) or (isinstance(mention, RowMention) and piece.score >= 1.6)


def _is_exact(piece: TablePiece) -> bool:
    """True where words are a table's own, and not only like those of a column."""
    if isinstance(piece.mention, ColumnMention):
        return piece.mention.columns[0][1] >= _EXACT
    return _is_own(piece)


def _grounded(pieces: Sequence[TablePiece]) -> float:
    """Share of the words for things which a table has itself: no figures, and no words of the grammar."""
    own = sum(piece.end - piece.first for piece in pieces if _is_exact(piece))
    others = (piece for piece in pieces if _is_own(piece) or isinstance(piece.mention, UnknownWord))
    return own / max(1, sum(piece.end - piece.first for piece in others))


def is_derived(words: TableVocabulary) -> bool:
    """True of a table that was made of the columns of another."""
    return any(part.number >= _UNPIVOTED for part in words.parts)


def _is_named(words: TableVocabulary, asked: _Asked) -> bool:
    """True where the question has all words of the name of a document, or "the register" is the only one."""
    said = {token.stem for token in asked.tokens}
    titled = {word for title in words.document_titles.values() for word in title}
    if said & titled & asked.unique:
        return True
    for title in words.document_titles.values():
        plain = {word for word in title if not word.isdigit()}
        if plain and plain <= said:
            return True
    return False


def _planned(question: str, query: TableQuery, buckets: tuple[str, ...], today: date) -> Plan | Clarify:
    if query.ambiguous is not None:
        phrase, names = query.ambiguous
        return Clarify(
            type="ambiguous",
            question=question,
            phrase=phrase,
            reason=f"“{phrase}” may be {' or '.join(names[:8])}. Which do you mean?",
            options=tuple(option_for(question, phrase, name, 1) for name in names[:8]),
        )
    return PlanBuilder(question, query, buckets, today).plan()


# -- beside a plan over documents ----------------------------------------------------------------------------


def says_more(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """True where rows that cover a question answer it better than this plan over documents."""
    return _computes_with_items(planned, catalogue) or _chooses_nothing(planned, catalogue)


def _computes_with_items(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """True where a plan computes over documents that are chosen by one of their many items.

    What such a document comes to is more than the item: the row of the item says what that costs.
    """
    if isinstance(planned, Clarify) or not any(isinstance(node, ComputationNode) for node in planned.nodes):
        return False
    selects = [node for node in planned.nodes if isinstance(node, SelectionNode)]
    conditions = [each for node in selects for each in flattened(node.conditions)]
    fields = [catalogue.field(condition.field) for condition in conditions]
    return any(each is not None and each.many and each.type in PLAIN_TEXTS for each in fields)


def _chooses_nothing(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """True where a plan chooses documents by a value that none of them states, as a choice of a schema."""
    if isinstance(planned, Clarify):
        return False
    known = {(each.field, each.text.casefold()) for each in catalogue.values if each.documents}
    for node in planned.nodes:
        for clause in node.conditions if isinstance(node, SelectionNode) else ():
            if not isinstance(clause, Condition) or clause.op is not Operator.EQUAL:
                continue
            entry = catalogue.field(clause.field)
            is_choice = entry is not None and entry.type is FieldType.ENUM
            said = clause.value.casefold() if is_choice and isinstance(clause.value, str) else None
            if said is not None and (clause.field, said) not in known:
                return True
    return False


def says_once(planned: Plan | Clarify, over_rows: TablePlan) -> Plan | Clarify:
    """The plan over documents, which names the table that states the same again and is not counted."""
    rows = over_rows.planned
    if isinstance(planned, Clarify) or isinstance(rows, Clarify):
        return planned
    computed = next((node for node in planned.nodes if isinstance(node, ComputationNode)), None)
    source = next((node for node in rows.nodes if isinstance(node, SelectionNode)), None)
    if computed is None or source is None:
        return planned
    note = Note(
        phrase="",
        reading=f"{source.purpose}: these rows may repeat the documents, and are not counted with them",
        node=computed.id,
    )
    return planned.model_copy(update={"notes": (*planned.notes, note)})


def is_structured(planned: Plan | Clarify) -> bool:
    """True where a plan is over fields or rows, and not over text."""
    return isinstance(planned, Plan) and planned.route is Route.STRUCTURED


def _documents(plan: Plan) -> set[str]:
    return {id for node in plan.nodes if isinstance(node, SelectionNode) for id in node.scope.documents}
