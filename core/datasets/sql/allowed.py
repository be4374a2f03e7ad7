"""Parts of SQL that a statement may have; what is not named here is refused, the unknown too."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from sqlglot import exp

from core.datasets.base import NAME_KEY, DataTable, QueryRefusedError

MOST_NODES = 1_500
MOST_DEPTH = 60
MOST_SELECTS = 30
MOST_TABLES = 12
_MOST_OF_A_TEXT = 1_000

_CLAUSES = """
    Select From Join Where Group Having Order Ordered Limit Offset With CTE Subquery Union Table TableAlias
    Identifier Column Star Literal Boolean Null Paren Tuple Alias Qualify Distinct Window WindowSpec Filter
    Interval Var Case If Cast TryCast DataType DataTypeParam In Between Is Like ILike Escape Exists And Or Not
    EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Add Sub Mul Div IntDiv Mod Neg DPipe IgnoreNulls"""
_AGGREGATES = """
    Sum Avg Min Max Count CountIf Median Mode Stddev StddevPop StddevSamp Variance VariancePop PercentileCont
    PercentileDisc ArgMax ArgMin AnyValue First Last Corr LogicalOr LogicalAnd GroupConcat ApproxDistinct"""
_WINDOWS = "RowNumber Rank DenseRank PercentRank CumeDist Ntile Lag Lead FirstValue LastValue NthValue"
_SCALARS = """
    Abs Round Floor Ceil Sqrt Pow Ln Log Exp Sign Greatest Least Coalesce Nullif Lower Upper Trim Length Left
    Right Substring StrPosition Replace Concat ConcatWs Contains StartsWith EndsWith SplitPart Year Month Day
    Quarter Week DayOfWeek DayOfYear Extract DateDiff DateAdd DateSub TimestampTrunc DateTrunc TimeToStr
    CurrentDate LastDay"""
_NAMES_OF_TYPES = """
    TEXT VARCHAR TINYINT SMALLINT INT BIGINT INT128 DECIMAL DOUBLE FLOAT BOOLEAN DATE TIMESTAMP TIMESTAMPNTZ
    INTERVAL"""
_NODES = frozenset(" ".join((_CLAUSES, _AGGREGATES, _WINDOWS, _SCALARS)).split())
_TYPES = frozenset(_NAMES_OF_TYPES.split())
_JOINS = frozenset({"", "INNER", "CROSS", "OUTER"})
_SIDES = frozenset({"", "LEFT", "RIGHT", "FULL"})
_OWN_NAMES = frozenset({"_sources", "_source_count", "_code", "_rows", "_it"})  # of the statement that runs
_OF_A_TABLE = frozenset({"this", "alias"})


def refuse_foreign_parts(query: exp.Expr) -> None:
    """Raise QueryRefusedError where a statement has a part that is not in the lists, or too much of one."""
    nodes = list(query.bfs())
    if len(nodes) > MOST_NODES or any(node.depth > MOST_DEPTH for node in nodes):
        raise _too_large(f"more than {MOST_NODES:,} parts, or more than {MOST_DEPTH} within one another")
    for node in nodes:
        _refuse_foreign(node)
    if sum(isinstance(node, exp.Select) for node in nodes) > MOST_SELECTS:
        raise _too_large(f"more than {MOST_SELECTS} selects")
    if sum(isinstance(node, exp.Table) for node in nodes) > MOST_TABLES:
        raise _too_large(f"more than {MOST_TABLES} tables")


def refuse_unknown_tables(query: exp.Expr, tables: Mapping[str, DataTable]) -> None:
    """Raise QueryRefusedError where a table is named that is none of these, nor a CTE of the statement."""
    own = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
    for table in query.find_all(exp.Table):
        _refuse_unlike_a_name(table)
        if table.name.lower() in _withs(table):
            continue
        if table.name.lower() not in tables:
            near = get_close_matches(table.name.lower(), tables, 3, 0.5) or sorted(tables)[:8]
            raise QueryRefusedError(
                f"There is no table {table.name!r} that you may ask.",
                next_step=f"Ask one of: {', '.join(near)}." if near else "Register or ingest one first.",
            )
    if taken := own & set(tables):
        raise QueryRefusedError(
            f"{min(taken)!r} is a table, so that a WITH cannot have that name.",
            next_step="Call it otherwise.",
        )


def _withs(table: exp.Table) -> set[str]:
    """Names of WITH that a table can mean where it stands: of those around it, and written before it."""
    names: set[str] = set()
    node: exp.Expr = table
    while (parent := node.parent) is not None:
        if isinstance(parent, exp.With):
            before = parent.expressions[: node.index]
            names |= {each.alias.lower() for each in before}
        elif isinstance(parent, exp.Query) and node.arg_key != "with_":
            names |= {each.alias.lower() for each in parent.ctes}
        node = parent
    return names


def _refuse_foreign(node: exp.Expr) -> None:
    kind = type(node).__name__
    if kind not in _NODES and not is_name_key(node):
        raise QueryRefusedError(
            f"{_in_words(node)} cannot be used here.",
            next_step="Write one SELECT with joins, groups, windows and the usual functions.",
        )
    if isinstance(node, (exp.Subquery, exp.Paren, exp.Exists)) and isinstance(
        node.this, exp.Table | exp.Subquery
    ):
        raise QueryRefusedError(
            f"A table or a bracket within brackets is not run: {node.sql('duckdb')[:80]!r}.",
            next_step="Write the name of a table without brackets, and one bracket around a SELECT.",
        )
    if isinstance(node, exp.With) and node.args.get("recursive"):
        raise QueryRefusedError("WITH RECURSIVE is not run.", next_step="Write the steps out.")
    if isinstance(node, exp.DataType) and node.this.name not in _TYPES:
        raise QueryRefusedError(
            f"The type {node.sql('duckdb')} cannot be used here.",
            next_step="Cast to VARCHAR, BIGINT, DECIMAL, DOUBLE, DATE, TIMESTAMP or BOOLEAN.",
        )
    if isinstance(node, exp.Identifier) and node.name.lower() in _OWN_NAMES:
        raise QueryRefusedError(
            f"The name {node.name!r} is kept for sources.", next_step="Call it otherwise."
        )
    if isinstance(node, exp.Join):
        _refuse_odd_join(node)
    if isinstance(node, (exp.Limit, exp.Offset)) and not _is_count(node.expression):
        raise QueryRefusedError("LIMIT and OFFSET take a whole number.", next_step="Write LIMIT 100.")
    if isinstance(node, exp.Literal) and len(node.this) > _MOST_OF_A_TEXT:
        raise _too_large(f"a text of more than {_MOST_OF_A_TEXT:,} characters")


def is_name_key(node: exp.Expr) -> bool:
    """True of the function that gives what a name is compared by."""
    return isinstance(node, exp.Anonymous) and node.name.lower() == NAME_KEY and len(node.expressions) == 1


def _refuse_odd_join(join: exp.Join) -> None:
    if join.method or join.kind not in _JOINS or join.side not in _SIDES:
        raise QueryRefusedError(
            f"A {join.method or join.kind or join.side} JOIN is not run.",
            next_step="Write JOIN, LEFT JOIN or FULL JOIN with ON or USING; EXISTS for a semi join.",
        )


def _refuse_unlike_a_name(table: exp.Table) -> None:
    odd = [key for key, value in table.args.items() if value and key not in _OF_A_TABLE]
    odd += ["columns"] if table.alias_column_names else []
    if odd or not isinstance(table.this, exp.Identifier):
        raise QueryRefusedError(
            f"{table.sql('duckdb')[:80]!r} is no plain name of a table.",
            next_step="Name a table without schema, function, sample, version or names of columns.",
        )


def _is_count(value: exp.Expr | None) -> bool:
    return isinstance(value, exp.Literal) and value.is_int


def _in_words(node: exp.Expr) -> str:
    if isinstance(node, exp.Anonymous):
        return f"The function {node.name}()"
    if isinstance(node, exp.Func):
        return f"The function {node.sql_name().lower()}()"
    return f"{type(node).__name__.upper()}"


def _too_large(why: str) -> QueryRefusedError:
    return QueryRefusedError(f"The query is too large: {why}.", next_step="Ask it in smaller steps.")
