"""Stages of a question in which a language model works, and the agent that calls tools by itself."""
