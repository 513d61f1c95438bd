"""Measures formats side by side: size and time, on one state, in one run."""
