"""The Differences panel: the differences between two compared documents."""
