"""Subcommands of ``symcontact``, each in the module of its name, with a function ``run``."""
