"""Layers: order, merging, what replaces what, and `extends` (spec A.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.prompts.helpers import NOWHERE, agent, good, two_layers
from weave_tui.prompts import ConfigError, Layer, load


def merged(lower: str, higher: str) -> Any:
    return good(load(two_layers(lower, higher))).config


def errors(lower: str, higher: str) -> list[ConfigError]:
    return [error for error in load(two_layers(lower, higher)).errors if isinstance(error, ConfigError)]


def flow(name: str, steps: str, keys: str = "") -> str:
    """A workflow with one step a word; `b@x` goes after x, `b<x` before it."""
    written = []
    for word in steps.split():
        anchor = ""
        for sign, key in (("@", "insert_after"), ("<", "insert_before")):
            if sign in word:
                word, _, target = word.partition(sign)
                anchor = f"{key} {target}"
        prompt = f"{name}-{word}"
        written.append(f"step {word} {{ type gate agent a prompt {prompt} completion agent_signal {anchor} }}")
    return f"workflow {name} {{ version 1 {keys} {' '.join(written)} }}\n"


def test_scalars_override_and_silence_does_not() -> None:
    config = merged(
        'agent a { prompt "x" temperature 0.5 mode all } settings { log_level DEBUG }',
        "agent a { mode primary } settings { runtime { journal { strict } } }",
    )
    assert (config.agents["a"].temperature, config.agents["a"].mode) == (0.5, "primary")
    assert (config.settings.log_level, config.settings.runtime.journal.strict) == ("DEBUG", True)


def test_a_file_without_settings_keeps_the_lower_ones() -> None:
    assert merged("settings { log_level DEBUG }", 'agent a { prompt "x" }').settings.log_level == "DEBUG"


def test_blocks_merge_by_key_and_lists_join_higher_first() -> None:
    config = merged(
        'agent a { prompt "x" models [m1, m2] tool_policy { read allow write deny } triggers [{domain A trigger t}] }'
        " disable agents [x, y]",
        "agent a { models [m3, m1] tool_policy { write ask } triggers [{domain B trigger t} {domain A trigger t}] }"
        " disable agents [y, z]",
    )
    a = config.agents["a"]
    assert a.models == ("m3", "m1", "m2")
    assert (a.tool_policy.read, a.tool_policy.write) == ("allow", "ask")
    assert [trigger.domain for trigger in a.triggers] == ["B", "A"]
    assert config.disabled.agents == ("y", "z", "x")


def test_agents_keep_the_lower_layers_order() -> None:
    config = merged('agent a { prompt "x" } agent b { prompt "x" }', 'agent c { prompt "x" } agent b { mode all }')
    assert list(config.agents) == ["a", "b", "c"]


def test_layers_come_in_any_order() -> None:
    layers = two_layers('agent a { prompt "low" }', 'agent a { prompt "high" }')
    assert agent(layers[::-1], "a").prompt.text == "high"
    builtin = Layer("builtin", NOWHERE / "builtin", 'agent a { prompt "lowest" mode all }')
    assert agent([*layers, builtin], "a").prompt.text == "high"
    assert agent([*layers, builtin], "a").member.agent.mode == "all"


@pytest.mark.parametrize(
    ("lower", "higher", "text"),
    [
        ('prompt "low"', 'prompt_file "h.md"', "file"),
        ('prompt_file "h.md"', 'prompt "high"', "high"),
        ('prompt "x" prompt_append "low"', 'prompt_append_file "h.md"', "x\n\nfile"),
        ('prompt "x" prompt_append_file "h.md"', 'prompt_append "high"', "x\n\nhigh"),
        ('prompt "x" prompt_append "low"', "mode all", "x\n\nlow"),
    ],
)
def test_the_higher_layers_kind_of_source_replaces_the_other(
    lower: str, higher: str, text: str, tmp_path: Path
) -> None:
    for layer in ("global", "project"):
        (tmp_path / layer / "prompts").mkdir(parents=True)
        (tmp_path / layer / "prompts" / "h.md").write_text("file", encoding="utf-8")
    layers = two_layers(f"agent a {{ {lower} }}", f"agent a {{ {higher} }}", tmp_path)
    assert agent(layers, "a").prompt.text == text


def test_one_layer_may_complete_another() -> None:
    config = merged("category c { patterns [x] }", "category c { temperature 0.1 }")
    assert config.categories["c"].temperature == 0.1


def test_errors_of_all_layers_come_together_lowest_first() -> None:
    found = errors("agent a { promt x }", "agent b { mode al }\ncategory c { }")
    assert [(error.place.file.parent.name, error.path) for error in found if error.place] == [
        ("global", "agents.a.promt"),
        ("project", "agents.b.mode"),
    ]
    assert [error.path for error in errors('agent a { prompt "x" }', "category c { }")] == ["categories.c.patterns"]


@pytest.mark.parametrize(
    ("lower", "higher", "order"),
    [
        (flow("w", "a b"), flow("w", "b c"), "w-a w-b w-c"),
        (flow("base", "a b"), flow("w", "b c", "extends base"), "base-a w-b w-c"),
        (flow("base", "a b"), flow("w", "x@a y<a z", "extends base"), "w-y base-a w-x base-b w-z"),
        (flow("base", "a b"), flow("w", "x@a y@a", "extends base"), "base-a w-x w-y base-b"),
        (flow("base", "a b"), flow("w", "x<b y<b", "extends base"), "base-a w-x w-y base-b"),
        (flow("base", "a b"), flow("w", "x@a y@x", "extends base"), "base-a w-x w-y base-b"),
        (flow("base", "a b"), flow("w", "a<b", "extends base"), "w-a base-b"),
        (flow("w", "a b"), flow("w", "x@a b", "extends w"), "w-a w-x w-b"),
        (flow("one", "a") + flow("two", "b", "extends one"), flow("w", "c<b", "extends two"), "one-a w-c two-b"),
        (flow("w", "c", "extends two"), flow("two", "b", "extends one") + flow("one", "a"), "one-a two-b w-c"),
        ("", flow("w", "b", "extends base") + flow("base", "a"), "base-a w-b"),
    ],
)
def test_extends(lower: str, higher: str, order: str) -> None:
    config = merged(lower, higher)
    assert " ".join(step.prompt for step in config.workflows["w"].steps.values()) == order


def test_extends_inherits_keys_and_replaces_the_other_append() -> None:
    base = flow("base", "a", 'description "d" prompt_append "base"')
    config = merged(base, flow("w", "b", "extends base") + flow("v", "b", 'extends base prompt_append_file "x.md"'))
    assert (config.workflows["w"].description, config.workflows["w"].prompt_append) == ("d", "base")
    assert (config.workflows["v"].prompt_append, config.workflows["v"].prompt_append_file) == (None, "x.md")


@pytest.mark.parametrize(
    ("lower", "higher", "type_", "path"),
    [
        ("", flow("w", "a", "extends nope"), "UnknownExtendsTarget", "workflows.w.extends"),
        ("", flow("w", "a", "extends w"), "ExtendsCycle", "workflows.w.extends"),
        (flow("a", "x", "extends b"), flow("b", "x", "extends a"), "ExtendsCycle", "workflows.b.extends"),
        (
            flow("base", "a"),
            flow("w", "x@nope", "extends base"),
            "UnknownInsertionAnchor",
            "workflows.w.steps.x.insert_after",
        ),
        (
            flow("w", "a"),
            flow("w", "x<nope", "extends w"),
            "UnknownInsertionAnchor",
            "workflows.w.steps.x.insert_before",
        ),
        (flow("w", "a b@a"), flow("w", "b<a"), "BothInsertBeforeAndAfter", "workflows.w.steps.b"),
    ],
)
def test_merge_errors(lower: str, higher: str, type_: str, path: str) -> None:
    found = errors(lower, higher)
    assert [(error.type, error.path) for error in found] == [(type_, path)]
    assert found[0].place is not None


def test_an_extended_step_keeps_its_own_folder(tmp_path: Path) -> None:
    step = 'step s { type gate agent a prompt "S" prompt_append_file "x.md" completion agent_signal }'
    lower, higher = f"workflow base {{ version 1 {step} }}", "workflow w { version 1 extends base }"
    loaded = good(load(two_layers(lower, higher, tmp_path)))
    place = loaded.place("workflows", "w", "steps", "s", "prompt_append_file")
    assert loaded.root_of(place) == tmp_path / "global"


def test_a_long_chain_of_extends_ends() -> None:
    chain = "".join(f"workflow w{number} {{ version 1 extends w{number + 1} }}\n" for number in range(2000))
    config = merged("", chain + flow("w2000", "a"))
    assert list(config.workflows["w0"].steps) == ["a"]
