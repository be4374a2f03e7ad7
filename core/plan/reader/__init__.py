"""The trained reader of questions: spans, operation and fields, found without grammar; code decides what they plan."""
