"""Indexes of earlier runs, on disk: one file a library, so that a start counts and encodes only what is new.

A file holds one segment with the recipe and the model it was made by; what is of another recipe, of another
model or damaged is not used and written anew. Rows are named by content, so a file may hold more than a
library has now, or less.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from weave_tui.broker.segment import Segment
from weave_tui.broker.weights import RECIPE
from weave_tui.files import write_bytes_atomically

KEPT_LIBRARIES = 8
"""As many files stay; the ones that were not used for the longest time go."""
_ENDING = ".safetensors"


class KeptIndexes:
    """The kept indexes in a folder; None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def segment(self, roots: Iterable[Path], fingerprint: str) -> Segment | None:
        """What is kept for the library with these roots and this model; None when there is nothing usable."""
        from safetensors import SafetensorError, safe_open

        if self._folder is None:
            return None
        path = self._path(roots)
        try:
            with safe_open(path, framework="numpy") as file:
                if file.metadata() != _made_by(fingerprint):
                    return None
                segment = Segment.from_arrays({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118
            os.utime(path)
        except (OSError, SafetensorError, KeyError, ValueError, TypeError):
            return None
        return segment if _is_sound(segment) else None

    def keep(self, roots: Iterable[Path], segment: Segment, fingerprint: str) -> None:
        """Keep the segment for the library. Where that cannot be done the next start builds anew."""
        from safetensors.numpy import save

        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            arrays = {name: np.ascontiguousarray(array) for name, array in segment.arrays().items()}
            write_bytes_atomically(self._path(roots), save(arrays, _made_by(fingerprint)))
            for old in sorted(self._files(), key=lambda file: file.stat().st_mtime)[:-KEPT_LIBRARIES]:
                old.unlink()

    def extent(self) -> tuple[int, int]:
        """How many indexes are kept, and in how many bytes."""
        files = self._files()
        return len(files), sum(file.stat().st_size for file in files)

    def forget(self) -> int:
        """Remove them all; how many bytes that gave back."""
        freed = 0
        for file in self._files():
            with contextlib.suppress(OSError):
                size = file.stat().st_size
                file.unlink()
                freed += size
        return freed

    def _files(self) -> list[Path]:
        return list(self._folder.glob(f"*{_ENDING}")) if self._folder and self._folder.is_dir() else []

    def _path(self, roots: Iterable[Path]) -> Path:
        assert self._folder is not None
        named = "\n".join(sorted({str(root.absolute()) for root in roots}))
        digest = hashlib.blake2b(named.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        return self._folder / f"{digest}{_ENDING}"


def _made_by(fingerprint: str) -> dict[str, str]:
    return {"recipe": str(RECIPE), "model": fingerprint}


def _is_sound(segment: Segment) -> bool:
    """Whether the arrays fit together, so that no index points outside of them."""
    n, terms = len(segment.keys), len(segment.terms)
    shapes = (
        segment.center.shape[:1] == (n,)
        and segment.first.shape == (n + 1,)
        and segment.starts.shape == (terms + 1,)
        and segment.rows.shape == segment.strengths.shape
        and len(segment.surfaces) == len(segment.surface_terms)
    )
    if not shapes or n == 0:
        return False
    within = (
        segment.first[0] == 0
        and segment.first[-1] == len(segment.patterns)
        and segment.starts[0] == 0
        and segment.starts[-1] == len(segment.rows)
        and bool(np.all(np.diff(segment.first) > 0))
        and bool(np.all(np.diff(segment.starts) > 0))
        and (not len(segment.rows) or (segment.rows.min() >= 0 and segment.rows.max() < n))
        and (
            not len(segment.surface_terms) or (segment.surface_terms.min() >= 0 and segment.surface_terms.max() < terms)
        )
    )
    return bool(within)
