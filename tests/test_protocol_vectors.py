"""The protocol's conformance vectors, by their numbers; where a spec decided otherwise the spec's answer stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.factory import Letters, skill
from weave_tui.broker import Broker, Encoder, Piece, Role, Rules, Selection
from weave_tui.broker.composition import Manner, compose, minimal_text
from weave_tui.broker.registry import build_registry
from weave_tui.broker.selection import candidates, matches, with_needed
from weave_tui.protocol import PROTOCOL, SchemaViolationError, WeaveAdvertisement, WeaveRequest, parse_request
from weave_tui.skills import Loaded, MissingPathError, Skill, Where, load

Files = dict[str, str | bytes]
LoadFiles = Callable[[Files], Loaded]

NUMBERS = [*range(1, 20), 21, 22, 23, 24, 25, 27, 28, 29]
"""26 (conflicts) and 31 (configuration) have their own tests where those are built."""

BACKEND = (
    "---\nname: Backend API Engineer\ndescription: Builds APIs.\n"
    "capabilities: [rest, fastapi, validation, sql, auth, tests, errors, docs, async, cache]\n"
    'version: "1.0"\nauthor: Backend Guild\n---\nBody.\n'
)
DESIGN_SIDECAR = """{"weave_protocol": "1.0", "name": "Naksha Design System", "version": "1.2.0",
 "platform": "claude_code", "capabilities": ["design", "components", "tokens", "accessibility"],
 "trigger_patterns": ["design a component", "build a layout", "make a design system", "apply tokens"],
 "author": "Aditya Raj", "dependencies": []}"""
PLAIN = "---\nname: A\ndescription: Does a.\n---\nBody."
DESIGN = BACKEND.replace("Backend API Engineer", "Design")


class Case:
    """What a vector needs at hand."""

    def __init__(self, load_files: LoadFiles, encoder: Encoder) -> None:
        self.load_files = load_files
        self.encoder = encoder

    def offers(self, files: Files) -> list[WeaveAdvertisement]:
        return [found.advertisement for found in self.load_files(files).skills]

    def codes(self, files: Files) -> set[str]:
        return {diagnostic.code for diagnostic in self.load_files(files).diagnostics}


def chosen_with(
    scores: dict[str, float], top_n: int = 1, threshold: float = 0.1, exclude: tuple[str, ...] = ()
) -> list[str]:
    """Names that are selected when the skills have these scores; the floor is 0."""
    registry = build_registry(skill(name, body=f"Body of {name}.") for name in scores)
    by_position = {i: scores[found.name] for i, found in enumerate(registry.skills)}
    barred = frozenset(position for name in exclude for position in registry.named(name))
    order = sorted(by_position, key=lambda i: (-by_position[i], registry.tie[i]))
    best = [(i, by_position[i]) for i, _ in zip(candidates(order, registry, barred), range(2), strict=False)]
    matched = matches(best, top_n, Rules(threshold, 0.0))
    chosen = with_needed(matched, (), registry, by_position.__getitem__, barred)
    return [registry.skills[entry.position].name for entry in chosen]


def composed(*bodies: str) -> str:
    pieces = [Piece(skill(f"s{i}", body), Role.MATCH) for i, body in enumerate(bodies)]
    return compose(pieces, Letters()).text


def v1(case: Case) -> None:
    offers = case.offers(
        {"a/SKILL.md": "x", "backend.md": BACKEND, "design.md": DESIGN, "design.skill.json": DESIGN_SIDECAR}
    )
    assert [offer.name for offer in offers[1:]] == ["Backend API Engineer", "Naksha Design System"]
    assert offers[1].trigger_patterns == ("Builds APIs.",)
    assert offers[1].version == "1.0"


def v2(case: Case) -> None:
    _, naksha = case.offers({"backend.md": BACKEND, "design.md": DESIGN, "design.skill.json": DESIGN_SIDECAR})
    assert naksha.capabilities == ("design", "components", "tokens", "accessibility")
    assert (naksha.version, naksha.author, len(naksha.trigger_patterns)) == ("1.2.0", "Aditya Raj", 4)


def v3(case: Case) -> None:
    root = case.load_files({"my_skill.md": "This skill handles data processing tasks.\n\nMore content here."})
    assert root.skills == (), "a loose file without a name is no skill in a folder ..."
    path = Path(root.diagnostics[0].path or "")
    (found,) = load(Where((path,))).skills
    assert found.advertisement == WeaveAdvertisement(
        weave_protocol=PROTOCOL,
        name="my_skill",
        platform="claude_code",
        capabilities=(),
        trigger_patterns=("This skill handles data processing tasks.",),
    ), "... but given by path it is"


def v4(case: Case) -> None:
    loaded = case.load_files({"a/SKILL.md": "", "b/SKILL.md": " \n\t\n"})
    assert loaded.skills == ()
    assert [diagnostic.code for diagnostic in loaded.diagnostics] == ["empty-file", "empty-file"]
    with pytest.raises(MissingPathError, match=r"^Path does not exist: '/nope'$"):
        load(Where((Path("/nope"),)))


def v5(case: Case) -> None:
    sidecar = '{"weave_protocol": "1.0", "name": "Cursor Frontend Rules", "version": "2.0.0"}'
    rule = '---\nname: TypeScript Strict Rules\ndescription: Strict types.\nglobs: ["*.ts", "*.tsx"]\n---\nBody.'
    offers = case.offers(
        {"frontend.cursorrules": "Use React.", ".cursor/rules/typescript.mdc": rule, "weave.skill.json": sidecar}
    )
    by_name = {offer.name: offer for offer in offers}
    assert set(by_name) == {"Cursor Frontend Rules", "TypeScript Strict Rules"}
    assert by_name["Cursor Frontend Rules"].version == "2.0.0"
    assert by_name["TypeScript Strict Rules"].trigger_patterns == ("Strict types.",)
    assert by_name["TypeScript Strict Rules"].capabilities == ()


def v6(case: Case) -> None:
    sidecar = '{"weave_protocol": "1.0", "version": "1.1.0"}'
    offers = case.offers(
        {
            "AGENTS.md": "# Security Code Reviewer\n\nYou review code.",
            ".codex/devops.md": "# DevOps Agent\n\nYou run deployments.",
            "weave.skill.json": sidecar,
        }
    )
    by_name = {offer.name: offer for offer in offers}
    assert by_name["Security Code Reviewer"].version == "1.1.0"
    assert by_name["DevOps Agent"].version == "0.0.0"
    assert by_name["DevOps Agent"].trigger_patterns == ("You run deployments.",)


def v7(case: Case) -> None:
    (offer,) = case.offers({"AGENTS.md": "# A\n\n## B\n\nYou are X."})
    assert (offer.name, offer.trigger_patterns) == ("A", ("You are X.",))
    (offer,) = case.offers({"AGENTS.md": "---\nname: C\n---\n# A\n\nYou are X."})
    assert offer.name == "C"


def v8(case: Case) -> None:
    sidecar = '{"weave_protocol": "1.0", "name": "Python Standards", "version": "1.0.0"}'
    offers = case.offers(
        {
            "python_standards.windsurfrules": "Use types.",
            "python_standards.skill.json": sidecar,
            "api_design.windsurfrules": "Design APIs well.\n\nMore.",
        }
    )
    assert [(offer.name, offer.version) for offer in offers] == [("api_design", "0.0.0"), ("Python Standards", "1.0.0")]
    assert offers[0].trigger_patterns == ("Design APIs well.",)


def v9(case: Case) -> None:
    offers = case.offers({"shop/.cursorrules": "Use React.", "till/.windsurfrules": "Use Vue."})
    assert [offer.name for offer in offers] == ["shop", "till"], "dotfiles are named after their folder"
    (offer, _) = case.offers({"shop/.cursorrules.skill.json": '{"name": "Shop"}'})
    assert offer.name == "Shop"


def v10(case: Case) -> None:
    (offer,) = case.offers(
        {
            "a.md": PLAIN,
            "a.skill.json": '{"name": "Stem"}',
            "weave.skill.json": '{"name": "Dir", "capabilities": ["x"]}',
        }
    )
    assert (offer.name, offer.capabilities) == ("Stem", ())


def v11(case: Case) -> None:
    for content in (b"{bad", b"[1]", b'"text"', b"\xff\xfe{}", b'{"name": "\xe9"}', b"[" * 100_000):
        files: Files = {"a.md": PLAIN, "a.skill.json": content}
        (offer,) = case.offers(files)
        assert offer.name == "A"
        assert case.codes(files) == {"sidecar-invalid"}
    (offer,) = case.offers({"a.skill.json": b'\xef\xbb\xbf{"name": "With mark"}'})
    assert offer.name == "With mark"


def v12(case: Case) -> None:
    files: Files = {
        "a.md": PLAIN,
        "a.skill.json": '{"platform": "vscode", "unknown": 1, "trigger_patterns": [], "name": "", "version": "2.0.0"}',
    }
    loaded = case.load_files(files)
    (offer,) = (found.advertisement for found in loaded.skills)
    assert (offer.name, offer.platform, offer.version) == ("A", "claude_code", "2.0.0"), "valid fields still count"
    assert {d.field for d in loaded.diagnostics if d.code == "sidecar-field"} == {
        "platform",
        "unknown",
        "trigger_patterns",
        "name",
    }
    assert case.codes({"a.skill.json": '{"platform": "cursor"}'}) == {"sidecar-platform"}
    loaded = case.load_files({"a.skill.json": '{"weave_protocol": "9.9", "name": "B"}'})
    assert loaded.skills[0].name == "A"
    assert loaded.diagnostics[0].message == "Unsupported protocol version: 9.9. This broker supports: 1.0"


def v13(case: Case) -> None:
    files: Files = {
        "a.mdc": "---\nname: A\n---\nBody.",
        "b.mdc": "---\nname: B\n---\nBody.",
        "weave.skill.json": '{"name": "Both"}',
    }
    assert [offer.name for offer in case.offers(files)] == ["A", "B"]
    assert case.codes(files) == {"sidecar-ambiguous"}
    assert "Both" in [offer.name for offer in case.offers({"SKILL.md": "---\nname: s\n---\nBody."})]


def v14(case: Case) -> None:
    offers = case.offers(
        {
            "a/SKILL.md": "---\nname:\ndescription: d\n---\nBody.",
            "b/SKILL.md": "---\r\nname: b\r\ndescription: d\r\n---\r\nBody.\r\n",
            "c/SKILL.md": "\ufeff---\nname: c\ndescription: a --- b\n---\nBody.",
            "d/SKILL.md": "---\nname: d\nno end",
            "e.mdc": "---\ndescription: Strict: types\nglobs: *.ts,*.tsx\n---\nBody.",
        }
    )
    assert [offer.name for offer in offers] == ["a", "b", "c", "d", "e"]
    assert offers[2].trigger_patterns == ("a --- b",)
    assert offers[4].trigger_patterns == ("Strict: types",)


def v15(case: Case) -> None:
    files: Files = dict.fromkeys(PLATFORM_OF, "---\nname: n\ndescription: d\n---\nBody.")
    loaded = case.load_files(files)
    assert {found.place: found.platform for found in loaded.skills} == PLATFORM_OF


PLATFORM_OF = {
    "skills/x/SKILL.md": "claude_code",
    "skills/notes.md": "claude_code",
    ".cursorrules": "cursor",
    ".cursor/rules/deep/a.mdc": "cursor",
    "AGENTS.md": "codex",
    ".codex/helper.md": "codex",
    ".codex/skills/y/SKILL.md": "codex",
    ".windsurfrules": "windsurf",
    ".windsurf/rules/r.md": "windsurf",
}


def v16(case: Case) -> None:
    assert chosen_with({"A": 0.847, "B": 0.791}) == ["A", "B"]


def v17(case: Case) -> None:
    assert chosen_with({"A": 0.50, "B": 0.39}) == ["A"]
    assert chosen_with({"A": 0.5, "B": 0.4}) == ["A"], "the gap is the threshold, not below it"
    assert chosen_with({"A": 0.5, "B": 0.40001}) == ["A", "B"]


def v18(case: Case) -> None:
    assert chosen_with({"A": 0.9, "B": 0.1}, top_n=2) == ["A", "B"]


def v19(case: Case) -> None:
    assert chosen_with({"A": 0.50, "B": 0.49, "C": 0.48}) == ["A", "B"]
    assert chosen_with({"A": 0.5, "B": 0.5}, threshold=0) == ["A"]
    assert chosen_with({"B": 0.9, "A": 0.1}, threshold=1.5) == ["B", "A"]
    assert chosen_with({"B": 0.5, "A": 0.5}) == ["A", "B"], "equal scores go by name"


def v21(case: Case) -> None:
    scores = {"A": 0.9, "B": 0.5, "C": 0.45}
    assert chosen_with(scores, exclude=("A",)) == ["B", "C"]
    assert chosen_with(scores, exclude=("A", "B", "C")) == []


def v22(case: Case) -> None:
    result = case_broker(case, skill("poet", "Write verse."), skill("cook", "Boil.")).query(
        WeaveRequest(weave_protocol=PROTOCOL, query="kubernetes ingress tls"), Rules(0.1, 0.0)
    )
    assert all(0.0 <= match.score <= 1.0 for match in result.response.skills)


def v23(case: Case) -> None:
    text = "---\nx\n---\n\n```\na\n```\n\nSame.\n\nSame.\n\n```\nopen again\n```"
    assert composed(text) == text


def v24(case: Case) -> None:
    design = "# Design Skill\nUse Tailwind for all styling.\nShared rule: always lint."
    backend = "# Backend Skill\nUse FastAPI for all endpoints.\nShared rule: always lint."
    assert composed(design, backend) == f"{design}\n\n---\n\n# Backend Skill\nUse FastAPI for all endpoints."
    assert composed() == ""
    assert composed(design, design) == design, "a part with nothing left adds no separator"


def v25(case: Case) -> None:
    a = skill("A", triggers=("do a",), capabilities=("x", "y"))
    b = skill("B", triggers=("do b",), capabilities=("y", "z"))
    text = compose([Piece(a, Role.MATCH), Piece(b, Role.MATCH)], Letters(), Manner(minimal_text)).text
    assert text == "do a\n- x\n- y\n\n---\n\ndo b\n- z"


def v27(case: Case) -> None:
    with pytest.raises(ValueError, match=r"^Unsupported protocol version: 2\.0\. This broker supports: 1\.0$"):
        parse_request({"weave_protocol": "2.0", "query": "x"})
    bad: list[dict[str, object]] = [{"query": ""}, {"top_n": 0}, {"top_n": 3}, {"top_n": "1"}, {"extra": 1}]
    for change in bad:
        with pytest.raises(SchemaViolationError):
            parse_request({"weave_protocol": "1.0", "query": "x"} | change)


def v28(case: Case) -> None:
    broker = case_broker(
        case,
        skill("react", "# React\n\nBuild forms.", description="Build React forms and components."),
        skill("rest", "# REST\n\nBuild endpoints.", description="Design REST endpoints."),
    )
    result = broker.query(WeaveRequest(weave_protocol=PROTOCOL, query="a REST endpoint and a React form", top_n=2))
    response = result.response.model_dump()
    assert set(response) == {"weave_protocol", "skills", "composed"}
    assert [set(match) for match in response["skills"]] == [{"name", "platform", "score", "composed_context"}] * 2
    scores = [match["score"] for match in response["skills"]]
    assert scores == sorted(scores, reverse=True)
    assert response["composed"] == "\n\n---\n\n".join(match["composed_context"] for match in response["skills"])


def v29(case: Case) -> None:
    broker = case_broker(
        case,
        skill("migrate", "Migrate.", description="Rename a database column.", needs=("schema", "Ghost", "migrate")),
        skill("schema", "Schema.", needs=("style",)),
        skill("style", "Style.", needs=("schema",)),
        skill("bread", "Bake.", description="Bake bread."),
    )
    assert {d.code for d in broker.registry.diagnostics} == {
        "dependency-unknown",
        "dependency-self",
        "dependency-cycle",
    }
    assert any("'Ghost'" in d.message and "'migrate'" in d.message for d in broker.registry.diagnostics)
    request = WeaveRequest(weave_protocol=PROTOCOL, query="rename a database column")
    assert roles(broker.select(request)) == {"migrate": "match", "schema": "dependency", "style": "dependency"}
    without = broker.select(request.model_copy(update={"exclude": ("schema",)}))
    assert roles(without) == {"migrate": "match"}


def case_broker(case: Case, *skills: Skill) -> Broker:
    broker = Broker(case.encoder)
    broker.advertise(skills)
    return broker


def roles(selection: Selection) -> dict[str, str]:
    skills = selection.ranking.registry.skills
    return {skills[entry.position].name: str(entry.role) for entry in selection.chosen}


VECTORS: dict[int, Callable[[Case], None]] = {
    number: found for number in range(32) if (found := globals().get(f"v{number}"))
}


@pytest.mark.parametrize("number", NUMBERS)
def test_vector(number: int, load_files: LoadFiles, encoder: Encoder) -> None:
    VECTORS[number](Case(load_files, encoder))


def test_no_vector_is_left_out() -> None:
    assert sorted(VECTORS) == NUMBERS
