"""Stories in which what is true changes: read from ``stories/``, told to a memory, and judged."""
