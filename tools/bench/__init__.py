"""Benchmarks: each module measures one thing and prints what it saw. Nothing here is a test."""

import weave_tui  # noqa: F401  before numpy: it sets one BLAS thread
