"""What documents state: fields, clauses, parties, amounts and tables, each with its span."""
