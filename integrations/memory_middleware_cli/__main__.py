"""``python -m memory_middleware_cli`` is the ``memory`` command."""

from memory_middleware_cli.app import main

if __name__ == "__main__":
    main()
