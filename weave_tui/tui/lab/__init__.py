"""What the lab shows, as lines. No Textual here."""
