"""The early A2A protocol: presence dropped at once, an address that moved into a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from families.oracle import Hop, nanos_of_timestamp, renamed
from families.presence import with_presence, without

from instar.migrations import Migration, compute, rename, within, wrap
from instar.migrations.ops import Op

FAMILY = "a2a-early"
SUBJECT = "a2a_early"

_MILLI = 10**6  # nanoseconds
_FIRST, _LAST = -(2**63), 2**63 - 1

# What null becomes where the second version no longer tells it from the default, by path.
_TEXT: Mapping[str, tuple[str, ...]] = {
    "agent_card": ("name", "description", "url", "version", "documentation_url"),
    "agent_card.provider": ("url", "organization"),
    "agent_card.security_schemes[*].scheme<api_key_security_scheme>": (
        "description", "location", "name",
    ),
    "agent_card.security_schemes[*].scheme<http_auth_security_scheme>": (
        "description", "scheme", "bearer_format",
    ),
    "agent_card.security_schemes[*].scheme<oauth2_security_scheme>": ("description",),
    "agent_card.security_schemes[*].scheme<oauth2_security_scheme>.flows"
    ".flow<authorization_code>": ("authorization_url", "token_url", "refresh_url"),
    "agent_card.security_schemes[*].scheme<oauth2_security_scheme>.flows"
    ".flow<client_credentials>": ("token_url", "refresh_url"),
    "agent_card.security_schemes[*].scheme<oauth2_security_scheme>.flows"
    ".flow<implicit>": ("authorization_url", "refresh_url"),
    "agent_card.security_schemes[*].scheme<oauth2_security_scheme>.flows"
    ".flow<password>": ("token_url", "refresh_url"),
    "agent_card.security_schemes[*].scheme<open_id_connect_security_scheme>": (
        "description", "open_id_connect_url",
    ),
    "agent_card.skills[]": ("id", "name", "description"),
    "artifact": ("artifact_id", "name", "description"),
    "artifact.parts[].part<file>": ("mime_type",),
    "get_task_request": ("name",),
    "message": ("message_id", "context_id", "task_id"),
    "send_message_request.configuration.push_notification": ("id", "url", "token"),
    "send_message_request.configuration.push_notification.authentication": ("credentials",),
    "send_message_response.payload<task>": ("id", "context_id"),
    "stream_response.payload<status_update>": ("task_id", "context_id"),
    "stream_response.payload<artifact_update>": ("task_id", "context_id"),
}  # fmt: skip
_FLAGS: Mapping[str, tuple[str, ...]] = {
    "agent_card": ("supports_authenticated_extended_card",),
    "agent_card.capabilities": ("streaming", "push_notifications"),
    "send_message_request.configuration": ("blocking",),
    "stream_response.payload<status_update>": ("final",),
    "stream_response.payload<artifact_update>": ("append", "last_chunk"),
}
_COUNTS: Mapping[str, tuple[str, ...]] = {
    "get_task_request": ("history_length",),
    "send_message_request.configuration": ("history_length",),
}
_SYMBOLS: Mapping[str, tuple[str, str]] = {
    "message": ("role", "ROLE_UNSPECIFIED"),
    "send_message_response.payload<task>.status": ("state", "TASK_STATE_UNSPECIFIED"),
}


def _lost() -> list[Op]:
    """All presence that the second version dropped."""
    fields = [
        *((path, name, "") for path, names in _TEXT.items() for name in names),
        *((path, name, False) for path, names in _FLAGS.items() for name in names),
        *((path, name, 0) for path, names in _COUNTS.items() for name in names),
        *((path, name, symbol) for path, (name, symbol) in _SYMBOLS.items()),
    ]
    return [within(path, without(name, default)) for path, name, default in fields]


# What gained it again much later, by path.
_GAINED: Mapping[str, Mapping[str, str | bool | int]] = {
    "agent_card": {
        "protocol_version": "",
        "url": "",
        "preferred_transport": "",
        "documentation_url": "",
        "supports_authenticated_extended_card": False,
        "icon_url": "",
    },
    "agent_capabilities": {
        "streaming": False,
        "push_notifications": False,
        "state_transition_history": False,
    },
    "get_task_request": {"history_length": 0},
    "list_tasks_request": {"page_size": 0, "history_length": 0, "include_artifacts": False},
    "send_message_request.configuration": {"history_length": 0},
}


def _gained() -> list[Op]:
    return [
        within(path, *(with_presence(name, default) for name, default in fields.items()))
        for path, fields in _GAINED.items()
    ]


def _millis(nanos: int | None) -> int:
    """No time is 0, which asks for every task, as the absent time did."""
    return 0 if nanos is None else nanos // _MILLI


def _nanos(millis: int) -> int | None:
    """A time beyond what 64 bits of nanoseconds hold is the last that they do."""
    return max(_FIRST, min(_LAST, millis * _MILLI)) if millis else None


def _gather(url: str | None, transport: str | None, others: list[Any], known: list[Any]) -> Any:
    """The interfaces of a card: the new list where it was written, else the old fields."""
    first = [] if url is None else [_interface(url, transport or "")]
    return [_plain(one) for one in known] or first + [_plain(one) for one in others]


def _spread(interfaces: list[Any]) -> tuple[Any, ...]:
    """The old fields beside the new list, which older readers know too."""
    plain = [_plain(one) for one in interfaces]
    if not plain or not plain[0]["url"]:
        # An empty address of the card itself would say that there is none.
        return None, None, plain, plain
    first, *others = plain
    return first["url"], first["protocol_binding"], others, plain


def _plain(interface: Any) -> dict[str, str]:
    return _interface(interface.url, interface.protocol_binding, interface.tenant)


def _interface(url: str, binding: str, tenant: str = "") -> dict[str, str]:
    return {"url": url, "protocol_binding": binding, "tenant": tenant}


MIGRATIONS = (
    Migration(SUBJECT, 1, 2, *_lost()),
    Migration(
        SUBJECT, 14, 15,
        *_gained(),
        within(
            "list_tasks_request",
            compute(
                reads="last_updated_time",
                writes="last_updated_after",
                up=_millis,
                down=_nanos,
            ),
        ),
    ),
    Migration(
        SUBJECT, 17, 18,
        within(
            "agent_card",
            compute(
                reads=(
                    "url", "preferred_transport", "additional_interfaces", "supported_interfaces",
                ),
                writes="supported_interfaces",
                up=_gather,
                down=_spread,
            ),
        ),
    ),
    Migration(
        SUBJECT, 19, 20,
        within(
            "agent_card",
            rename("protocol_version", "protocol_versions"),
            wrap("protocol_versions"),
        ),
    ),
)  # fmt: skip


# The same once more, for the JSON form of messages as protobuf's own code gives it.


def _last_updated(request: dict[str, Any]) -> None:
    time = request.pop("last_updated_time", None)
    if time is not None:
        request["last_updated_after"] = str(int(nanos_of_timestamp(time)) // _MILLI)


def _interfaces(card: dict[str, Any]) -> None:
    url, transport = card.pop("url", None), card.pop("preferred_transport", None)
    others = card.pop("additional_interfaces", [])
    if not card.get("supported_interfaces"):
        first = [] if url is None else [{"url": url, "protocol_binding": transport or ""}]
        card["supported_interfaces"] = first + others


def _versions(card: dict[str, Any]) -> None:
    if "protocol_version" in card:
        card["protocol_versions"] = [card.pop("protocol_version")]


HOPS: Mapping[int, Hop] = {
    12: {"a2a.v1.Message": renamed(content="parts")},
    14: {
        "a2a.v1.SendMessageConfiguration": renamed(push_notification="push_notification_config"),
        "a2a.v1.TaskStatus": renamed(update="message"),
        "a2a.v1.FilePart": renamed(mime_type="media_type"),
        "a2a.v1.AgentInterface": renamed(transport="protocol_binding"),
        "a2a.v1.ListTasksRequest": _last_updated,
    },
    16: {
        "a2a.v1.AgentCard": renamed(
            supports_authenticated_extended_card="supports_extended_agent_card"
        )
    },
    17: {"a2a.v1.AgentCard": _interfaces},
    18: {
        "a2a.v1.SendMessageRequest": renamed(request="message"),
        "a2a.v1.SendMessageResponse": renamed(msg="message"),
        "a2a.v1.StreamResponse": renamed(msg="message"),
    },
    19: {"a2a.v1.AgentCard": _versions},
}

# Where a direct reading by the suite is another, and why.
DIFFERENT: Mapping[tuple[int, int], str] = {
    (1, 20): "presence came, went and came again",
    (14, 15): "a time in the place of a number is unknown to protobuf",
}
# Hops whose older states do not come back, by their older version.
LOSSY = frozenset({1, 10, 14, 15, 17})
