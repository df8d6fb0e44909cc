"""weave-tui: compose prompts from the agent skills, rules and prompts already on disk."""

__version__ = "0.1.0"
