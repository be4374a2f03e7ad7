"""Gate of SQL: lets one bounded select over known tables through, and refuses everything else in words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import OptimizeError, SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope

from core.datasets.base import (
    MOST_ROWS,
    ROW,
    TOTAL,
    CheckedQuery,
    DataTable,
    DataType,
    QueryRefusedError,
)
from core.datasets.names import sql_name
from core.datasets.parquet import SQL_TYPES
from core.datasets.sql.allowed import (
    MOST_NODES,
    MOST_TABLES,
    is_name_key,
    refuse_foreign_parts,
    refuse_unknown_tables,
)
from core.datasets.sql.lineage import trace
from core.datasets.sql.money import money_of

MOST_CHARS = 8_000
MOST_TOKENS = 3_000
MOST_TYPES_WITHIN = 5
_TYPE_TOKENS = DuckDB.Parser.TYPE_TOKENS | {TokenType.ROW}

_KEEP_UNIT = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Median)
_OF_TEXT = (exp.Replace, exp.Trim, exp.Lower, exp.Upper, exp.Contains, exp.StartsWith, exp.SplitPart)


def check(sql: str, tables: Sequence[DataTable]) -> CheckedQuery:
    """The statement as it will run. Raises QueryRefusedError with the reason and what to do instead.

    tables: all that may be asked; others are not known.
    """
    known = {table.name.lower(): table for table in tables}
    try:
        return _check(sql, known)
    except RecursionError:
        raise QueryRefusedError("The query is nested too deeply.", next_step="Write it flatter.") from None


def _check(sql: str, known: Mapping[str, DataTable]) -> CheckedQuery:
    query = _parse(sql)
    refuse_foreign_parts(query)
    _call_by_sql_names(query, known)
    refuse_unknown_tables(query, known)
    limit, is_own = _limit_of(query)
    _put_limit(query, limit)
    shown = query.sql("duckdb", comments=False)
    with_totals = any(column.name.lower() == TOTAL for column in query.find_all(exp.Column))
    _hide_own_columns(query)
    _put_limit(query, limit if is_own else limit + 1)
    _refuse_what_grows(query)
    query = _qualify(query, known)
    _cast_to_text(query, known)
    refuse_foreign_parts(query)
    _refuse_one_of_two(query)
    names = tuple(_label(each) for each in query.selects)
    measures = tuple(_unit_of_numbers(each, query, known) for each in query.selects)
    units = money_of(query, known)
    used = tuple(dict.fromkeys(t.name for t in query.find_all(exp.Table) if t.name in known))
    hidden = () if with_totals else tuple(name for name in used if _marks_totals(known[name]))
    traced = trace(query, used, [f"{TOTAL} IS NOT TRUE" if name in hidden else "" for name in used])
    named = frozenset(column.name for column in query.find_all(exp.Column))
    has_names = any(map(is_name_key, query.find_all(exp.Anonymous)))
    has_offset = any(each.expression.this != "0" for each in query.find_all(exp.Offset))
    sql = traced.sql("duckdb", comments=False)
    return CheckedQuery(
        shown, sql, used, names, units, limit, named, measures, has_names=has_names, has_offset=has_offset
    )


def _unit_of_numbers(shown: exp.Expr, query: exp.Query, known: Mapping[str, DataTable]) -> str:
    """The unit of a column of numbers that is shown, or put together, as it is; "" of anything else."""
    while isinstance(shown, (exp.Alias, exp.Filter, exp.Paren, *_KEEP_UNIT)):
        shown = shown.this
    tables = {each.alias_or_name: each.name for each in query.find_all(exp.Table)}
    table = known.get(tables.get(shown.table, "")) if isinstance(shown, exp.Column) else None
    column = table.column(shown.name) if table is not None else None
    is_one = column is not None and column.type is DataType.NUMBER and len(column.units) == 1
    return column.units[0] if is_one and column is not None else ""


def _cast_to_text(query: exp.Query, known: Mapping[str, DataTable]) -> None:
    """Cast numbers and days that functions of text are given: DuckDB does not."""
    tables = {each.alias_or_name: each.name for each in query.find_all(exp.Table)}
    names = [each for each in query.find_all(exp.Anonymous) if is_name_key(each)]
    for function in [*query.find_all(*_OF_TEXT), *names]:
        given = function.expressions[0] if isinstance(function, exp.Anonymous) else function.this
        table = known.get(tables.get(given.table, "")) if isinstance(given, exp.Column) else None
        column = table.column(given.name) if table is not None else None
        if column is not None and column.type is not DataType.TEXT:
            given.replace(exp.cast(given.copy(), "VARCHAR"))


def refuse_unreadable(sql: str) -> None:
    """Raise QueryRefusedError for a text that is too long, or would take too long, to be read as SQL."""
    if len(sql) > MOST_CHARS:
        raise QueryRefusedError(
            f"The query has more than {MOST_CHARS:,} characters.", next_step="Ask it in smaller steps."
        )
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in "\n\r\t" for char in sql):
        raise QueryRefusedError(
            "The query holds characters that do not show.", next_step="Type it anew, without them."
        )
    try:
        tokens = sqlglot.tokenize(sql, dialect="duckdb")
    except SqlglotError as error:
        raise _unread(error) from error
    if len(tokens) > MOST_TOKENS:
        raise QueryRefusedError("The query is too long.", next_step="Ask it in smaller steps.")
    if (
        sum(token.token_type is TokenType.JOIN for token in tokens) > MOST_TABLES
    ):  # each without ON doubles it
        raise QueryRefusedError(
            f"The query has more than {MOST_TABLES} joins.", next_step="Join fewer tables."
        )
    if _types_within(tokens) > MOST_TYPES_WITHIN:
        raise QueryRefusedError("The query is nested too deeply.", next_step="Write it flatter.")


def _types_within(tokens: Sequence[Token]) -> int:
    """Most brackets behind names of types, as in date(date(x)), that stand within one another.

    The parser reads what is in such a bracket twice, so that each level doubles its time.
    """
    open_, most = [], 0
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.token_type in (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE):
            open_.append(before is not None and before.token_type in _TYPE_TOKENS)
            most = max(most, sum(open_))
        elif token.token_type in (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE) and open_:
            open_.pop()
    return most


def _unread(error: SqlglotError) -> QueryRefusedError:
    return QueryRefusedError(
        f"The query cannot be read: {_first_line(error)}", next_step="Write one SELECT in DuckDB's SQL."
    )


def _parse(sql: str) -> exp.Query:
    refuse_unreadable(sql)
    try:
        found = [each for each in sqlglot.parse(sql, dialect="duckdb") if each is not None]
    except SqlglotError as error:
        raise _unread(error) from error
    if len(found) != 1:
        raise QueryRefusedError(
            f"Expected one statement, got {len(found)}.", next_step="Write one SELECT, without a semicolon."
        )
    query = found[0].unnest() if isinstance(found[0], exp.Subquery) else found[0]
    if not isinstance(query, (exp.Select, exp.Union)) or not query.selects:
        is_statement = not isinstance(query, (exp.Condition, exp.Alias))
        kind = f", not {type(query).__name__.upper()}" if is_statement else ""
        raise QueryRefusedError(f"Only SELECT is run{kind}.", next_step="Write one SELECT.")
    return query


def _call_by_sql_names(query: exp.Query, known: Mapping[str, DataTable]) -> None:
    """Take names as people write them, such as "Load kg", for those in SQL."""
    own = {each.alias.lower() for each in query.find_all(exp.Alias, exp.CTE, exp.Subquery, exp.Table)}
    own |= {each.name.lower() for alias in query.find_all(exp.TableAlias) for each in alias.columns}
    columns = {each.name for table in known.values() for each in table.columns} | {ROW}
    for kind, names in ((exp.Column, columns), (exp.Table, set(known))):
        for node in query.find_all(kind):
            name = node.name.lower()
            plain = sql_name(node.name, "")
            meant = next((each for each in (plain, f"{plain}_") if each in names), "")
            is_written = isinstance(node.this, exp.Identifier) and node.this.args.get("quoted")
            if name not in names and name not in own and meant and is_written:
                node.this.set("this", meant)


_USING_NAMES = ("where", "group", "having", "qualify", "order")


def _refuse_what_grows(query: exp.Query) -> None:
    """Refuse columns made of columns of the same select, which are written out, where that is too long."""
    for select in query.find_all(exp.Select):
        sizes: dict[str, int] = {}
        for each in select.expressions:
            sizes[each.alias_or_name.lower()] = _written_out(each, sizes)
        for name in _USING_NAMES:
            if part := select.args.get(name):
                _written_out(part, sizes)


def _written_out(part: exp.Expr, sizes: Mapping[str, int]) -> int:
    """Parts of a part once those that it names, of these sizes, stand in it. Raises QueryRefusedError."""
    names = [column.name.lower() for column in part.find_all(exp.Column) if not column.table]
    size = sum(1 for _ in part.walk()) + sum(sizes.get(name, 0) for name in names)
    if size > MOST_NODES:
        raise QueryRefusedError(
            f"The query is too large: what its columns are made of comes to over {MOST_NODES:,} parts.",
            next_step="Ask it in smaller steps, or give steps a name by WITH.",
        )
    return size


def _qualify(query: exp.Query, known: Mapping[str, DataTable]) -> exp.Query:
    schema: dict[str, object] = {
        table.name.lower(): {ROW: "BIGINT", **{each.name: SQL_TYPES[each.type] for each in table.columns}}
        for table in known.values()
    }
    try:
        return qualify(query, dialect="duckdb", schema=schema)
    except OptimizeError as error:
        said = (
            _first_line(error).partition(" Line: ")[0].replace("could not be resolved", "is in no table here")
        )
        raise QueryRefusedError(said, next_step=_columns_of(query, known)) from error
    except SqlglotError as error:
        raise QueryRefusedError(_first_line(error), next_step="Write it more plainly.") from error


def _refuse_one_of_two(query: exp.Query) -> None:
    """Refuse a column that is asked of a subquery which has two of that name: the first would be taken."""
    for scope in traverse_scope(query):
        for alias, (_, source) in scope.selected_sources.items():
            inner = source.expression if isinstance(source, Scope) else None
            names = [each.alias_or_name for each in inner.selects] if isinstance(inner, exp.Query) else []
            twice = {name for name, times in Counter(names).items() if times > 1}
            if twice and isinstance(scope.expression, exp.Select):
                asked = {column.name for column in scope.columns if column.table == alias}
                asked |= twice if scope.expression.is_star else set()
                for name in sorted(asked & twice):
                    raise QueryRefusedError(
                        f"{alias!r} has two columns {name!r}.",
                        next_step="Name the columns that it selects, each once, with AS.",
                    )


def _columns_of(query: exp.Query, known: Mapping[str, DataTable]) -> str:
    named = [known[t.name.lower()] for t in query.find_all(exp.Table) if t.name.lower() in known]
    said = [f"{t.name} has {', '.join(c.name for c in t.columns[:40])}" for t in dict.fromkeys(named)]
    return f"{'; '.join(said)}."


def _hide_own_columns(query: exp.Query) -> None:
    for star in query.find_all(exp.Star):
        if not isinstance(star.parent, exp.Count):
            own = [exp.to_identifier(ROW), exp.to_identifier(TOTAL)]
            star.set("except_", [*(star.args.get("except_") or ()), *own])


def _limit_of(query: exp.Query) -> tuple[int, bool]:
    own = query.args.get("limit")
    wanted = int(own.expression.this) if own is not None else MOST_ROWS + 1
    return min(wanted, MOST_ROWS), wanted <= MOST_ROWS


def _put_limit(query: exp.Query, limit: int) -> None:
    query.set("limit", exp.Limit(expression=exp.Literal.number(limit)))


def _marks_totals(table: DataTable) -> bool:
    mark = table.column(TOTAL)
    return mark is not None and mark.type is DataType.BOOLEAN


def _label(column: exp.Expr) -> str:
    """Name of a column of the result: its alias, or what it is computed of."""
    if not column.alias_or_name.startswith("_col_"):
        return column.alias_or_name
    bare = column.unalias().copy()
    for node in bare.find_all(exp.Column):
        node.set("table", None)
    for name in bare.find_all(exp.Identifier):
        name.set("quoted", False)
    return bare.sql("duckdb", comments=False, normalize_functions="lower")[:80]


def _first_line(error: Exception) -> str:
    line = str(error).strip().splitlines()[0] if str(error).strip() else "it is no SQL"
    return line.replace("\x1b[4m", "").replace("\x1b[0m", "")[:200]
