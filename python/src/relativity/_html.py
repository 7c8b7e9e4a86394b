# SPDX-License-Identifier: Apache-2.0
"""Rows as HTML, as notebooks show them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

#: So many rows are shown; one more says that there are others.
SHOWN_ROWS = 20
_SHOWN_CHARACTERS = 200


def html_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table of at most SHOWN_ROWS of the rows."""
    head = "".join(f"<th>{_text(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows[:SHOWN_ROWS]
    )
    rest = f"<p>The first {SHOWN_ROWS} rows.</p>" if len(rows) > SHOWN_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _cell(value: Any) -> str:
    if value is None:
        return "<i>NULL</i>"
    return f"{len(value)} bytes" if isinstance(value, bytes) else _text(str(value))


def _text(text: str) -> str:
    """Untrusted text: short, without markup, and without characters that move or hide others."""
    short = text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
    return html.escape("".join(each if each.isprintable() or each == "\n" else ascii(each)[1:-1] for each in short))
