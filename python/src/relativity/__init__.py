# SPDX-License-Identifier: Apache-2.0
"""The tables of Relativity servers, through relativityd.

    import relativity

    with relativity.open("shop") as server:
        for order in server.table("Orders", where="Amount > 100", sort="-Date"):
            print(order)
        with server.edit("Orders") as edits:
            edits.update(7, {"Status": 3})

The daemon holds the logins: this package never has a password. Names and texts of servers are untrusted: escape them,
for example with ascii(), before they reach a terminal.
"""

from __future__ import annotations

import os
from decimal import Decimal

from . import errors, services
from ._varlink import Connection, daemon_socket
from .errors import CallError, Disconnected, NotApplied, OtherDatabase, RelativityError
from .records import (
    Applied, ApplyFailure, ApplyNote, Change, Command, CommandResult, Endpoint, Event, Field, Note, PendingInfo, Table,
    Upserted, Verdict, record,
)
from .server import Edits, PendingSet, Rows, Server
from .values import quote

__version__ = "0.3.0"
__all__ = [
    "Applied", "ApplyFailure", "ApplyNote", "CallError", "Change", "Command", "CommandResult", "Disconnected",
    "Edits", "Endpoint", "Event", "Field", "NotApplied", "Note", "OtherDatabase", "PendingInfo", "PendingSet", "RelativityError",
    "Rows", "Server", "Table", "Upserted", "Verdict", "errors", "open", "quote", "servers", "services",
]


def servers(*, hidden: bool = False) -> list[Endpoint]:
    """The servers in the daemon's list, without those that the user does not want to see unless `hidden`."""
    connection = Connection(daemon_socket())
    try:
        reply = connection.call("org.relativityd.Registry.List", {})
    finally:
        connection.close()
    found = [record(Endpoint, each, all=each) for each in reply["endpoints"]]
    return [each for each in found if hidden or not each.hidden]


def open(
    endpoint: str | None = None,
    *,
    login: str | None = None,
    schema: str | None = None,
    service: str | None = None,
    anonymous: bool = False,
    interactive: bool = False,
    decimal: type[Decimal] | type[float] = Decimal,
) -> Server:
    """A server, by its name or ID, by LOGIN@ENDPOINT, or by a login. Without a login it is that of the variable
    RELATIVITYD_LOGIN, the default of the server or of the user, or the only one. `schema` selects the data service
    DataService.SCHEMA, `service` any. `anonymous` is for servers that need no login. With `interactive` the daemon may
    prompt the user. With `decimal=float` the values of Currency and Decimal are floats, which round them.

    Raises TypeError if neither a server nor a login is named. Fails if there is no such server or login, or no login can be chosen. A server that cannot be reached now is no
    error before the first call that needs it."""
    if not isinstance(login if endpoint is None else endpoint, str):
        raise TypeError("name a server or a login, such as relativity.open('shop')")
    server = Server(
        {
            "endpoint": endpoint,
            "login": login,
            "preferredLogin": os.environ.get("RELATIVITYD_LOGIN") or None,
            "schema": schema,
            "service": service,
            "anonymous": anonymous or None,
            "interactive": interactive or None,
        },
        decimal,
    )
    try:
        server._open()
    except BaseException:
        server.close()
        raise
    return server
