"""Agent prompt composition: the .weave language, strict templates, delegation and workflows.

The source is the seed document "Prompt Composition". Nothing here raises for what a user
wrote: see `Result`.
"""

from __future__ import annotations

from weave_tui.prompts.errors import Result, TemplateError
from weave_tui.prompts.places import Place
from weave_tui.prompts.render import Rendered, render

__all__ = ["Place", "Rendered", "Result", "TemplateError", "render"]
