"""The fields of a skill as ranking reads them, and the phrases a query may match as a whole."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from weave_tui.broker.disclaimers import without_disclaimers
from weave_tui.broker.weights import BODY_CHARACTERS, FIELD_CHARACTERS

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of one field. Its vector is the sum of its pieces' vectors, so that no text is encoded twice."""

    field: str
    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Fields:
    """What counts of each field, disclaimers cut: texts for the words part, phrases for the meaning part.

    texts: by field in the order of `weights.FIELDS`. spoken: the same fields as pieces to encode, a
    field of several phrases (triggers) being their mean.
    """

    texts: tuple[tuple[str, ...], ...]
    spoken: tuple[tuple[Phrase, ...], ...]
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class SkillText:
    """The fields of a skill that ranking reads, as written."""

    name: str
    description: str = ""
    triggers: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    body: str = ""

    @property
    def key(self) -> str:
        """16 bytes as hex that are the same for the same text, and only for it."""
        cut = self.description[:FIELD_CHARACTERS], self.body[:BODY_CHARACTERS]
        text = repr((self.name, self.triggers, self.capabilities, *cut))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def fields(self) -> Fields:
        """The fields as they are counted."""
        name = re.sub(r"[-_]", " ", self.name)
        description = without_disclaimers(self.description[:FIELD_CHARACTERS])
        triggers = tuple(without_disclaimers(trigger[:FIELD_CHARACTERS]) for trigger in self.triggers)
        capabilities = " ".join(self.capabilities)[:FIELD_CHARACTERS]
        body = self.body[:BODY_CHARACTERS]
        spoken = sentences(description)
        whole = Phrase("description", spoken)
        called = [Phrase("triggers", sentences(trigger)) for trigger in triggers]
        phrases = [Phrase("name", (name,)), Phrase("description", (f"{name}.", *spoken))]
        phrases += _each(whole) or [whole]
        for trigger in called:
            phrases += [trigger, *_each(trigger)]
        phrases.append(Phrase("capabilities", (capabilities,)))
        return Fields(
            texts=((self.name,), (description,), triggers, self.capabilities, (body,)),
            spoken=(
                (Phrase("name", (name,)),),
                (whole,),
                tuple(called),
                (Phrase("capabilities", (capabilities,)),),
                (Phrase("body", (body,)),),
            ),
            phrases=tuple(phrase for phrase in dict.fromkeys(phrases) if phrase.text.strip()) or (phrases[0],),
        )


def sentences(text: str) -> tuple[str, ...]:
    """The sentences and lines of a text that are asked about one by one."""
    return tuple(piece.strip() for piece in _SENTENCE_END.split(text) if piece.strip())


def _each(phrase: Phrase) -> list[Phrase]:
    """The sentences of a phrase that has several."""
    if len(phrase.pieces) < 2:
        return []
    return [Phrase(phrase.field, (piece,)) for piece in phrase.pieces if len(piece) > 2]
