"""Write the published JSON Schemas into schemas/, or with --check say which are out of date."""

from __future__ import annotations

import argparse
import json
import sys

from weave_tui.config import settings_schema
from weave_tui.prompts.model import config_schema
from weave_tui.protocol import DOCUMENTS, published_schema
from weave_tui.resources import schemas_dir


def documents() -> dict[str, str]:
    """File name to text, for every schema the project publishes."""
    schemas = {name: published_schema(name) for name in DOCUMENTS} | {
        "weave-config": config_schema(),
        "settings": settings_schema(),
    }
    return {f"{name}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is out of date")
    check = parser.parse_args().check
    stale = []
    for name, text in documents().items():
        path = schemas_dir() / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                path.write_text(text, encoding="utf-8")
    if stale:
        print(("out of date, run 'make schemas': " if check else "written: ") + ", ".join(stale))
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
