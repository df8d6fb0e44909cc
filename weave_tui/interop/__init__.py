"""weaver-spec, contextweaver and ChainWeaver: their documents in, ours out.

`contextweaver` and `weaver_spec` hold the models of the two sides, which share names; the functions
here convert between them, bridge to what weave-tui has, and read and write JSON. Every function takes
these models, decoded JSON or the peers' own objects. `contracts` (extra `weaver`) has the same
functions with weaver_contracts' dataclasses as results. Routing is advice: nothing here executes.
"""

from weave_tui.interop import contextweaver, contracts, weaver_spec
from weave_tui.interop.bridge import (
    Choice,
    Offer,
    advertisement_to_selectable_item,
    export_catalog,
    item_ids,
    response_to_routing_decision,
    result_to_routing_decision,
    selectable_item_to_advertisement,
)
from weave_tui.interop.candidates import (
    HostCandidate,
    advice_of_candidate,
    candidate_of_advice,
    execution_candidate,
    execution_routing_decision,
)
from weave_tui.interop.catalog import Filtered, filter_catalog, read_catalog
from weave_tui.interop.chainweaver import (
    execution_to_envelope,
    flow_document,
    load_chainweaver_export,
    resolve_flow,
    resolve_flow_id,
)
from weave_tui.interop.composed import Composed, Part, composition_to_envelope, composition_to_frame
from weave_tui.interop.data import Document, from_json, plain, to_json
from weave_tui.interop.documents import FORMS, Form, Imported, Lost, Names, convert, import_document, recognise
from weave_tui.interop.errors import CatalogError, InteropError, ValidationError
from weave_tui.interop.options import (
    from_weaver_choice_card,
    from_weaver_choice_card_single,
    from_weaver_selectable_item,
    roundtrip_choice_card,
    roundtrip_selectable_item,
    to_weaver_choice_card,
    to_weaver_choice_cards,
    to_weaver_selectable_item,
)
from weave_tui.interop.outcomes import (
    from_weaver_frame,
    from_weaver_routing_decision,
    roundtrip_frame,
    roundtrip_result_envelope,
    roundtrip_routing_decision,
    to_weaver_frame,
    to_weaver_routing_decision,
)

__all__ = [
    "FORMS",
    "CatalogError",
    "Choice",
    "Composed",
    "Document",
    "Filtered",
    "Form",
    "HostCandidate",
    "Imported",
    "InteropError",
    "Lost",
    "Names",
    "Offer",
    "Part",
    "ValidationError",
    "advertisement_to_selectable_item",
    "advice_of_candidate",
    "candidate_of_advice",
    "composition_to_envelope",
    "composition_to_frame",
    "contextweaver",
    "contracts",
    "convert",
    "execution_candidate",
    "execution_routing_decision",
    "execution_to_envelope",
    "export_catalog",
    "filter_catalog",
    "flow_document",
    "from_json",
    "from_weaver_choice_card",
    "from_weaver_choice_card_single",
    "from_weaver_frame",
    "from_weaver_routing_decision",
    "from_weaver_selectable_item",
    "import_document",
    "item_ids",
    "load_chainweaver_export",
    "plain",
    "read_catalog",
    "recognise",
    "resolve_flow",
    "resolve_flow_id",
    "response_to_routing_decision",
    "result_to_routing_decision",
    "roundtrip_choice_card",
    "roundtrip_frame",
    "roundtrip_result_envelope",
    "roundtrip_routing_decision",
    "roundtrip_selectable_item",
    "selectable_item_to_advertisement",
    "to_json",
    "to_weaver_choice_card",
    "to_weaver_choice_cards",
    "to_weaver_frame",
    "to_weaver_routing_decision",
    "to_weaver_selectable_item",
    "weaver_spec",
]
