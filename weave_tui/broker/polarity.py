"""Polarity: which words tell to do, which forbid, which bound or only fill an instruction. Tables only.

Words are looked up whole and lower-case, never searched for inside others.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _words("never not no don't dont mustn't shouldn't")
"""Words that turn a clause round."""

FACTS = _words("doesn't didn't isn't aren't can't cannot couldn't won't wouldn't hasn't haven't does did cannot unable")
"""Words that say how things are, not what to do."""

HEDGES = _words("only just necessarily need matter longer more less later sure yet always all every")
"""After a negation: "not only", "no need", "no longer": the clause neither tells nor forbids."""

ACTIONS: dict[str, int] = {
    **dict.fromkeys("use uses used using enable enables enabled enabling add adds added adding".split(), 1),
    **dict.fromkeys("require requires required requiring allow allows allowed prefer favor favour".split(), 1),
    **dict.fromkeys("avoid avoids avoided avoiding refrain disable disables disabled disabling".split(), -1),
    **dict.fromkeys("remove removes removed removing forbid forbids forbidden prohibit prohibited".split(), -1),
}
"""Verbs that stand for doing (+1) or not doing (-1)."""

DUTIES = _words("always must should shall ought")
"""Words that make a clause an instruction and say nothing else."""

BEING = _words("is are be been being was were to and or")
"""Before an action: it is the clause's verb ("must be disabled", "are forbidden")."""

CONDITIONS = _words(
    "if when whenever unless until while once before after during except without otherwise over under above below "
    "first last instead rather too just yet again more less most least than"
)
"""Words that bound a clause. Two clauses meet only where the same ones bound both."""

QUALIFIERS = _words("only where every")
"""Words that bound a clause so loosely that they are passed over."""

FILLERS = _words(
    "a an the this that these those it it's its they them their you your we our us i my me am do does did have has "
    "had will would can could may might of in on at by for from with as so also any all each some such there here "
    "which who what how please strictly completely make ensure automatically explicitly directly really very simply "
    "ever time whole entire one ones"
)
"""Words without a subject of their own."""

SIGNPOSTS = _words(
    "don't don'ts donts not never avoid antipattern antipatterns anti-pattern anti-patterns mistake mistakes pitfall "
    "pitfalls bad wrong incorrect forbidden flag flags red smell smells problem problems issue issues violation "
    "violations rationalization rationalizations excuse excuses gotcha gotchas warning warnings limitation limitations "
    "symptom symptoms failure failures myth myths avoiding cannot can't"
)
"""In a heading or a lead-in: what follows is listed, not told to be done."""

REASONS = ("because", "since", "so", "which", "even", "as", "thus", "hence", "via", "such")
"""From such a word on a clause says why or how, not what."""
