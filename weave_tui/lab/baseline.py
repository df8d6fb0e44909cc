"""The baseline of an evaluation: an earlier report, or the skills as a revision has them."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from weave_tui.skills.files import UnreadableError, decode, read_bytes

GIT_SECONDS = 60


class BaselineError(ValueError):
    """There is no such baseline; the message says why."""


def read_report(path: Path) -> dict[object, bool]:
    """Whether each case passed, by its key, from the JSON of an earlier evaluation. Raises `BaselineError`."""
    try:
        document = json.loads(decode(read_bytes(path)))
        verdicts = document["verdicts"]
        return {
            (entry["query"], tuple(entry["expected"]), tuple(entry["unwanted"])): entry["passed"] is True
            for entry in verdicts
        }
    except UnreadableError as error:
        raise BaselineError(f"{path}: {error}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BaselineError(f"{path}: not a report of 'weave-tui eval --format json'") from error


@contextmanager
def at_revision(paths: Sequence[Path], revision: str) -> Iterator[tuple[Path, ...]]:
    """The paths as `revision` has them, in a folder that is removed at the end. Raises `BaselineError`.

    A path that the revision does not have is left out.
    """
    with TemporaryDirectory(prefix="weave-tui-") as folder:
        yield tuple(
            found
            for number, path in enumerate(paths)
            if (found := _extracted(path.absolute(), revision, Path(folder) / str(number))).exists()
        )


def _extracted(path: Path, revision: str, into: Path) -> Path:
    if revision.startswith("-"):
        raise BaselineError(f"'{revision}' is no revision")
    here = path if path.is_dir() else path.parent
    top = Path(_git(here, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").rstrip("\n"))
    _git(here, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    below = path.resolve().relative_to(top.resolve())
    listed = _git(top, "ls-tree", "--name-only", revision, "--", below.as_posix()) if below.parts else b"all"
    into.mkdir()
    if listed:
        archive = _git(top, "archive", "--format=tar", revision, *([below.as_posix()] if below.parts else []))
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(into, filter=_safe)
    return into / below


def _safe(member: tarfile.TarInfo, into: str) -> tarfile.TarInfo | None:
    """What may be unpacked: nothing that leads out of the folder."""
    try:
        return tarfile.data_filter(member, into)
    except tarfile.FilterError:
        return None


def _git(folder: Path, *arguments: str) -> bytes:
    """What git says. Raises `BaselineError`."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, check=True, timeout=GIT_SECONDS
        )
    except FileNotFoundError as error:
        raise BaselineError("git is not installed; give the JSON of an earlier run instead") from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise BaselineError(f"no such file, and git says: {said or 'no such revision'}") from error
    except subprocess.TimeoutExpired as error:
        raise BaselineError(f"git did not answer within {GIT_SECONDS} s") from error
    return done.stdout
