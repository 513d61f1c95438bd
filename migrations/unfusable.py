"""What says that two hops stay two passes."""


class Unfusable(Exception):
    """Two conversions cannot be one, as the second looks into what the first makes."""
