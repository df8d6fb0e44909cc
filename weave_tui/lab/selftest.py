"""The self-test: does a skill answer to its own words, once these are taken out of it?

Each trigger phrase and each sentence of a description asks the registry, removed from its own skill (and from its
variants) first. What is lost is a list to look at, not an accuracy: a phrase may rightly belong to two skills.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weave_tui.broker import Broker, Rules
from weave_tui.broker.disclaimers import without_disclaimers
from weave_tui.broker.fields import SkillText, sentences
from weave_tui.broker.registry import variants
from weave_tui.broker.selection import candidates
from weave_tui.lab.verdicts import asked

_WORD = re.compile(r"\w+")
FEWEST_WORDS = 2
"""A single word says too little to ask with."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a skill: `field` is `description` or `triggers`."""

    position: int
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Echo:
    """What the registry answers to a phrase that was taken out of its skill.

    place: that skill's, from 1; scores in [0, 1]. first, first_score: the best skill's name and score.
    """

    phrase: Phrase
    name: str
    place: int
    score: float
    first: str
    first_score: float

    @property
    def is_lost(self) -> bool:
        return self.place > 1


def phrases(broker: Broker) -> list[Phrase]:
    """Every phrase that is asked; of a skill's variants only the first one's."""
    registry = broker.registry
    found: list[Phrase] = []
    for position in candidates(range(len(registry)), registry, registry.shadowed):
        text = broker.texts[position]
        said = [("triggers", trigger) for trigger in text.triggers]
        # A sentence that says what the skill is not for must not attract.
        told = (sentence for sentence in sentences(text.description) if without_disclaimers(sentence) == sentence)
        said += [("description", sentence) for sentence in told]
        unique = {words: (field, words) for field, words in said if len(_WORD.findall(words)) >= FEWEST_WORDS}
        found += (Phrase(position, field, words) for field, words in unique.values())
    return found


def ask(broker: Broker, phrases: Sequence[Phrase]) -> Iterator[Echo]:
    """The echo of each phrase, in their order."""
    for phrase in phrases:
        own = variants(broker.registry, phrase.position)
        rows = enumerate(asked(removed(broker, phrase), phrase.text, Rules()).distinct(), 1)
        place, here = first = next(rows)
        if here.position not in own:
            place, here = next((place, row) for place, row in rows if row.position in own)
        name = broker.registry.skills[phrase.position].name
        yield Echo(phrase, name, place, here.score, first[1].skill.name, first[1].score)


def removed(broker: Broker, phrase: Phrase) -> Broker:
    """A broker in which the phrase is taken out of its skill, and of that one's variants."""
    own = variants(broker.registry, phrase.position)
    return broker.reworded({position: without(broker.texts[position], phrase.text) for position in own})


def without(text: SkillText, phrase: str) -> SkillText:
    """The skill's text without that phrase, wherever its description and triggers say it."""
    left = " ".join(sentence for sentence in sentences(text.description) if sentence != phrase)
    cut = [" ".join(s for s in sentences(trigger) if s != phrase) for trigger in text.triggers if trigger != phrase]
    return replace(text, description=left, triggers=tuple(trigger for trigger in cut if trigger))


def worst_first(echoes: Sequence[Echo]) -> list[Echo]:
    """Lost phrases, those of the skills that lose most first, and of these the furthest behind."""
    lost = [echo for echo in echoes if echo.is_lost]
    times: dict[str, int] = defaultdict(int)
    for echo in lost:
        times[echo.name] += 1
    return sorted(lost, key=lambda echo: (-times[echo.name], echo.name, echo.score - echo.first_score))
