"""A rollout and its rollback, tried with real processes: whatever they do, nothing is lost."""
