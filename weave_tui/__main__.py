"""`python -m weave_tui` is the `weave-tui` command."""

from weave_tui.cli import main

if __name__ == "__main__":
    main()
