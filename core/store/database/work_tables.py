"""The tables of work: plans with what they and their nodes gave, calls of models, and crawls.

Plans and results are JSON text (results packed with zlib): SQL looks at the columns beside them only.
"""

from __future__ import annotations

import sqlalchemy as sa

from core.store.database.schema import Moment, Text, metadata

plans = sa.Table(
    "plans",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("name", Text, nullable=False),  # "": kept for its link only
    sa.Column("question", Text, nullable=False),
    sa.Column("plan", Text, nullable=False),
    sa.Column("parameters", Text, nullable=False),
    sa.Column("owner", Text, nullable=False),
    sa.Column("acl", sa.JSON(none_as_null=True)),  # NULL: the owner alone
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
    sa.Column("updated_by", Text, nullable=False),
    sa.Column("removed_at", Moment),  # NULL: it is there; else it can be brought back for a while
    sa.Index("plans_by_name", "name", "updated_at"),
    sa.Index("plans_by_owner", "owner", "name", "updated_at"),
)

plan_runs = sa.Table(
    "plan_runs",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("plan", Text, sa.ForeignKey("plans.id", ondelete="CASCADE"), nullable=False),
    sa.Column("plan_version", sa.Integer, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("data_version", sa.BigInteger, nullable=False),
    sa.Column("parameters", Text, nullable=False),
    sa.Column("status", Text, nullable=False),
    sa.Column("latency_ms", sa.Float, nullable=False),
    sa.Column("result", sa.LargeBinary, nullable=False),  # a RunResult as JSON, zlib
    sa.Index("plan_runs_by_plan", "plan", "at"),
)

node_results = sa.Table(
    "node_results",
    metadata,
    sa.Column("key", Text, primary_key=True),
    sa.Column("data_version", sa.BigInteger, nullable=False),
    sa.Column("size_bytes", sa.Integer, nullable=False),
    sa.Column("used_at", Moment, nullable=False),
    sa.Column("result", sa.LargeBinary, nullable=False),  # a Result as JSON, zlib
    sa.Index("node_results_by_use", "used_at", "size_bytes"),
    sa.Index("node_results_by_version", "data_version"),
)

# Sums over earlier runs of a kind of node, from which a line through (rows in scope, ms) is drawn.
node_figures = sa.Table(
    "node_figures",
    metadata,
    sa.Column("kind", Text, primary_key=True),
    sa.Column("runs", sa.Float, nullable=False),
    sa.Column("rows", sa.Float, nullable=False),
    sa.Column("ms", sa.Float, nullable=False),
    sa.Column("rows_rows", sa.Float, nullable=False),
    sa.Column("rows_ms", sa.Float, nullable=False),
)

lessons = sa.Table(
    "lessons",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("trace", Text, nullable=False),  # of the answer
    sa.Column("question", Text, nullable=False),
    sa.Column("shape", Text, nullable=False),
    sa.Column("slots", sa.JSON, nullable=False),
    sa.Column("buckets", sa.JSON, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("asked_at", Moment, nullable=False),
    sa.Column("outcome", Text, nullable=False),
    sa.Column("status", Text, nullable=False),
    sa.Column("plan", Text),
    sa.Column("corrected", Text),
    sa.Column("corrected_question", Text, nullable=False),
    sa.Column("corrected_at", Moment),
    sa.Column("corrected_by", Text, nullable=False),
    # (2, d) float32, little endian: the question with plain words for its values, and its unknown words.
    sa.Column("vector", sa.LargeBinary),
    sa.Column("encoder", Text, nullable=False),  # the hash of its signature; "": there are no vectors
    sa.Column("taught", Text),  # how its words were marked, as JSON; NULL: it was corrected otherwise, or not
    sa.Column("forgotten_at", Moment),  # NULL: it is there; else it can be brought back for a while
    sa.Column("is_shared", sa.Boolean, nullable=False, server_default=sa.true()),  # read so for everybody
    sa.Index("lessons_by_shape", "shape", "corrected_at"),
    sa.Index("lessons_by_user", "user", "asked_at"),
    sa.Index("lessons_by_trace", "trace"),
    sa.Index("lessons_by_time", "asked_at"),
    sa.Index("lessons_by_question", "question"),
)

question_tries = sa.Table(  # each way by which a question was tried
    "question_tries",
    metadata,
    sa.Column("trace", Text, primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True),
    sa.Column("question", Text, nullable=False),
    sa.Column("shape", Text, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("sight", Text, nullable=False),  # key of what the asker could see
    sa.Column("at", Moment, nullable=False),
    sa.Column("route", Text, nullable=False),
    sa.Column("reader", Text, nullable=False),
    sa.Column("status", Text, nullable=False),
    sa.Column("stage", Text, nullable=False),  # at which it failed, "" where it did not
    sa.Column("buckets", sa.JSON, nullable=False),
    sa.Column("is_again", sa.Boolean, nullable=False),
    sa.Index("question_tries_by_shape", "shape", "sight", "at"),
    sa.Index("question_tries_by_user", "user", "at"),
    sa.Index("question_tries_by_time", "at"),
)

uncovered_phrases = sa.Table(
    "uncovered_phrases",
    metadata,
    sa.Column("lesson", Text, sa.ForeignKey("lessons.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("phrase", Text, primary_key=True),  # case-folded
    sa.Column("written", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("uncovered_phrases_by_phrase", "phrase", "at"),
)

settled_phrases = sa.Table(
    "settled_phrases",
    metadata,
    sa.Column("phrase", Text, primary_key=True),  # case-folded
    sa.Column("written", Text, nullable=False),
    sa.Column("how", Text, nullable=False),  # "ignored" for good; "known" until it is uncovered again
    sa.Column("at", Moment, nullable=False),
    sa.Column("user", Text, nullable=False),
)

model_calls = sa.Table(
    "model_calls",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("trace", Text, nullable=False),  # of the answer that it was made for; "" for none
    sa.Column("job", Text, nullable=False),  # that it was made for; "" for none
    sa.Column("role", Text, nullable=False),
    sa.Column("prompt", Text, nullable=False),  # name@version
    sa.Column("model", Text, nullable=False),
    sa.Column("outcome", Text, nullable=False),
    sa.Column("prompt_tokens", sa.Integer, nullable=False),
    sa.Column("completion_tokens", sa.Integer, nullable=False),
    sa.Column("cost_usd", sa.Float),  # NULL without a known price
    sa.Column("latency_ms", sa.Float, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("detail", Text, nullable=False),
    sa.Index("model_calls_by_time", "at"),
    sa.Index("model_calls_by_trace", "trace"),
)

model_readings = sa.Table(
    "model_readings",
    metadata,
    sa.Column("document", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("field", Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),  # of the document
    sa.Column("basis", Text, nullable=False),  # differs where the model would be asked something else
    sa.Column("status", Text, nullable=False),  # present, absent, or uncertain where its answer did not count
    sa.Column("finding", sa.JSON, nullable=False),
    sa.Column("reason", Text, nullable=False),  # why its answer did not count
    sa.Column("model", Text, nullable=False),
    sa.Column("prompt", Text, nullable=False),  # name@version
    sa.Column("job", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("model_readings_by_job", "job"),
)
"""The last answer of a model about a cell. It outlives the cell's finding: nobody pays for it twice."""

model_replies = sa.Table(
    "model_replies",
    metadata,
    sa.Column("key", Text, primary_key=True),  # of the call
    sa.Column("document", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    sa.Column("reply", Text, nullable=False),
    sa.Index("model_replies_by_document", "document"),
)
"""Replies about a document that is being read; they go once its cells are kept."""

written_summaries = sa.Table(
    "written_summaries",
    metadata,
    sa.Column("scope", Text, primary_key=True),
    sa.Column("basis", Text, nullable=False),
    sa.Column("documents", sa.JSON, nullable=False),  # ids of all that it shows
    sa.Column("answer", Text, nullable=False),  # an Answer as JSON
    sa.Column("at", Moment, nullable=False),
)
"""The newest summary that a model wrote of the same documents for the same reader, and what it rests on."""

crawls = sa.Table(
    "crawls",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("title", Text, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("request", sa.JSON, nullable=False),  # a CrawlRequest
    sa.Column("pace", sa.JSON, nullable=False),  # a CrawlPace; may change while it runs
    sa.Column("bucket", Text, nullable=False),
    sa.Column("is_dry_run", sa.Boolean, nullable=False),
    sa.Column("run", sa.Integer, nullable=False),  # the current one; 0 before the first
    sa.Column("level", sa.Integer, nullable=False),  # depth whose addresses are released; -1 before the first
    sa.Column("job", Text),  # of the current run
    sa.Column("runner", Text, nullable=False),  # who alone may write to the ledger; "" for nobody
    sa.Column("is_stopping", sa.Boolean, nullable=False),
    sa.Column("bases", sa.JSON, nullable=False),  # start addresses, and where those redirect to
    sa.Column("schedule", Text, nullable=False),  # hourly, daily, weekly or five fields of cron; "" for none
    sa.Column("next_at", Moment),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
    sa.Index("crawls_by_creation", "created_at"),
    sa.Index("crawls_by_next", "next_at"),
)

crawl_runs = sa.Table(
    "crawl_runs",
    metadata,
    sa.Column("crawl", Text, sa.ForeignKey("crawls.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("run", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("job", Text, nullable=False),
    sa.Column("started_at", Moment, nullable=False),
    sa.Column("ended_at", Moment),
    sa.Column("counts", sa.JSON, nullable=False),
    sa.Column("samples", sa.JSON, nullable=False),  # [microseconds, fetched, queued, failed, bytes] each
    sa.Column("spells", sa.JSON, nullable=False, server_default="[]"),  # [begin, last sign, ended] each
)

crawl_urls = sa.Table(
    "crawl_urls",
    metadata,
    sa.Column("crawl", Text, sa.ForeignKey("crawls.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("key", Text, primary_key=True),  # of the address, which may be longer than an index takes
    sa.Column("url", Text, nullable=False),
    sa.Column("host", Text, nullable=False),
    sa.Column("pattern", Text, nullable=False),  # addresses that differ only in what varies; "" for none
    sa.Column("run", sa.Integer, nullable=False),
    sa.Column("depth", sa.Integer, nullable=False),
    sa.Column("state", Text, nullable=False),
    sa.Column("reason", Text, nullable=False),
    sa.Column("detail", Text, nullable=False),
    sa.Column("found_on", Text, nullable=False),
    sa.Column("leads_to", Text, nullable=False),
    sa.Column("hops", sa.Integer, nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("media_type", Text, nullable=False),
    sa.Column("title", Text, nullable=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("content_hash", Text, nullable=False),
    sa.Column("text_hash", Text, nullable=False),
    sa.Column("etag", Text, nullable=False),
    sa.Column("last_modified", Text, nullable=False),
    sa.Column("change", Text, nullable=False),
    sa.Column("document", Text),
    sa.Column("indexed_hash", Text, nullable=False),  # content that the document holds; "" for none
    sa.Column("requests", sa.Integer, nullable=False),
    sa.Column("repeats", sa.Integer, nullable=False),
    sa.Column("not_before", Moment),  # a queued address that the site asked to wait with
    sa.Column("fetched_at", Moment),
    sa.Index("crawl_urls_by_state", "crawl", "run", "state", "depth", "reason"),
    sa.Index("crawl_urls_by_content", "crawl", "content_hash"),
    sa.Index("crawl_urls_by_text", "crawl", "text_hash"),
    sa.Index("crawl_urls_by_pattern", "crawl", "pattern"),
    sa.Index("crawl_urls_by_hash", "content_hash"),
    sa.Index("crawl_urls_by_document", "document"),
)

currency_rates = sa.Table(
    "currency_rates",
    metadata,
    sa.Column("base", Text, primary_key=True),
    sa.Column("currency", Text, primary_key=True),
    sa.Column("day", sa.Integer, primary_key=True),  # ordinal, as the amounts of dates
    sa.Column("rate", Text, nullable=False),  # decimal: what one of the currency is worth in the base
    sa.Column("source", Text, nullable=False),
)

evaluation_suites = sa.Table(
    "evaluation_suites",
    metadata,
    sa.Column("name", Text, primary_key=True),
    sa.Column("title", Text, nullable=False),
    sa.Column("cases", Text, nullable=False),  # cases as a JSON list
    sa.Column("account", Text, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
)

evaluation_runs = sa.Table(
    "evaluation_runs",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("suite", Text, nullable=False),
    sa.Column("job", Text, nullable=False),  # "" until it is submitted
    sa.Column("user", Text, nullable=False),
    sa.Column("with_model", sa.Boolean, nullable=False),
    sa.Column("versions", sa.JSON, nullable=False),
    sa.Column("cases", Text, nullable=False),  # as they were at its start, as a JSON list
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Index("evaluation_runs_by_time", "created_at"),
    sa.Index("evaluation_runs_by_suite", "suite", "created_at"),
)

evaluation_results = sa.Table(
    "evaluation_results",
    metadata,
    sa.Column("run", Text, sa.ForeignKey("evaluation_runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("case", Text, primary_key=True),
    sa.Column("ordinal", sa.Integer, nullable=False),  # of the case in its suite
    sa.Column("result", Text, nullable=False),  # a MeasuredCase as JSON
    sa.Column("at", Moment, nullable=False),
)

muted_cases = sa.Table(
    "muted_cases",
    metadata,
    sa.Column("suite", Text, primary_key=True),
    sa.Column("case", Text, primary_key=True),
    sa.Column("reason", Text, nullable=False),
    sa.Column("account", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
)
