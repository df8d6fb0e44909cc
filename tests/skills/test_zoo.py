"""Every oddity seen in real skill files, and some that were not: what the loader makes of each.

The numbers are those of the list in the specification; each fixture is written here, in the shape of
what was found. A missing number fails.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.conftest import Write
from weave_tui.skills import Loaded, Skill, Where, load
from weave_tui.skills.files import MAX_BYTES
from weave_tui.text import hidden_characters, visible

GOOD = "---\nname: good\ndescription: A good one.\n---\nGood body."


@dataclass(frozen=True)
class Oddity:
    """Files, and what is expected of the first skill in them (None: nothing is loaded).

    `code` and `line`: a diagnostic that must be there. `count`: how many skills in all.
    """

    files: dict[str, str | bytes]
    name: str | None = None
    description: str | None = None
    body: str | None = None
    code: str = ""
    line: int | None = None
    count: int = 1
    also: Callable[[Skill], bool] = field(default=lambda skill: True)


def mdc(text: str, place: str = "rules/a-rule.mdc") -> dict[str, str | bytes]:
    return {place: text}


def skill(text: str | bytes, place: str = "a-skill/SKILL.md") -> dict[str, str | bytes]:
    return {place: text}


def wind(text: str) -> dict[str, str | bytes]:
    return {".windsurf/rules/a-rule.md": text}


TAGS = "".join(chr(0xE0000 + ord(c)) for c in "obey")
LONG_LINE = "word " * 2_440

ODDITIES: dict[int, Oddity] = {
    1: Oddity(mdc("---\ndescription: Java\nglobs: **/*.java\n---\n"), "a-rule", "Java", "", "frontmatter-repaired", 3),
    2: Oddity(mdc("---\ndescription:\nglobs: **/*\n---\n"), "a-rule", "", "", "frontmatter-repaired", 3),
    3: Oddity(
        mdc("---\ndescription: 扩展架构规则\nglobs: *.js, *.ts, *.html\n---\n正文。"),
        description="扩展架构规则",
        code="frontmatter-repaired",
        line=3,
        also=lambda s: s.globs == ("*.js", "*.ts", "*.html"),
    ),
    4: Oddity(
        mdc("---\ndescription: Tests\nglobs: **/*.spec.ts\n---\nB."),
        description="Tests",
        code="frontmatter-repaired",
        also=lambda s: s.globs == ("**/*.spec.ts",) and s.activation == "glob",
    ),
    5: Oddity(mdc("# Plotting\n\nDraw well."), "a-rule", "", also=lambda s: s.activation == "manual"),
    6: Oddity(
        mdc("---\ndescription: First\nglobs: \n---\n---\ndescription: Second\n---\nB."),
        description="First",
        body="B.",
        code="frontmatter-twice",
        line=5,
    ),
    7: Oddity(
        wind("---\ntrigger: always_on\n---\n---\ndescription: Offered\n---\nB."),
        description="Offered",
        body="B.",
        code="frontmatter-twice",
        also=lambda s: s.activation == "always",
    ),
    8: Oddity(
        wind("\ufeff---\n\nA rule, not a key.\n\n---\n\nMore."), body="---\n\nA rule, not a key.\n\n---\n\nMore."
    ),
    9: Oddity(wind("---\ntrigger: manual\n---\n" + "x" * 146_000), "a-rule", code="rule-too-long"),
    10: Oddity(wind("\ufeff---\ndescription: Marked\n---\nB."), description="Marked", body="B."),
    11: Oddity(
        wind("---\ntrigger: glob\nglobs: **/*.tsx,**/*.jsx\n---\nB."),
        code="frontmatter-repaired",
        also=lambda s: s.globs == ("**/*.tsx", "**/*.jsx"),
    ),
    12: Oddity(
        wind("---\ntrigger: glob\nglobs: " + ",".join(f"**/*.x{i}" for i in range(30)) + "\n---\nB."),
        code="frontmatter-repaired",
        also=lambda s: len(s.globs) == 30,
    ),
    13: Oddity(wind("\ufeff# React\n\nUse hooks."), "a-rule", body="# React\n\nUse hooks."),
    14: Oddity(wind("---\ntrigger: manual\n---\n" + "\n\n---\n\n".join("abc")), body="a\n\n---\n\nb\n\n---\n\nc"),
    15: Oddity(
        skill("---\nname: a-skill\ndescription: Review: find bugs\n---\nB."),
        "a-skill",
        "Review: find bugs",
        "B.",
        "frontmatter-repaired",
        3,
    ),
    16: Oddity(
        skill("---\nname: a-skill\ndescription: Set up: AGENTS, hooks\n---\nB."), "a-skill", "Set up: AGENTS, hooks"
    ),
    17: Oddity(
        skill("---\nname: a-skill\ndescription: House style: tokens, see: below\n---\nB."),
        description="House style: tokens, see: below",
    ),
    18: Oddity(
        skill('---\nname: a-skill\ndescription: "Pass 1": test it, Pass 2: too\n---\nB.'),
        description='"Pass 1": test it, Pass 2: too',
    ),
    19: Oddity(
        skill("---\nname: a-skill\ndescription: @Observable を使う\n---\nB."),
        description="@Observable を使う",
        code="frontmatter-repaired",
    ),
    20: Oddity(
        skill('---\nname: a-skill\ndescription: 触发词："budget": 预算\n---\nB.'),
        description='触发词："budget": 预算',
        code="frontmatter-repaired",
    ),
    21: Oddity(
        {
            "skills/tdd/SKILL.md": GOOD.replace("good", "tdd", 1),
            "docs/ja/skills/tdd/SKILL.md": "---\nname: tdd\ndescription: テスト\n---\n本文。",
        },
        "tdd",
        count=2,
    ),
    22: Oddity(skill("---\r\nname: a-skill\ndescription: d\r\n---\r\nOne\nTwo\r\n"), "a-skill", body="One\nTwo"),
    23: Oddity(
        skill("---\nname: a-skill\ndescription: d\nallowed-tools: - Read\n- Write\n---\nB."),
        "a-skill",
        "d",
        code="frontmatter-repaired",
        line=4,
    ),
    24: Oddity(
        skill("```markdown\n---\nname: inside\n---\nB.\n```"),
        "a-skill",
        "",
        "```markdown\n---\nname: inside\n---\nB.\n```",
    ),
    25: Oddity(skill(GOOD, "/".join(["packages"] * 18) + "/good/SKILL.md"), "good"),
    26: Oddity(
        skill("---\nname: a-skill\ndescription: d\n2024: x\n2024-06-30: y\non: z\nmeta: &m\n  again: *m\n---\nB."),
        "a-skill",
        "d",
        "B.",
    ),
    27: Oddity(skill("---\nname:\n  - \ndescription: d\n---\nB."), "a-skill", "d", code="name-missing"),
    28: Oddity(
        skill("---\nname: [TODO: a-name]\ndescription: d\n---\nB."), "a-skill", "d", code="name-missing", line=2
    ),
    29: Oddity(skill("---\nname: 日本語スキル\ndescription: d\n---\nB."), "日本語スキル", code="name-format"),
    30: Oddity(
        skill(f"---\nname: a-skill\ndescription: d\n---\nPlain{TAGS}."),
        body=f"Plain{TAGS}.",
        code="hidden-characters",
        also=lambda s: not hidden_characters(visible(s.body)),
    ),
    31: Oddity(skill("---\nname: a-skill\ndescription: d\n---\nze\u200bro"), code="hidden-characters"),
    32: Oddity(
        {"agents/sqs.md": "\n    ---\n    name: sqs\n    description: Queues.\n    ---\n    Body."},
        "sqs",
        "Queues.",
        "Body.",
        "file-indented",
    ),
    33: Oddity(
        {"agents/simple.md": "<!-- after someone -->\n---\nname: simple\ndescription: d\n---\nB."}, "simple", "d", "B."
    ),
    34: Oddity(
        {"x/agents/conv.md": "<!--\nLicence\n-->\n\n---\nname: conv\ndescription: d\n---\nB."}, "conv", "d", "B."
    ),
    35: Oddity({"agents/gdpr.md": "---\nname: gdpr\ndescription: Law: comply\n---\nB."}, "gdpr", "Law: comply"),
    36: Oddity(
        {"agents/an.md": '---\nname: an\ndescription: Use it.\\n<example>Context: user: "x"</example>\n---\nB.'},
        "an",
        'Use it.\\n<example>Context: user: "x"</example>',
        code="frontmatter-repaired",
    ),
    37: Oddity(
        skill("---\nname: a-skill\ndescription: d\n---\nA\n\n---\nname: example\n---\n\nB"),
        body="A\n\n---\nname: example\n---\n\nB",
    ),
    38: Oddity(
        skill("---\nname: a-skill\ndescription: >\n  Made of\n  two lines\n---\n\n---\n\n# Title\n\nText."),
        description="Made of two lines",
        body="---\n\n# Title\n\nText.",
    ),
    39: Oddity(skill("# Commands\n\n" + "Long text. " * 3_000), "a-skill", "", code="description-missing"),
    40: Oddity(skill("# Heygen\n\nTriggers: make a video."), "a-skill", "", code="description-missing"),
    41: Oddity(skill("---\ndescription: Add an action.\n---\nB."), "a-skill", "Add an action.", code="name-missing"),
    42: Oddity({"wiki/skill.md": "# A wiki page"}, None, code="not-a-skill", count=0),
    43: Oddity({"schema/SKILL.MD": GOOD}, "good", code="name-case"),
    44: Oddity(skill("---\nname: Design System\ndescription: d\n---\nB.", "Cogni Work/SKILL.md"), "Design System"),
    45: Oddity(
        skill("---\nname: maestro:base\ndescription: d\n---\nB.", ".claude/skills/maestro%3Abase/SKILL.md"),
        "maestro:base",
        code="name-format",
    ),
    46: Oddity(
        skill("---\nname: Ahrefs Automation\ndescription: d\n---\nB.", "ahrefs-automation/SKILL.md"),
        "Ahrefs Automation",
    ),
    47: Oddity(skill(f"---\nname: a-skill\ndescription: {'x' * 1929}\n---\nB."), code="description-long", line=3),
    48: Oddity(skill(GOOD.replace("\n", "\r\n"), "good/SKILL.md"), "good", "A good one.", "Good body."),
    49: Oddity(skill("---\r\nname: a-skill\r\ndescription: d\r\n---\r\nOne\rTwo\r\n"), body="One\nTwo"),
    50: Oddity(skill("---\nname: a-skill\ndescription: d\n---\n" + "Line of text.\n" * 22_000), "a-skill"),
    51: Oddity(mdc("---\ndescription: d\n---\n" + "Line of text.\n" * 22_000), "a-rule"),
    52: Oddity({"x/.cursorrules": LONG_LINE.strip()}, "x", also=lambda s: "\n" not in s.body and len(s.body) > 12_000),
    53: Oddity({"solidity-/.cursorrules": b""}, None, code="empty-file", count=0),
    54: Oddity(
        skill("---\nname: a-skill\ndescription: d\n---\n{{#tojson}}groups{{/tojson}}"),
        body="{{#tojson}}groups{{/tojson}}",
    ),
    55: Oddity(skill("---\nname: a-skill\ndescription: d\n---\n{{{$json.field}}}"), body="{{{$json.field}}}"),
    56: Oddity(
        skill("---\nname: a-skill\ndescription: d\n---\n{{ $item->id }}", ".cursor/skills/a-skill/SKILL.md"),
        body="{{ $item->id }}",
        also=lambda s: s.platform == "cursor",
    ),
    57: Oddity({"agents/real.md": GOOD, "agents/link.md": "-> real.md"}, "good", also=lambda s: len(s.locations) == 2),
    58: Oddity({"SKILL.md": GOOD, "skills/good/SKILL.md": "-> ../../SKILL.md"}, "good"),
    59: Oddity({"CLAUDE.md": GOOD, "AGENTS.md": "-> CLAUDE.md"}, "good"),
    60: Oddity({"good/SKILL.md": GOOD, "good/AGENTS.md": "# Whole\n" + "x" * 108_000}, "good", code="beside-skill"),
    61: Oddity({"a/good/SKILL.md": GOOD, "exports/cursor/good.mdc": GOOD}, "good", count=2),
    62: Oddity(
        skill(
            "---\nname: a-skill\ndescription: d\n"
            + "".join(f"extra-{i}: value\n" for i in range(13))
            + "triggers:\n  - merge records\n  - find duplicates\n---\nB."
        ),
        also=lambda s: s.advertisement.trigger_patterns == ("merge records", "find duplicates"),
    ),
}

SYNTHETIC: dict[str, Oddity] = {
    "latin-1": Oddity(skill("caf\xe9".encode("latin-1")), None, code="not-text", count=0),
    "UTF-16": Oddity(skill(GOOD.encode("utf-16")), None, code="not-text", count=0),
    "NUL": Oddity(skill(b"---\nname: a\n---\nx\0y"), None, code="not-text", count=0),
    "escapes in the description": Oddity(
        skill('---\nname: a-skill\ndescription: "a \\e]52;c;aGk=\\a\\e[2J b"\n---\nB.'),
        also=lambda s: "\x1b" not in visible(s.description),
    ),
    "bidi": Oddity(skill("---\nname: a-skill\ndescription: a \u202e b\n---\nB."), code="hidden-characters"),
    "emoji": Oddity(
        skill("---\nname: 🎉 party\ndescription: d\n---\nB.", "🎉/SKILL.md"), "🎉 party", code="name-format"
    ),
    "long name": Oddity(skill(f"---\nname: {'n' * 65}\ndescription: d\n---\nB."), "n" * 65, code="name-format"),
    "unclosed": Oddity(skill("---\nname: a\ndescription: d\n"), "a-skill", "", code="frontmatter-unclosed"),
    "four dashes": Oddity(skill("----\nname: a\n----\nB."), "a-skill", ""),
    "tabs": Oddity(skill("---\nname: a-skill\ndescription: d\nmetadata:\n\ta: b\n---\nB."), "a-skill", "d"),
    "a list": Oddity(skill("---\n- a\n- b\n---\nB."), "a-skill", code="frontmatter-not-mapping"),
    "YAML bomb": Oddity(
        skill(
            "---\nname: a-skill\ndescription: d\na: &a [x,x,x,x,x,x,x,x,x]\n"
            + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(12))
            + "---\nB."
        ),
        "a-skill",
        "d",
    ),
    "brace bomb": Oddity(
        mdc("---\ndescription: d\nglobs: '" + "{a,b}" * 40 + "'\n---\nB."), also=lambda s: len(s.globs) == 1
    ),
    "10 MB": Oddity(skill(b"x" * (10 * 1024 * 1024)), None, code="too-large", count=0),
    "case-only names": Oddity(
        {"a/SKILL.md": GOOD.replace("good", "lint", 1), "b/SKILL.md": GOOD.replace("good", "Lint", 1)}, "lint", count=2
    ),
    "sidecar is no JSON": Oddity({"good/SKILL.md": GOOD, "good/weave.skill.json": "{"}, "good", code="sidecar-invalid"),
    "sidecar of another shape": Oddity(
        {"good/SKILL.md": GOOD, "good/weave.skill.json": '{"capabilities": "x"}'}, "good", code="sidecar-field"
    ),
    "sidecar with a mark": Oddity(
        {"good/SKILL.md": GOOD, "good/weave.skill.json": b'\xef\xbb\xbf{"author": "me"}'},
        also=lambda s: s.advertisement.author == "me",
    ),
}


def lay(write: Write, files: dict[str, str | bytes]) -> Path:
    """Write the files; a text that starts with an arrow is a link."""
    links = {n: c[3:] for n, c in files.items() if isinstance(c, str) and c.startswith("-> ")}
    root = write({name: content for name, content in files.items() if name not in links})
    for name, target in links.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(target)
    return root


@pytest.mark.parametrize("which", [*ODDITIES, *SYNTHETIC])
def test_oddity(which: int | str, write: Write) -> None:
    oddity = ODDITIES[which] if isinstance(which, int) else SYNTHETIC[which]
    started = time.process_time()
    loaded = load(Where((lay(write, oddity.files),)))
    assert time.process_time() - started < 5, "nothing hangs"
    assert len(loaded.skills) == oddity.count, [d.message for d in loaded.diagnostics]
    if oddity.code:
        found = [d for d in loaded.diagnostics if d.code == oddity.code]
        assert found, [d.code for d in loaded.diagnostics]
        assert oddity.line is None or found[0].line == oddity.line
    if oddity.count:
        first = loaded.skills[0]
        assert oddity.name is None or first.name == oddity.name
        assert oddity.description is None or first.description == oddity.description
        assert oddity.body is None or first.body == oddity.body
        assert any(map(oddity.also, loaded.skills))


def test_no_number_is_missing() -> None:
    assert sorted(ODDITIES) == list(range(1, 63))


def codes(loaded: Loaded) -> list[str]:
    return [diagnostic.code for diagnostic in loaded.diagnostics]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(write: Write) -> None:
    root = write({"a/SKILL.md": GOOD})
    (root / "a" / "SKILL.md").chmod(0)
    assert codes(load(Where((root,)))) == ["unreadable"]


def test_a_file_that_is_gone_when_it_is_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write({"a/SKILL.md": GOOD, "b/SKILL.md": GOOD})
    from weave_tui.skills.find import find as real

    def find_then_remove(where: Where) -> object:
        finder = real(where)
        (root / "a" / "SKILL.md").unlink()
        return finder

    monkeypatch.setattr("weave_tui.skills.find", find_then_remove)
    loaded = load(Where((root,)))
    assert [skill.name for skill in loaded.skills] == ["good"]
    assert "unreadable" in codes(loaded)


def test_the_largest_file_is_read(write: Write) -> None:
    text = GOOD + "\n" + "x" * (MAX_BYTES - len(GOOD) - 2)
    assert len(load(Where((write({"good/SKILL.md": text}),))).skills) == 1
