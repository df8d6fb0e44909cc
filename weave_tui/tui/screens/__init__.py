"""The screens: the main one and the dialogs over it, one a module."""
