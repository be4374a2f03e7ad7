"""Rows asked by SQL: a gate that checks a statement, a child process that runs it, the rows each result rests on."""
