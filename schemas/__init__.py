"""Schemas: the model, the readers of both languages, identity, and inference from JSON."""
