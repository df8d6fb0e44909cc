"""The widgets of the main screen, one a module. They show what they are given and hold no state of the session."""
