# SPDX-License-Identifier: Apache-2.0
"""The parts of replies, with the members that docs/local-api.md describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, TypeVar, cast

from .errors import NotApplied

Record = TypeVar("Record")
Row = dict[str, Any]


def record(cls: type[Record], data: Mapping[str, Any], **more: Any) -> Record:
    """A dataclass of the members that it knows. A later version of the API may send others."""
    names = [field.name for field in fields(cast(Any, cls))]
    return cls(**{name: data.get(name) for name in names} | more)


@dataclass(frozen=True)
class Endpoint:
    """A server in the daemon's list. Its name is untrusted."""

    id: str
    name: str
    state: str
    origin: str
    url: str
    hidden: bool
    #: All members of the API.
    all: Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """A field of a table, or a column of a result. `key` and `required` are None if unknown."""

    name: str
    type: str
    key: bool | None
    required: bool | None


@dataclass(frozen=True)
class Table:
    """A table of the schema."""

    name: str
    fields: list[Field]

    @property
    def key(self) -> list[str]:
        """The names of the fields of the key."""
        return [field.name for field in self.fields if field.key]


@dataclass(frozen=True)
class Command:
    """A command of the server, with the names of its parameters."""

    name: str
    parameters: list[str]


@dataclass(frozen=True)
class CommandResult:
    """What a command has returned."""

    affected: int
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Note:
    """A step of a read that was done by relativityd and not by the server, and why. The step `read` with the reason
    `otherDatabase`: all of it is from an alternate address that is not agreed to have the same database."""

    step: str
    reason: str
    feature: str | None


#: docs/local-api.md, "Edits".
Outcome = Literal["accepted", "rejected", "conflict", "unknown", "pending"]


@dataclass(frozen=True)
class Change:
    """A change of a row, with its outcome."""

    table: str
    row: int
    action: Literal["insert", "update", "delete"]
    outcome: Outcome
    key: Row
    old: Row | None
    new: Row | None
    reason: str | None
    conflict: str | None
    base: Row | None
    theirs: Row | None


@dataclass(frozen=True)
class ApplyNote:
    """A fact about an apply."""

    fact: str
    tables: list[str]
    row: int | None


@dataclass(frozen=True)
class ApplyFailure:
    """The reason why an apply ended before all changes were sent."""

    kind: str
    message: str


@dataclass(frozen=True)
class Applied:
    """The result of edits. `revision` is that of the pending set, None if there is none."""

    changes: list[Change]
    notes: list[ApplyNote]
    failure: ApplyFailure | None
    revision: int | None

    @property
    def ok(self) -> bool:
        """Whether the server has accepted all changes."""
        return self.failure is None and all(change.outcome == "accepted" for change in self.changes)

    def check(self) -> Self:
        """Raises NotApplied unless `ok`."""
        if not self.ok:
            raise NotApplied(self)
        return self


@dataclass(frozen=True)
class Upserted(Applied):
    """The result of an upsert. `rows` has the change of each row of the frame, None for a row that is the same."""

    rows: list[Change | None]


@dataclass(frozen=True)
class Verdict:
    """A change of unknown outcome, compared with the rows of the server: applied, notApplied or unclear."""

    change: Change
    verdict: str
    matches: list[Row]


@dataclass(frozen=True)
class PendingInfo:
    """A pending set in the list of all."""

    name: str
    revision: int
    endpoint: str
    service: str


@dataclass(frozen=True)
class Event:
    """A row that was inserted, changed or removed. A removed row has only the fields of its key. Otherwise `change` is a
    state of the watch, and `row` is empty."""

    change: str
    row: Row
