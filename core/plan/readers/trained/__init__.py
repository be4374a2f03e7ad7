"""The trained reader of questions: it finds operation, spans and fields; code decides what they plan."""
