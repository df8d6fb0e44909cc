"""The tables of the docs say what the mapping page says."""

from __future__ import annotations

import pytest

from tools import interop_tables

RESERVED = "metadata._contextweaver"


@pytest.mark.parametrize(
    ("pair", "field", "places"),
    [
        (0, "namespace", ("capability_id", f"{RESERVED}.namespace")),
        (0, "args_schema", (f'{RESERVED}.args_schema["*"]',)),
        (0, "metadata", ('metadata["*"]',)),
        (1, "score", (f"items[0].{RESERVED}.score",)),
        (
            2,
            "selected_card_id",
            (f"choice_cards[0].{RESERVED}.original_selected_card_id", "selected_card_id"),
        ),
        (3, "artifacts", ("handle_refs", f"{RESERVED}.artifacts")),
        (3, "status", ("structured_data.status",)),
    ],
)
def test_where_a_field_goes(pair: int, field: str, places: tuple[str, ...]) -> None:
    found = {row.field: row.places for row in interop_tables.rows(interop_tables.PAIRS[pair])}
    assert set(found[field]) == set(places)


def test_every_field_is_in_a_table() -> None:
    for pair in interop_tables.PAIRS:
        named = [row.field for row in interop_tables.rows(pair) if row.field]
        assert named == [name for name in pair.ours.model_fields if name not in {"foreign", "weave_protocol"}]
        assert all(row.places for row in interop_tables.rows(pair))


def test_the_page_is_up_to_date_and_has_every_section() -> None:
    page = interop_tables.PAGE.read_text(encoding="utf-8")
    assert interop_tables.filled(page) == page, "out of date: python -m tools.interop_tables"
    for name in interop_tables.SECTIONS:
        assert f"<!-- {name} -->\n\n" in page
