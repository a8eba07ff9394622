"""The ``symcontact`` command: ``commands`` has a module per subcommand, imported when it runs."""
