"""weave-tui: compose prompts from the agent skills, rules and prompts already on disk."""

import os

__version__ = "0.1.0"

# Read when numpy is first imported, so set before anything of ours can import it. A query is one
# small product: a second BLAS thread makes it fifty times slower on a busy machine, never faster.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
