"""Outcomes of real runs: which skill the tool itself used for a prompt, and whether text routing agrees.

The tools decide with a language model; the score of this project only foretells them. Outcomes are JSON lines of
`{"query": text, "skill": name or null}`; `weave-tui replay` makes them from transcripts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weave_tui.broker import Broker, Rules
from weave_tui.broker.sureness import BANDS, band, chance
from weave_tui.json_lines import JsonLine, json_lines
from weave_tui.lab.cases import meant
from weave_tui.lab.verdicts import asked
from weave_tui.skills.files import UnreadableError, decode, read_bytes
from weave_tui.text import one_line


@dataclass(frozen=True, slots=True)
class Used:
    """A prompt and the skill that was used for it, "" for none."""

    query: str
    skill: str


class OutcomesError(ValueError):
    """A file of outcomes cannot be read; the message says file, line and field."""


def read_outcomes(path: Path) -> list[Used]:
    """The outcomes of a file of JSON lines. Raises `OutcomesError`."""
    try:
        text = decode(read_bytes(path)).removeprefix("\ufeff")
    except UnreadableError as error:
        raise OutcomesError(f"{path}: {error}") from error
    return [_used(line, f"{path}:{line.number}") for line in json_lines(text)]


def _used(line: JsonLine, place: str) -> Used:
    if line.problem:
        raise OutcomesError(f"{place}: {line.problem}")
    entry = line.value
    query = entry.get("query") if isinstance(entry, dict) else None
    if not isinstance(query, str) or not query.strip():
        raise OutcomesError(f'{place}: query: expected text, as in {{"query": "...", "skill": "..."}}')
    skill = entry.get("skill")
    if skill is not None and not isinstance(skill, str):
        raise OutcomesError(f"{place}: skill: expected a name, or null for none")
    return Used(query, skill or "")


@dataclass(frozen=True, slots=True)
class Compared:
    """An outcome beside text routing: `routed` is the skill it chooses, "" for none; agrees: whether it is the same.

    sure: the estimated chance, 0 to 1, that the first is right. is_clear: whether that is called clear. unknown:
    the skill that was used is not loaded.
    """

    used: Used
    routed: str
    agrees: bool
    sure: float
    is_clear: bool
    unknown: bool


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often text routing and the tool agreed."""

    compared: tuple[Compared, ...]

    @property
    def known(self) -> list[Compared]:
        """Those whose skill is loaded, or that used none."""
        return [one for one in self.compared if not one.unknown]

    @property
    def unused(self) -> list[Compared]:
        """Prompts with a clear skill that used none."""
        return [one for one in self.known if not one.used.skill and one.routed and one.is_clear]

    def lines(self) -> list[str]:
        """The agreement for people."""
        known = self.known
        with_skill = [one for one in known if one.used.skill]
        agreed = sum(one.agrees for one in with_skill)
        lines = [f"real runs: {len(self.compared)} prompts, {len(with_skill)} of them used a skill that is loaded"]
        if with_skill:
            lines.append(f"  text routing chose the same skill for {agreed} ({agreed / len(with_skill):.0%})")
        missing = Counter(one.used.skill for one in self.compared if one.unknown)
        lines += [
            f"  not loaded: {one_line(name)}, used {times} {'time' if times == 1 else 'times'}"
            for name, times in missing.most_common()
        ]
        lines += [
            f"  used {one_line(one.used.skill)}, text routing says {one_line(one.routed) or 'none'}: {_short(one)}"
            for one in with_skill
            if not one.agrees
        ]
        if self.unused:
            lines.append(f"  {len(self.unused)} prompts had a clear skill and used none")
            lines += [f"    {one_line(one.routed)}: {_short(one)}" for one in self.unused]
        return lines

    def document(self) -> list[dict[str, Any]]:
        """The agreement as plain data."""
        return [
            {
                "query": one.used.query,
                "used": one.used.skill or None,
                "routed": one.routed or None,
                "agrees": one.agrees,
                "chance": one.sure,
                "used_is_loaded": not one.unknown,
            }
            for one in self.compared
        ]


LONGEST = 100


def _short(one: Compared) -> str:
    text = one_line(one.used.query)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def compare(broker: Broker, outcomes: Sequence[Used], rules: Rules) -> Agreement:
    """Ask the broker every prompt."""
    return Agreement(tuple(_compare(broker, used, rules) for used in outcomes))


def _compare(broker: Broker, used: Used, rules: Rules) -> Compared:
    selection = asked(broker, used.query, rules)
    registry = selection.ranking.registry
    first = selection.chosen[0] if selection.chosen else None
    groups = {registry.groups[position] for position in meant((used.skill,), registry)} if used.skill else set()
    agrees = registry.groups[first.position] in groups if first else not used.skill
    routed = registry.skills[first.position].name if first else ""
    is_clear = band(selection.gap) == BANDS[0][1]
    return Compared(used, routed, agrees, chance(selection.gap), is_clear, bool(used.skill) and not groups)
