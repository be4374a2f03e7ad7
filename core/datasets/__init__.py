"""Rows asked by SQL: a gate for statements, a child process that runs them, the rows that results rest on."""
