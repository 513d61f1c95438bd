"""Typed objects to tagged blobs and back: tags, types, plans, engines and the generator."""
