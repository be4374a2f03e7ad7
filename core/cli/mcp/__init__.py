"""The MCP server: tools for programs with a language model, for the same principals, by the same policies."""
