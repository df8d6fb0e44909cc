"""Loading in the background: the model and the skills, telling the screen as they come.

Runs in a thread; nothing here touches a widget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from weave_tui.broker import Broker, KeptIndexes, ModelError, load_encoder
from weave_tui.skills import Loaded, MissingPathError, Remembered, Skill, Where, load_in_steps


@dataclass(frozen=True, slots=True)
class Progress:
    """What is there so far. The broker holds `loaded.skills`; more come unless `is_done`."""

    broker: Broker
    loaded: Loaded

    @property
    def is_done(self) -> bool:
        return self.loaded.files == self.loaded.total


def load_all(
    where: Where,
    model: str | None,
    remembered: Remembered,
    kept: KeptIndexes,
    broker: Broker | None,
    tell: Callable[[Progress | str], bool],
) -> None:
    """Load and `tell` each step, or one sentence when it cannot be done; stop when `tell` says False.

    A reload passes the `broker` there is: it swaps its registry at once, and keeps its model.
    """
    try:
        is_first = broker is None
        broker = broker or Broker(load_encoder(model) if model else load_encoder())
        for loaded in load_in_steps(where, remembered):
            if is_first:
                broker.draw_on(kept, loaded.roots)
                is_first = False
            broker.replace(loaded.skills)
            if not tell(Progress(broker, loaded)):
                return
        broker.keep(kept, loaded.roots)
    except (ModelError, MissingPathError) as error:
        tell(str(error))


def difference(before: Iterable[Skill], after: Iterable[Skill]) -> str:
    """What a reload brought, in a few words; "" when nothing changed."""
    old, new = {skill.id: skill for skill in before}, {skill.id: skill for skill in after}
    gone = [old[identity] for identity in old.keys() - new.keys()]
    come = [new[identity] for identity in new.keys() - old.keys()]
    texts = {(skill.name, skill.body) for skill in gone}
    moved = [skill for skill in come if (skill.name, skill.body) in texts]
    kept = {(skill.name, skill.body) for skill in moved}
    parts = {
        "new": [skill for skill in come if (skill.name, skill.body) not in kept],
        "changed": [new[identity] for identity in new.keys() & old.keys() if new[identity] != old[identity]],
        "moved": moved,
        "gone": [skill for skill in gone if (skill.name, skill.body) not in kept],
    }
    said = []
    for word, skills in parts.items():
        if skills:
            names = sorted({skill.name for skill in skills})
            said.append(f"{len(skills)} {word}" + (f" ({', '.join(names)})" if len(names) <= 2 else ""))
    return ", ".join(said)
