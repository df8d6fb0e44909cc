"""Drawing single lines: cell widths, cutting, and rows with something at the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Span = tuple[str, Style]
"""Text, already safe to show, and how to draw it."""

Sides = tuple[Sequence[Span], Sequence[Span]]
"""What a line has at its left and at its right."""

ELLIPSIS = "…"

BOLD = Style(bold=True)
STRUCK = Style(strike=True)
UNDERLINED = Style(underline=True)


def cut(text: str, width: int) -> str:
    """`text` in at most `width` cells, ending with an ellipsis where something was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + ELLIPSIS if width > 0 else ""


def width_of(spans: Iterable[Span]) -> int:
    return sum(cell_len(text) for text, _ in spans)


def fit(spans: Sequence[Span], width: int) -> list[Span]:
    """The spans that fit into `width` cells, the one at the edge cut."""
    fitting: list[Span] = []
    for text, style in spans:
        if width <= 0:
            break
        shown = cut(text, width)
        fitting.append((shown, style))
        width -= cell_len(shown)
        if shown != text:
            break
    return fitting


def row(width: int, left: Sequence[Span], right: Sequence[Span], base: Style) -> Strip:
    """One line of exactly `width` cells on `base`. `right` is kept whole while the left keeps half of the line."""
    right = fit(right, width // 2)
    used = width_of(right)
    left = fit(left, width - used - (1 if right else 0))
    gap = " " * max(0, width - used - width_of(left))
    spans = (*left, (gap, Style.null()), *right)
    return Strip([Segment(text, base + style) for text, style in spans if text], width)


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at spaces where there are any."""
    if width <= 0 or (text.isascii() and len(text) <= width) or cell_len(text) <= width:
        return [text]
    indent = text[: len(text) - len(text.lstrip())][: width // 2]
    lines: list[str] = []
    rest = text
    while rest and cell_len(rest) > width:
        head = chop_cells(rest[: width + 1], width)[0]
        space = head.rfind(" ", len(indent) + 1)
        at = space + 1 if space > width // 3 and len(head) < len(rest) and rest[len(head)] != " " else len(head)
        lines.append(rest[:at].rstrip())
        rest = indent + rest[at:].lstrip()
    lines.append(rest)
    return lines


def thousandths(value: float) -> str:
    """A score as it is written everywhere: `.447`, `1.00`, `−.011`."""
    sign = "−" if value < -0.0005 else ""
    text = f"{abs(value):.3f}"
    return sign + (text[1:] if text.startswith("0") else text[:4])
