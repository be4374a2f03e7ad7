from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config.field_words import WordedField, definition_of_words, lines_of
from core.config.fields import FieldDefinition
from core.domain.document import Page, ParsedDocument
from core.domain.fields import CellStatus, Quote
from core.domain.ids import DocumentId, content_hash
from core.domain.principal import Principal
from core.domain.span import PageSpan
from core.errors import NotFoundError, RefusedError, SettingsError, UsageError
from core.extract.words.head import LEAST_VERDICTS
from core.fields.word_field import Contradiction, FieldVerdict, ScanProgress, WordTrial
from core.store.base import NewVersion
from core.workbench import Workbench
from tests.support.roles import MAY_ASK

STATES = "The supplier keeps spare parts of the pump in stock for ten years after the last delivery."
ANOTHER = "The parties meet once in a quarter to talk about the plans of the following quarter."
MEANING = "The supplier keeps spare parts in stock for years"
FIELD = definition_of_words(WordedField("Spare parts kept", MEANING))
COUNT = 30


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("words")
    files = folder / "contracts"
    files.mkdir()
    for number in range(COUNT):
        body = STATES if number % 2 else ANOTHER
        text = (
            f"SUPPLY AGREEMENT {number}\n\nThis is made by company {number}.\n\n{body}\n\nPrices are fixed."
        )
        (files / f"{number:02}.txt").write_text(text)
    with Workbench.open(home=folder / "home") as workbench:
        workbench.ingest([files], bucket="contracts")
        yield workbench


def trial(bench: Workbench, field: FieldDefinition, verdicts: list[FieldVerdict]) -> WordTrial:
    events = list(bench.local.word_fields.try_words("contracts", field, "contracts", verdicts))
    assert all(isinstance(each, ScanProgress) for each in events[:-1])
    found = events[-1]
    assert isinstance(found, WordTrial)
    return found


def judged(bench: Workbench, field: FieldDefinition, count: int) -> list[FieldVerdict]:
    """Verdicts as a person gives them, on what the trial shows."""
    verdicts: list[FieldVerdict] = []
    while len(verdicts) < count:
        for each in trial(bench, field, verdicts).documents:
            hit = next((c for c in each.candidates if "spare parts" in c.spans[0].quote), None)
            verdicts.append(FieldVerdict(each.summary.id, hit is not None, hit.spans if hit else ()))
    return verdicts


def test_a_trial_shows_documents_of_all_kinds_and_estimates_from_clicks(bench: Workbench) -> None:
    first = trial(bench, FIELD, [])
    later = trial(bench, FIELD, judged(bench, FIELD, LEAST_VERDICTS))

    assert first.scanned == COUNT
    assert len(first.documents) == 12
    assert "spare parts" in first.documents[0].candidates[0].spans[0].quote
    assert first.lacking == LEAST_VERDICTS
    assert later.lacking == 0
    assert later.decided > 0.8
    assert later.first_right.right == later.first_right.checked > 5


def test_a_field_is_added_with_its_verdicts_learnt_and_filled(bench: Workbench) -> None:
    service = bench.local.word_fields
    verdicts = judged(bench, FIELD, LEAST_VERDICTS)

    service.add("contracts", FIELD, verdicts)
    bench.local.schemas.extract()

    cells = {cell.document: cell for cell in bench.local.matrix.cells(ids(bench), [FIELD.name])}
    others = [cell for document, cell in cells.items() if document not in {v.document for v in verdicts}]
    assert sum(cell.review is not None for cell in cells.values()) == len(verdicts)
    assert others
    assert all(cell.finding.status in (CellStatus.PRESENT, CellStatus.ABSENT) for cell in others)
    assert all((cell.finding.status is CellStatus.PRESENT) == states(bench, cell.document) for cell in others)
    assert service.learnt("contracts", FIELD.name).decides


def test_a_verdict_that_contradicts_is_shown_and_settled(bench: Workbench) -> None:
    field = definition_of_words(WordedField("Stock of parts", "Parts of the pump are kept in stock"))
    service = bench.local.word_fields
    service.add("contracts", field)
    shown = [each for each in trial(bench, field, []).documents if states(bench, each.summary.id)]
    yes, no = shown[0], shown[1]
    given = [
        FieldVerdict(yes.summary.id, True, yes.candidates[0].spans),
        FieldVerdict(no.summary.id, False),
    ]

    [pair] = trial(bench, field, given).contradictions
    service.judge("contracts", field.name, given)
    learn(bench, field)
    [kept] = service.learnt("contracts", field.name).contradictions
    service.settle("contracts", field.name, kept, is_stated=True)

    assert (pair.stated_in, pair.not_in) == (yes.summary.id, no.summary.id)
    cell = bench.local.matrix.cell(no.summary.id, field.name)
    assert cell.finding.status is CellStatus.PRESENT
    assert "spare parts" in cell.finding.spans[0].quote


