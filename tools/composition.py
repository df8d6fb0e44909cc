"""What composition does to real skills: `python -m tools.composition [--pairs N] [--compare N]`.

On random pairs, half of them of one repository: the promises of a composition, and how often each is broken. Then, for
fewer pairs, what is wrong in the bodies as they are beside what is wrong in the prompt made of them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from tools.bench.measure import corpus
from tools.pairs import random_pairs
from weave_tui.broker import Composition, Piece, Role, load_encoder
from weave_tui.broker.composition import ADDED, Reader, compose
from weave_tui.broker.outline import outline
from weave_tui.skills import Skill
from weave_tui.skills.prose import markdown


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.composition", description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000, metavar="N", help="pairs to check; default: 2000")
    parser.add_argument("--compare", type=int, default=200, metavar="N", help="pairs to compare; default: 200")
    arguments = parser.parse_args()
    encoder = load_encoder()
    broken: Counter[str] = Counter()
    removed: Counter[str] = Counter()
    for pair in _pairs(arguments.pairs):
        made = composed(pair, encoder)
        removed.update(line.reason.value for line in made.removed)
        broken.update(name for name, holds in PROMISES.items() if not holds(made, encoder))
    print(f"{arguments.pairs} random pairs, lines left out: {dict(removed.most_common())}")
    for name in PROMISES:
        print(f"  {name:<48} broken in {broken[name]}")
    counts: dict[str, Counter[str]] = {"inputs": Counter(), "prompt": Counter()}
    for pair in _pairs(arguments.compare):
        made = composed(pair, encoder)
        for source in made.sources:
            counts["inputs"] += wrong(source)
        for text in _texts(made):
            counts["prompt"] += wrong(text)
        counts["prompt"]["lines missing without a reason"] += len(list(_unexplained(made)))
    print(f"{arguments.compare} random pairs, before and after")
    for name in ("open fences", "table rows outside a table", "lines missing without a reason"):
        print(f"  {name:<48} inputs {counts['inputs'][name]:>5}   prompt {counts['prompt'][name]:>5}")
    return 1 if broken else 0


def _pairs(count: int) -> Iterator[tuple[Skill, Skill]]:
    """Half of them of two repositories, half of one, where skills share lines."""
    yield from random_pairs(corpus(), count // 2)
    yield from random_pairs(corpus(), count - count // 2, related=True)


def composed(skills: tuple[Skill, ...], reader: Reader) -> Composition:
    """The composition of the skills, the first as the best scored."""
    return compose([Piece(skill, Role.MATCH) for skill in skills], reader)


def _texts(made: Composition) -> list[str]:
    return [made.text[part.start : part.end] for part in made.parts]


def _are_closed(made: Composition, _: Reader) -> bool:
    return not any(outline(text).open_fence for text in (*_texts(made), made.text))


def _are_no_worse(made: Composition, _: Reader) -> bool:
    """Whether every code block of a part is one of its skill's, and the whole prompt has the same ones as its parts."""
    blocks = [_blocks(text) for text in _texts(made)]
    from_sources = all(
        not Counter(own) - Counter(_blocks(made.sources[part.index]))
        for part, own in zip(made.parts, blocks, strict=True)
    )
    return from_sources and _blocks(made.text) == [block for own in blocks for block in own]


def _blocks(text: str) -> list[str]:
    return [token.content.rstrip("\n") for token in markdown().parse(text) if token.type == "fence"]


def _are_whole(made: Composition, _: Reader) -> bool:
    """Whether each table of a source is there with all its lines or with none."""
    kept = {part.index: set(part.lines) for part in made.parts}
    return all(
        len(kept.get(index, set()) & lines) in (0, len(lines))
        for index, source in enumerate(made.sources)
        for lines in _tables(source)
    )


def _is_first_whole(made: Composition, _: Reader) -> bool:
    """Whether the first part is its body; a fence left open in it may be closed."""
    text, body = _texts(made)[0], made.sources[0]
    return text == body or (made.parts[0].lines[-1] == ADDED and text.startswith(body))


def _is_in_order(made: Composition, _: Reader) -> bool:
    lines = [[line for line in part.lines if line != ADDED] for part in made.parts]
    return all(own == sorted(own) for own in lines)


def _is_idempotent(made: Composition, reader: Reader) -> bool:
    again = composed(
        tuple(replace(p.piece.skill, body=t) for p, t in zip(made.parts, _texts(made), strict=True)), reader
    )
    return again.text == made.text


def _is_explained(made: Composition, _: Reader) -> bool:
    return not list(_unexplained(made))


def _unexplained(made: Composition) -> Iterator[tuple[int, int]]:
    """Every (piece, line) that is neither in the text nor in `removed`."""
    there = {(part.index, line) for part in made.parts for line in part.lines}
    there |= {(line.part, line.line) for line in made.removed}
    for index, source in enumerate(made.sources):
        yield from ((index, line) for line in range(source.count("\n") + 1) if (index, line) not in there)


PROMISES: dict[str, Callable[[Composition, Reader], bool]] = {
    "every fence is closed in the prompt": _are_closed,
    "code blocks are those of the inputs": _are_no_worse,
    "every table is whole": _are_whole,
    "the first part is byte-identical to its skill": _is_first_whole,
    "every missing line has its reason": _is_explained,
    "composing the prompt's parts changes nothing": _is_idempotent,
    "lines keep their order": _is_in_order,
}


def _tables(text: str) -> list[set[int]]:
    return [set(range(*token.map)) for token in markdown().parse(text) if token.type == "table_open" and token.map]


def wrong(text: str) -> Counter[str]:
    """What is wrong with a text by itself."""
    lines = text.split("\n")
    in_tables = set[int]().union(*_tables(text))
    code = {
        line
        for token in markdown().parse(text)
        if token.type in {"fence", "code_block", "html_block"} and token.map
        for line in range(*token.map)
    }
    return Counter(
        {
            "open fences": int(bool(outline(text).open_fence)),
            "table rows outside a table": sum(
                line.startswith("|") and i not in in_tables and i not in code for i, line in enumerate(lines)
            ),
        }
    )


if __name__ == "__main__":
    sys.exit(main())
