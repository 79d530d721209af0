"""The shop's database as its operator sees it: what it is told to assume, and copies of it."""
