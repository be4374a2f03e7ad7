"""Clause heads: which clauses a contract holds, by trained linear models."""
