"""The Differences panel: what is different between two compared documents."""
