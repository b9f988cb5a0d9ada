"""What changed between two documents, by meaning: pure functions of documents."""
