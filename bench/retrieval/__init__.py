"""What the retrieval benches share: data sets, homes, character-level scores, printing."""
