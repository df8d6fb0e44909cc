"""Generated skills of real shape: names, descriptions and bodies from a small vocabulary, always the same."""

from __future__ import annotations

import random
from pathlib import Path

VERBS = "review write deploy rename test debug design migrate document profile monitor refactor release secure".split()
THINGS = (
    "pull request,unit test,database column,kubernetes cluster,react form,rest endpoint,sql query,ci pipeline,"
    "feature flag,log line,error page,access token,docker image,terraform module,graphql schema,css layout"
).split(",")
FILLER = (
    "use this when the person asks for it and the change is small keep every step short name what you did "
    "read the file first never guess a path run the tests before and after say what is left open "
    "check the edge cases prefer the simple way over the clever one write the result as a list with links"
).split()


def skill_text(number: int, body_words: int = 700) -> str:
    """One SKILL.md; the same number gives the same text."""
    dice = random.Random(number)
    verb, thing, other = dice.choice(VERBS), dice.choice(THINGS), dice.choice(THINGS)
    paragraphs = [" ".join(dice.choices([*FILLER, *thing.split(), verb], k=90)) for _ in range(body_words // 90)]
    sections = "\n\n".join(f"## Step {i}\n\n{text}." for i, text in enumerate(paragraphs, 1))
    return (
        f"---\nname: {verb}-{thing.replace(' ', '-')}-{number}\n"
        f"description: {verb.title()} a {thing} for team {number}, with regard to the {other}. Use when someone asks "
        f"to {verb} the {thing}.\n---\n# {verb.title()} the {thing}\n\n{sections}\n"
    )


def write_library(root: Path, count: int) -> None:
    """`count` skills, a folder each."""
    for number in range(count):
        folder = root / f"skills{number // 500:03}" / f"skill-{number:05}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill_text(number), encoding="utf-8")
