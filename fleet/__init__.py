"""Many processes of several versions that share one store."""
