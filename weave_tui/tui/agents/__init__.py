"""The agents screen's data: what is on disk, and each agent as lines to look at. No Textual here."""
