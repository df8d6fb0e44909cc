"""Loading a model: what is wrong with it is said in one sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from weave_tui.broker import ModelError, load_encoder
from weave_tui.resources import MODEL_DIR


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("damage", ["missing", "broken"])
def test_a_broken_model_is_one_clear_error(tmp_path: Path, name: str, damage: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(MODEL_DIR, folder)
    if damage == "missing":
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(b"{broken")
    with pytest.raises(ModelError) as caught:
        load_encoder(folder)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_folder_is_never_a_hub_name(tmp_path: Path) -> None:
    for name in (str(tmp_path / "nowhere"), "./nowhere", "~/nowhere", "nowhere", "a/b/c"):
        with pytest.raises(ModelError, match="does not exist"):
            load_encoder(name)


def test_the_bundled_model_carries_its_licence() -> None:
    assert "MinishLab" in (MODEL_DIR / "ATTRIBUTION.txt").read_text(encoding="utf-8")
    assert "MIT License" in (MODEL_DIR / "LICENSE").read_text(encoding="utf-8")


def test_a_copy_of_the_model_has_the_same_fingerprint(tmp_path: Path) -> None:
    shutil.copytree(MODEL_DIR, tmp_path / "copy")
    assert load_encoder(tmp_path / "copy").fingerprint == load_encoder().fingerprint
