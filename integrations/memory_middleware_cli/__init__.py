"""The ``memory`` command."""
