"""SQL over rows: a gate that checks a statement, a process that runs it, the rows that results rest on."""
