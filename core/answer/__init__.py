"""From evidence to a checked answer: compose quoted spans, cite, verify, abstain."""
