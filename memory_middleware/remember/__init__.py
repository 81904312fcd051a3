"""The write path: what was said becomes memory that stays true."""
