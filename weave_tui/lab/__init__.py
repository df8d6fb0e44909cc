"""The tuning lab: labelled queries judged, self-tests, and what would make a skill win. No screen in here."""
