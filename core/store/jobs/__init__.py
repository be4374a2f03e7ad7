"""Jobs, repairs, and the calls of models."""
