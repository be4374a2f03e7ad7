"""Evidence that changes: how what was cited stands in its document later."""
