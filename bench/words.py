"""What the made-up agents talk about: the words, tools and models of the samples."""

from __future__ import annotations

from typing import Final

WORDS: Final[tuple[str, ...]] = (
    "the", "invoice", "for", "March", "is", "missing", "a", "supplier",
    "number", "so", "the", "match", "fails", "and", "we", "need",
    "the", "order", "from", "the", "archive", "before", "the", "report",
    "can", "go", "out", "please", "check", "totals", "against", "ledger",
    "rows", "that", "were", "booked", "twice", "by", "the", "import",
    "on", "Monday", "then", "write", "a", "short", "note", "to",
    "finance", "with", "both", "amounts", "currency", "dates", "and", "page",
    "where", "each", "value", "was", "found",
)  # fmt: skip
"""Drawn at random, with repeats, as a language model's tokens are."""

TOOLS: Final = ("search_documents", "read_file", "run_query", "send_mail", "write_report")
MODELS: Final = (
    ("openai", "gpt-4o"),
    ("anthropic", "claude-sonnet-4"),
    ("google", "gemini-2.5-pro"),
)
TASKS: Final = ("Collect the invoices", "Match orders", "Check totals", "Write the report")
FACTS: Final = ("customer", "deadline", "ledger")
COUNTERS: Final = ("tool_calls", "retries", "errors")
