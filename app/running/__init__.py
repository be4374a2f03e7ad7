"""Long work on threads of this process: turns, runs of plans, uploads."""
