"""The broker: registry, embedding, ranking, selection and composition behind one door, `Broker`."""

from weave_tui.broker.broker import Broker, EmptyQueryError, Result, Selection
from weave_tui.broker.composition import Composition, Manner, Part, Piece
from weave_tui.broker.embedding import Encoder, ModelError, load_encoder
from weave_tui.broker.explaining import FieldShare, WordShare, difference
from weave_tui.broker.kept import KeptIndexes
from weave_tui.broker.ranking import Ranking, Row
from weave_tui.broker.registry import Registry
from weave_tui.broker.selection import Chosen, Role, Rules
from weave_tui.broker.sureness import band, chance

__all__ = [
    "Broker",
    "Chosen",
    "Composition",
    "EmptyQueryError",
    "Encoder",
    "FieldShare",
    "KeptIndexes",
    "Manner",
    "ModelError",
    "Part",
    "Piece",
    "Ranking",
    "Registry",
    "Result",
    "Role",
    "Row",
    "Rules",
    "Selection",
    "WordShare",
    "band",
    "chance",
    "difference",
    "load_encoder",
]