def test_many_fields_are_added_by_one_job_whose_cost_is_known(bench: Workbench) -> None:
    service = bench.local.word_fields
    lines = "\n".join(
        f"Point {n} of it: the supplier promises thing number{n} to customer{n}" for n in range(100)
    )
    fields = service.read_lines("contracts", lines_of(lines))
    before = len(bench.local.jobs.list())

    cost = service.cost("contracts", len(fields))
    job = service.add_many("contracts", fields)

    assert (cost.fields, cost.documents, cost.cells) == (100, COUNT, 100 * COUNT)
    assert cost.seconds > 0
    assert job is not None
    assert len(bench.local.jobs.list()) == before + 1
    bench.local.jobs.cancel(job)


def test_lines_that_say_the_same_are_named(bench: Workbench) -> None:
    lines = lines_of(
        "Safety training: workers are trained each year\nTraining: workers are trained each year"
    )

    with pytest.raises(SettingsError, match="says the same: 'Safety training'"):
        bench.local.word_fields.read_lines("contracts", lines)


def test_only_admins_try_and_add_fields(bench: Workbench) -> None:
    service = bench.for_principal(Principal("reader", MAY_ASK)).word_fields

    with pytest.raises(RefusedError):
        list(service.try_words("contracts", FIELD, "contracts"))
    with pytest.raises(RefusedError):
        service.add("contracts", FIELD)


def test_a_field_that_is_found_otherwise_is_not_tried_by_words(bench: Workbench) -> None:
    pattern = FIELD.model_copy(update={"extractors": ()})

    with pytest.raises(UsageError):
        trial(bench, pattern, [])


def ids(bench: Workbench) -> list[DocumentId]:
    return [each.id for each in bench.documents(bucket="contracts")]


def states(bench: Workbench, document: DocumentId) -> bool:
    return any("spare parts" in page.text for page in bench.local.documents.get(document).pages)


def learn(bench: Workbench, field: FieldDefinition) -> None:
    from core.workbench.work.submission import Writing

    job = bench.local.word_fields.learn("contracts", field.name)
    Writing(bench._parts).complete(job, None)


def test_a_verdict_that_cannot_be_kept_leaves_no_field_behind(bench: Workbench) -> None:
    field = definition_of_words(WordedField("Storage span", "How long the parts are kept in storage"))
    shown = next(each for each in trial(bench, field, []).documents if not states(bench, each.summary.id))
    page = bench.local.documents.get(shown.summary.id).pages[0]
    start = page.text.index("The parties meet")
    quote = Quote(PageSpan(1, start, start + 16), page.text[start : start + 16])
    jobs = len(bench.local.jobs.list())

    with pytest.raises(UsageError, match="is no duration"):
        bench.local.word_fields.add("contracts", field, [FieldVerdict(shown.summary.id, True, (quote,))])
    with pytest.raises(NotFoundError):
        bench.local.word_fields.add("contracts", field, [FieldVerdict(DocumentId("d999"), False)])

    assert field.name not in {each.name for each in bench.local.schemas.of_bucket("contracts").fields}
    assert len(bench.local.jobs.list()) == jobs


def test_of_two_verdicts_on_a_document_the_last_counts(bench: Workbench) -> None:
    field = definition_of_words(WordedField("Quarterly talks", "The parties meet once in a quarter"))
    [first, *_] = trial(bench, field, []).documents
    given = [
        FieldVerdict(first.summary.id, True, first.candidates[0].spans),
        FieldVerdict(first.summary.id, False),
    ]

    assert trial(bench, field, given).verdicts == 1


def test_a_document_that_may_not_be_seen_is_like_one_that_is_not_there(bench: Workbench) -> None:
    parsed = ParsedDocument("Secret", "text/plain", (Page(1, f"SECRET AGREEMENT\n\n{ANOTHER}"),), "en")
    secret = NewVersion("secret", "secret.txt", parsed, content_hash(b"secret"), 9, acl=("board",))
    bench.local._parts.records.documents.publish(secret)  # a job would first do those of the tests above
    [hidden] = bench.documents(bucket="secret")
    field = definition_of_words(WordedField("Meetings held", "The parties meet in every quarter"))
    bench.local.word_fields.add("contracts", field)
    reviewer = bench.for_principal(Principal("rev", frozenset({"reviewer"}), frozenset({"staff"})))

    said = []
    for document in (DocumentId(hidden.id), DocumentId("d999")):
        for sentence in ("The parties meet", "Nothing like it"):
            pair = Contradiction(sentence, ids(bench)[0], document)
            with pytest.raises(NotFoundError) as raised:
                reviewer.word_fields.settle("contracts", field.name, pair, is_stated=True)
            said.append(str(raised.value).replace(document, "it"))

    assert len(set(said)) == 1
