"""Loading in the background: the model and the skills, telling the screen as they come.

Runs in a thread; nothing here touches a widget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from weave_tui.broker import Broker, Encoder, ModelError, load_encoder
from weave_tui.skills import Loaded, MissingPathError, Where, load_in_steps


@dataclass(frozen=True, slots=True)
class Progress:
    """What is there so far. The broker holds `loaded.skills`; more come unless `is_done`."""

    broker: Broker
    loaded: Loaded

    @property
    def is_done(self) -> bool:
        return self.loaded.files == self.loaded.total


def load_all(where: Where, model: str | None, encoder: Encoder | None, tell: Callable[[Progress | str], bool]) -> None:
    """Load and `tell` each step, or one sentence when it cannot be done; stop when `tell` says False.

    `encoder` spares loading the model again on a reload.
    """
    try:
        encoder = encoder or (load_encoder(model) if model else load_encoder())
        for loaded in load_in_steps(where):
            broker = Broker(encoder)
            broker.replace(loaded.skills)
            if not tell(Progress(broker, loaded)):
                return
    except (ModelError, MissingPathError) as error:
        tell(str(error))
