#!/bin/sh
# Interop against the real peers, in an environment of their own: contextweaver pins packages that the app does not want.
set -eu
cd "$(dirname "$0")/.."
venv=.venv-weaver
if [ ! -e "$venv/.ready" ] || [ pyproject.toml -nt "$venv/.ready" ]; then
  "${PYTHON:-python3}" -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --upgrade pip
  "$venv/bin/python" -m pip install --quiet "contextweaver[weaver-spec]==0.18.*" "chainweaver==0.14.*" \
    "weaver-contracts>=0.6,<1" "pydantic>=2.11,<3" "jsonschema>=4.23" rfc3339-validator \
    "hypothesis>=6.120" "pytest>=8.3" "pytest-asyncio>=1.0"
  touch "$venv/.ready"
fi
# Nothing may be skipped here for want of a peer.
"$venv/bin/python" -c "import chainweaver, contextweaver, weaver_contracts"
exec "$venv/bin/python" -m pytest tests/interop "$@"
