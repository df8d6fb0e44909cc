"""Whatever is written, errors are typed and places are real (issue E, must be shown 5).

CI tries a hundred examples of each test; `make fuzz` takes 2,000.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.prompts.helpers import NOWHERE, standard_context
from tests.prompts.test_structured import WEAVE, YAML, as_json
from weave_tui.prompts import ConfigError, Layer, TemplateError, check, load, render
from weave_tui.prompts.places import Format

pytestmark = pytest.mark.fuzz

SOURCES: dict[Format, str] = {"weave": WEAVE, "yaml": YAML, "json": as_json()}

WEAVE_WORDS = """
    agent category workflow step disable settings extend name prompt prompt_file mode triggers true
    1 1.5 1.2.3 { } [ ] , # . - : = $ é
"""
TEMPLATE_WORDS = """
    {{ }} {{{ }}} {{# {{^ {{/ {{! {{> {{= {{& {{. = } { | x é
    agent agent.name delegation.targets name . first last __class__ constructor else
"""
WEAVE_PIECES = st.sampled_from([*WEAVE_WORDS.split(), '"', '""' + '"', '"x"', "\\", "\n", "\t", "\x00", ""])
TEMPLATE_PIECES = st.sampled_from([*TEMPLATE_WORDS.split(), "\\", "\n", "\r\n", " ", "\x00", "\ufeff", '"', ""])
TEMPLATE = (
    "# {{agent.name}}\n{{#delegation.targets}}\n- {{name}}: {{#domains}}{{.}}{{^last}}, {{/last}}{{/domains}}\n"
    "{{/delegation.targets}}\n\\{{literal}} {{{agent.description}}} {{! done }}"
)


@st.composite
def mutations(draw: st.DrawFn, text: str) -> str:
    """`text` with a few stretches deleted, doubled or replaced."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        middle = draw(
            st.one_of(st.just(""), st.just(text[start:end] * 2), st.text(max_size=6), WEAVE_PIECES, TEMPLATE_PIECES)
        )
        text = text[:start] + middle + text[end:]
    return text


def _check_source(source: str, format_: Format) -> None:
    layers = [Layer("project", NOWHERE, source, format_)]
    result = load(layers)
    lines = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for error in result.errors:
        assert isinstance(error, ConfigError)
        assert error.message
        error.as_json()
        error.diagnostic()
        assert error.place is not None
        assert 1 <= error.place.line <= len(lines) + 1
        assert error.place.column >= 1
    assert (result.value is None) == bool(result.errors)
    check(layers)


@given(
    source=st.one_of(st.text(), st.lists(WEAVE_PIECES).map(" ".join)),
    format_=st.sampled_from(["weave", "yaml", "json"]),
)
def test_any_text_is_read_or_refused(source: str, format_: Format) -> None:
    _check_source(source, format_)


@given(data=st.data(), format_=st.sampled_from(["weave", "yaml", "json"]))
def test_mutated_configurations_are_read_or_refused(data: st.DataObject, format_: Format) -> None:
    _check_source(data.draw(mutations(SOURCES[format_])), format_)


@given(raw=st.binary(max_size=200))
def test_any_bytes_in_a_file_are_read_or_refused(raw: bytes, tmp_path_factory: Any) -> None:
    root: Path = tmp_path_factory.mktemp("layer")
    (root / "x.md").write_bytes(raw)
    check([Layer("project", root, 'agent a { prompt_file "x.md" }')])


@given(template=st.one_of(st.text(), st.lists(TEMPLATE_PIECES).map("".join), mutations(TEMPLATE)))
def test_any_template_is_rendered_or_refused(template: str) -> None:
    result = render(template, standard_context())
    assert (result.value is None) == bool(result.errors)
    for error in result.errors:
        assert isinstance(error, TemplateError)
        assert error.message
        assert template[error.start : error.end].startswith(error.tag) or error.kind == "UnresolvedTag"
        assert error.line == template.count("\n", 0, error.start) + 1
    if result.value is not None:
        assert "".join(piece.text for piece in result.value.pieces) == result.value.text


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(context=JSON_VALUES | st.fixed_dictionaries({"agent": JSON_VALUES, "delegation": JSON_VALUES}))
def test_any_context_is_taken_or_refused(context: Any) -> None:
    for error in render(TEMPLATE, context).errors:
        assert isinstance(error, TemplateError)
