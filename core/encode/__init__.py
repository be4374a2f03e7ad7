"""Text into vectors: queries without torch, batches through sentence-transformers."""
