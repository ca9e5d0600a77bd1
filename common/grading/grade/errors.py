"""What ends a run before it has begun."""


class Refused(Exception):
    """A sentence for the teacher; exit status 2."""
