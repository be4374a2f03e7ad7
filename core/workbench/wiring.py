"""The composition root: from settings to records, engine, encoders and the stages that use them.

Everything is made on first use, so that a command pays only for what it touches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet

from core import plugins
from core.ask.orchestrator import Orchestrator
from core.cache import Cache
from core.config.models import Settings
from core.config.schema_store import SchemaStore
from core.config.variants import model_choices, prompt_texts, with_variant
from core.domain.experiments.variant import HomeVariant
from core.domain.principal import Principal
from core.encode.base import Encoder, TokenCounter
from core.encode.load import load_batch_encoder, load_query_encoder, load_token_counter
from core.encode.minilm import MiniLm
from core.errors import UsageError
from core.guard.policies.in_force import Policies
from core.plan.door import PlanDoor
from core.plan.run.tools import Tools
from core.rerank.base import MODEL, OFF, Reranker, open_named
from core.search.inspect import Inspector
from core.search.reorder import Reordering
from core.search.search import Retriever
from core.store.cells.extraction_states import ExtractionStates
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.telemetry import tracing
from core.workbench.catalogue import StatisticsLoader
from core.workbench.door import PolicyDoor
from core.workbench.engines.passages import Engines
from core.workbench.finder import IndexFinder
from core.workbench.language_models import ModelsOfHome
from core.workbench.made_once import Made, MakesParts, made_once
from core.workbench.runs.masking import MaskKey, MaskVerdict, mask_cache

if TYPE_CHECKING:
    from core.ask.computed_answer import Structured
    from core.datasets.engine import RowEngine
    from core.extract.base import Definitions
    from core.extract.extractor import Heads
    from core.extract.jobs.service import Extractions
    from core.graph.maps import Maps
    from core.ingest.render import PageRenderer
    from core.plan.readers.trained.reading import QuestionReader
    from core.search.facts import FactSearch
    from core.workbench.catalogue import CatalogueLoader, Planners
    from core.workbench.definitions import DefinitionsLoader
    from core.workbench.fields.word_trial import WordTrials
    from core.workbench.pages import Pages
    from core.workbench.runs.past_tries import PastTries


class Parts(MakesParts):
    """The parts of one workbench, all of one variant: encoder, vectors, index and settings. Thread-safe.

    When another one serves, other parts are opened beside these; whatever runs on these ends on them.
    """

    def __init__(self, settings: Settings, variant: HomeVariant | None = None) -> None:
        """settings: of the home. variant: None for the one that serves now."""
        super().__init__()
        self.records = Records.open(settings, variant)
        self.variant = self.records.variant
        self.home_settings = settings
        try:
            self.settings = with_variant(settings, self.variant.settings, self.variant.vector_set)
        except UsageError:
            self.records.close()
            raise
        self.engines = Engines(self.records, self.settings)
        self._others: dict[Callable[[Parts], Any], Any] = {}
        self.users: WeakSet[object] = WeakSet()  # who goes on with these when others serve
        self._clause_heads: tuple[str, Heads | None] | None = None
        self.on_close(self.records.close)
        self.on_close(self.engines.close)
        if settings.telemetry.traces_url:
            tracing.start(settings.telemetry.traces_url, share=settings.telemetry.traces_share)
            self.on_close(tracing.stop)

    @made_once
    def query_encoder(self) -> Encoder:
        """The encoder for questions."""
        return load_query_encoder(self.settings)

    @made_once
    def batch_encoder(self) -> Encoder:
        """The encoder for ingest; loads torch once the work is large."""
        return load_batch_encoder(self.settings)

    def part(self, make: Callable[[Parts], Made]) -> Made:
        """A part that a package above makes of these: made once, and closed with them."""
        with self.making:
            if make not in self._others:
                self._others[make] = self.closing(cast("Any", make(self)))
            return cast("Made", self._others[make])

    def beside(self, variant: HomeVariant | None = None) -> Parts:
        """Other parts of this home: of such a variant, or of the one that serves now."""
        return Parts(self.home_settings, variant)

    def is_serving(self) -> bool:
        """True while the variant of these parts is the one that serves."""
        return self.records.variants.serving().variant == self.variant

    @made_once
    def retriever(self) -> Retriever:
        """Finds passages."""
        chosen = self.settings.retrieval
        return Retriever(
            self.records,
            self.engines.passages,
            self.query_encoder,
            self.settings,
            self.engines.degradation,
            None if chosen.rerank == OFF else Reordering(lambda: self.reranker, chosen.rerank_top),
        )

    @made_once
    def reranker(self) -> Reranker | None:
        """What reads the first passages again; None where that is off. Raises PluginError, RerankError."""
        chosen = self.settings.retrieval
        if chosen.rerank == OFF:
            return None
        made = self._model_reranker(chosen.rerank_s) if chosen.rerank == MODEL else None
        return self.closing(made or open_named(chosen.rerank, chosen.rerank_s))

    def _model_reranker(self, within_s: float) -> Reranker:
        from core.rerank.by_model import ModelReranker

        return ModelReranker(lambda: self.models_of_home.calls("", deadline_s=within_s))

    @made_once
    def fact_search(self) -> FactSearch:
        """Finds clauses, parties, amounts and summaries."""
        from core.search.facts import FactSearch
        from core.workbench.fields.scope import asking_of

        engines = self.engines.of_facts
        return FactSearch(
            self.records,
            engines.engine,
            lambda: self.query_encoder,
            self.settings.retrieval.pool,
            engines.degradation,
            lambda visible, bucket: asking_of(self.schemas, self.records, visible, bucket),
        )

    @made_once
    def finder(self) -> IndexFinder:
        """Searches any index."""
        return IndexFinder(lambda: self.retriever, lambda: self.fact_search)

    @made_once
    def inspector(self) -> Inspector:
        """Shows how searches come about."""
        return Inspector(self.retriever, self.engines.at_hand)

    @made_once
    def orchestrator(self) -> Orchestrator:
        """Answers questions."""
        structured = self.structured if self.settings.answer.use_plans else None
        return Orchestrator(
            self.records,
            self.retriever,
            self.settings,
            structured=structured,
            models=self.models_of_home,
            tools=self.tools,
            door=self.door,
            sight_of=self.records.access.visibility,
        )

    @made_once
    def policies(self) -> Policies:
        """The policies of this home."""
        return Policies(self.settings.home)

    def door(self, principal: Principal, visible: Visibility) -> PolicyDoor:
        """The door of the policies for a principal, who sees so much."""
        return PolicyDoor(
            self.policies, self.records.audit_log, principal, lambda: self.catalogues.load(visible)
        )

    def tools(self, visible: Visibility, door: PlanDoor) -> Tools:
        """The tools that a model may call, with what may be seen, and done."""
        return Tools(self.structured.executor.operators, self.records.documents, visible, door)

    @made_once
    def models_of_home(self) -> ModelsOfHome:
        """Language models as they are configured now, also where there are none."""
        own = self.variant.settings
        return ModelsOfHome(self.records, self.settings.llm, model_choices(own), prompt_texts(own))

    @property
    def models(self) -> ModelsOfHome | None:
        """The same; None where no language model is configured now."""
        models = self.models_of_home
        return models if models.settings.is_configured else None

    @made_once
    def catalogues(self) -> CatalogueLoader:
        """Catalogues of the collection, as planners see it."""
        from core.workbench.catalogue import CatalogueLoader

        return CatalogueLoader(self.records, self.schemas, self.settings.home)

    @made_once
    def maps(self) -> Maps:
        """Maps of the collection, for what somebody may see."""
        from core.graph.maps import Maps

        return self.closing(Maps(self.records, self.schemas.schemas))

    @made_once
    def structured(self) -> Structured:
        """Plans questions over fields, and runs plans."""
        from core.workbench.plan_execution import structured

        return structured(
            self.records,
            self.schemas,
            self.catalogues,
            self.finder,
            self.planners,
            self.statistics,
            self.on_close,
            self.settings.retrieval,
            lambda: self.row_engine,
            lambda: self.maps,
            self.past_tries.habit,
        )

    @made_once
    def row_engine(self) -> RowEngine:
        """Asks rows of tables by SQL, in a process of its own."""
        from core.datasets.engine import RowEngine
        from core.datasets.sql.process import QueryProcess
        from core.workbench.fields.field_tables import CatalogueTables

        home = self.settings.home
        others = CatalogueTables(home / "tables", self.records, self.catalogues.load)
        return self.closing(RowEngine(self.records, home, QueryProcess(size=2), others))

    @made_once
    def past_tries(self) -> PastTries:
        """What was tried of alike questions."""
        from core.workbench.runs.past_tries import PastTries

        return PastTries(self.records, self.catalogues, self.planners, self.settings.answer)

    @made_once
    def planners(self) -> Planners:
        """Planners of questions, for what somebody may see."""
        from core.workbench.catalogue import Planners, PluginReaders

        return Planners(
            self.records,
            lambda: self.query_encoder,
            self.words,
            lambda: self.reader,
            PluginReaders(lambda: self.query_encoder).readings,
            lambda: self.maps,
        )

    @made_once
    def reader(self) -> QuestionReader | None:
        """The trained reader of questions; None where it is switched off, or cannot be used here."""
        if not self.settings.answer.use_reader:
            return None
        from core.plan.readers.trained.reading import ReaderSpec

        spec = plugins.registry().load(plugins.READERS, "trained", ReaderSpec)
        return cast("QuestionReader | None", spec.open(self.query_encoder))

    def warm_plans(self) -> None:
        """Load what the first plan needs."""
        if self.settings.answer.use_plans:
            from core.plan.names.index import names_of

            catalogue = self.catalogues.load(Visibility.everything())
            names_of(catalogue)  # of 50,000 documents 15 s, once
            if self.reader is not None:
                self.reader.read("Which documents are there?", catalogue)

    @made_once
    def statistics(self) -> StatisticsLoader:
        """Statistics of values and of the costs of nodes."""
        return StatisticsLoader(self.records)

    @made_once
    def words(self) -> TokenCounter:
        """Tells words of the language from misspelt ones."""
        encoder = self.query_encoder
        return encoder if isinstance(encoder, MiniLm) else load_token_counter(self.settings)

    @made_once
    def schemas(self) -> SchemaStore:
        """The schemas of this home, for reading."""
        return SchemaStore(self.settings.home)

    @made_once
    def schema_editor(self) -> SchemaStore:
        """The same for changing: it knows the names that extractors may use."""
        from core.workbench.definitions import known_names

        names = known_names()
        return SchemaStore(self.settings.home, heads=names.heads, rules=names.rules)

    @made_once
    def word_trials(self) -> WordTrials:
        """Trials of fields in words, with what they ranked."""
        from core.workbench.fields.word_trial import WordTrials

        return WordTrials(self.records, self.definitions, lambda: self.query_encoder)

    @made_once
    def extraction_states(self) -> ExtractionStates:
        """By which schema documents were extracted."""
        return ExtractionStates(self.records.database)

    @made_once
    def _definitions_loader(self) -> DefinitionsLoader:
        from core.workbench.definitions import (
            DefinitionsLoader,
        )  # an answer does not need what extraction does

        return DefinitionsLoader(self.records, self.schemas)

    def definitions(self) -> Definitions:
        """Definitions of all extraction now: schemas, thresholds, and the model of the clause heads."""
        return self._definitions_loader.load()

    def clause_heads(self, definitions: Definitions) -> Heads | None:
        """The clause heads of these definitions, kept while the model stays; None where there are none."""
        from core.extract.jobs.work import load_heads

        known = self._clause_heads
        if known is None or known[0] != definitions.model:
            known = self._clause_heads = (definitions.model, load_heads(definitions))
        return known[1]

    @made_once
    def extractions(self) -> Extractions:
        """Fills cells, in child processes that are kept between jobs."""
        from core.extract.jobs.service import Extractions

        return self.closing(Extractions(self.records, self.settings, self.definitions))

    @made_once
    def renderer(self) -> PageRenderer:
        """Draws PDF pages in a process of its own."""
        from core.ingest.render import PageRenderer  # imported with the first page image, not before

        return self.closing(PageRenderer())

    @made_once
    def mask_verdicts(self) -> Cache[MaskKey, MaskVerdict]:
        """Verdicts on kept answers, for all principals."""
        return mask_cache()

    @made_once
    def pages(self) -> Pages:
        """Page images and places on them; images drawn lately are kept."""
        from core.workbench.pages import Pages

        return Pages(self.records, lambda: self.renderer)
