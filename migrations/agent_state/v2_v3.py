"""agent_state 2 -> 3: ``model`` ("openai/gpt-4o") becomes ``provider`` and ``model_name``."""

# ruff: noqa: INP001 - loaded by path, as every migration file is, and never as a package

from instar.migrations import Migration, compute


def split_model(model: str) -> tuple[str, str]:
    """Provider and name of a model: what is before the first slash, and what is after it.

    Without a slash, or with nothing before it, there is no provider and the name is the
    whole: so "gpt-4o" and "/gpt-4o" stay apart, and joining gives back every string.
    """
    provider, slash, name = model.partition("/")
    return (provider, name) if provider and slash else ("", model)


def join_model(provider: str, model_name: str) -> str:
    """The model as version 2 writes it.

    A provider with a slash, or a slash in a name without provider, is split elsewhere when it
    goes up again.
    """
    return f"{provider}/{model_name}" if provider else model_name


migration = Migration(
    "agent_state",
    2,
    3,
    compute(
        reads="model",
        writes=("provider", "model_name"),
        up=split_model,
        down=join_model,
        lossy=("provider", "model_name"),
    ),
)
