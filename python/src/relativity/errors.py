# SPDX-License-Identifier: Apache-2.0
"""The exceptions of this package. All of them are a RelativityError.

Texts of servers are untrusted: escape them, for example with ascii(), before they reach a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .records import Applied, Change


class RelativityError(Exception):
    """The base of all exceptions of this package."""


class Disconnected(RelativityError):
    """No connection to relativityd, or it was closed during a call. If the call was to change data, it is unknown
    whether it did."""


class ProtocolError(RelativityError):
    """A reply is not valid, or longer than its limit."""


class RequestTooLong(RelativityError):
    """A request would have more than 256 KiB. Nothing of it was sent. Edits are split; a single one can be too long."""


class OtherDatabase(UserWarning):
    """Rows were read at an alternate address of the server that is not agreed to have the same database."""


class NotApplied(RelativityError):
    """Not all edits were accepted. `result` has the outcome of each change, the text only the first reasons."""

    def __init__(self, result: Applied) -> None:
        outcomes = [change.outcome for change in result.changes]
        counts = ", ".join(f"{outcomes.count(each)} {each}" for each in sorted(set(outcomes)))
        text = f"{result.failure.message}; {counts}" if result.failure else counts
        failed = [change for change in result.changes if change.outcome in ("rejected", "conflict")]
        if failed:
            text += ": " + "; ".join(_reason(change) for change in failed[:_SHOWN_ROWS])
        super().__init__(text + ("; …" if len(failed) > _SHOWN_ROWS else ""))
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.result,)


#: The rows, the fields of a row and the characters of a value or a reason that an exception shows.
_SHOWN_ROWS, _SHOWN_FIELDS, _SHOWN_VALUE, _SHOWN_REASON = 3, 5, 40, 200


def _printable(text: str, longest: int) -> str:
    text = "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in text[: longest + 1])
    return text if len(text) <= longest else text[:longest] + "…"


def _value(value: Any) -> str:
    return "NULL" if value is None else _printable(repr(value) if isinstance(value, str | bytes) else str(value), _SHOWN_VALUE)


def _reason(change: Change) -> str:
    """Why a change was not made."""
    table = _printable(change.table, _SHOWN_VALUE)
    key = ", ".join(_value(value) for value in (change.key or {}).values())
    if change.outcome == "rejected":
        names = [_printable(name, _SHOWN_VALUE) for name in (change.new or {})][:_SHOWN_FIELDS]
        fields = f" ({', '.join(names)})" if change.action == "update" and names else ""
        return f"{table} {key}{fields}: {_printable(change.reason or 'no reason', _SHOWN_REASON)}"
    if change.conflict == "missing":
        return f"{table} has no row {key}"
    if change.conflict == "keyTaken":
        return f"{table} has a row {key} already"
    base, theirs = change.base or {}, change.theirs or {}
    names = [name for name in base if name in theirs and base[name] != theirs[name]][:_SHOWN_FIELDS]
    changes = "; ".join(f"{_printable(name, _SHOWN_VALUE)} was {_value(base[name])} and is {_value(theirs[name])}" for name in names)
    return f"another client changed {table} {key}: {changes}"


class CallError(RelativityError):
    """The error of a call. Subclasses have its members as attributes, which are None if absent."""

    interface: ClassVar[str] = "org.relativityd.Data"
    #: The complete name, such as org.relativityd.Data.TableUnknown.
    name: str
    #: All members, by the names of the API.
    parameters: Mapping[str, Any]

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        details = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
        super().__init__(parameters.get("message") or f"{name}({details})")
        self.name, self.parameters = name, parameters
        if type(self) is not CallError:
            for member in type(self).__annotations__:
                setattr(self, member, parameters.get(member.removesuffix("_")))

    def __reduce__(self) -> tuple[Any, ...]:
        parameters = dict(self.parameters)
        return type(self), (self.name, parameters), self.__dict__ | {"parameters": parameters}


# The errors of the Data API, which are described in docs/local-api.md, with their members.

class DaemonUnavailable(CallError):
    pass

class ServerException(CallError):
    class_: str
    text: str

class TableUnknown(CallError):
    table: str

class FieldUnknown(CallError):
    field: str

class BadPredicate(CallError):
    column: int

class BadStatement(CallError):
    pass

class BadView(CallError):
    field: str
    column: int | None

class BadCall(CallError):
    pass

class Unsupported(CallError):
    feature: str

class TooMuchToRead(CallError):
    limit: int

class BadData(CallError):
    table: str | None
    row: int | None
    byte: int | None

class Timeout(CallError):
    seconds: int

class ConnectionLost(CallError):
    pass

class TooManyAdapters(CallError):
    limit: int

class EditRefused(CallError):
    edit: int
    reason: str
    table: str
    field: str | None

    def __str__(self) -> str:
        return f"edit {self.edit}: {super().__str__()}"

class PendingNotFound(CallError):
    pending: str

class PendingChanged(CallError):
    pending: str
    revision: int | None

class PendingElsewhere(CallError):
    pending: str
    endpoint: str
    service: str

class OutcomeUnknown(CallError):
    pending: str
    revision: int

class PendingFull(CallError):
    content: str
    limit: int

class PendingFailed(CallError):
    pending: str

class Failed(CallError):
    pass

#: The values of parameters that have a range.
_RANGES = {"limit": "a number from 0 on", "everySeconds": "a number from 1 to 86400"}


class InvalidParameter(CallError):
    interface = "org.varlink.service"
    parameter: str

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        super().__init__(name, parameters)
        parameter = parameters.get("parameter")
        known = _RANGES.get(str(parameter))
        self.args = (f"the parameter {parameter!r} is not valid" + (f": it is {known}" if known else ""),)

class EndpointNotFound(CallError):
    interface = "org.relativityd.Registry"
    endpoint: str

class EndpointAmbiguous(CallError):
    interface = "org.relativityd.Registry"
    endpoint: str
    candidates: list[str]

class VaultAbsent(CallError):
    interface = "org.relativityd.Credentials"
    path: str

class VaultLocked(CallError):
    interface = "org.relativityd.Credentials"

class LoginNotFound(CallError):
    interface = "org.relativityd.Credentials"
    login: str

class LoginNeeded(CallError):
    interface = "org.relativityd.Broker"
    # Here, `name` is that of the error; parameters["name"] is the server.

class LoginAmbiguous(CallError):
    interface = "org.relativityd.Broker"
    candidates: list[str]

class LoginUnclear(CallError):
    interface = "org.relativityd.Broker"
    words: str
    readings: list[str]

class LoginElsewhere(CallError):
    interface = "org.relativityd.Broker"
    login: str
    endpoint: str

class LoginRejected(CallError):
    interface = "org.relativityd.Broker"
    login: str

class EndpointUnreachable(CallError):
    interface = "org.relativityd.Broker"
    endpoint: str


_CLASSES = {f"{each.interface}.{each.__name__}": each for each in CallError.__subclasses__()}


def call_error(name: str, parameters: Mapping[str, Any]) -> CallError:
    """The exception of an error's class; a plain CallError for a name that has none."""
    return _CLASSES.get(name, CallError)(name, parameters)
