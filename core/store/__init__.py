"""The one SQL store: documents, passages, conversations, traces, jobs; search indexes derive from it."""
