"""The exception that ends a run at its beginning."""


class Refused(Exception):
    """A sentence for the teacher; the program ends with exit status 2."""
