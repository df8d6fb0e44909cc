"""The command line: the same broker without a screen."""

from __future__ import annotations


def main() -> None:
    """Run the `weave-tui` command."""
    raise SystemExit(0)
