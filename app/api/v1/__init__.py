"""The REST interface under `/api/v1`, described by its OpenAPI document."""
