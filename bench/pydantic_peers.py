"""Pydantic as people use it for a state in JSON: parse and validate, in one step or in two."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from .peers import Peer, Versions
from .pydantic_models import import_pydantic, pydantic_model


def json_then_pydantic_peer(versions: Versions) -> Peer:
    """The standard library's JSON, and then validation by Pydantic."""
    validate = validator(versions).validate_python

    def load(blob: bytes) -> Any:
        return validate(json.loads(blob))

    return _peer(versions, "json, pydantic", load)


def pydantic_json_peer(versions: Versions) -> Peer:
    """Pydantic's own JSON parser, which validates as it reads."""
    return _peer(versions, "pydantic json", validator(versions).validate_json)


def validator(versions: Versions) -> Any:
    """What validates for the root's model: made once, and asked directly, the fastest way in."""
    types = versions.registry.subject(versions.subject).types(versions.version)
    return import_pydantic().TypeAdapter(pydantic_model(types)).validator


def _peer(versions: Versions, name: str, load: Any) -> Peer:
    codec = versions.codec("json")

    def dump(model: Any) -> bytes:
        return _text(model).encode()

    def value(state: Any) -> Any:
        return load(msgspec.json.encode(codec.to_builtins(state)))

    def state(model: Any) -> Any:
        return codec.from_builtins(json.loads(_text(model)))

    return Peer(name, "models", dump, load, value, state)


def _text(model: Any) -> str:
    text: str = model.model_dump_json(by_alias=True)
    return text
