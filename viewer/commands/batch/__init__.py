"""One task on many files: how a verb runs it, reports it, and goes on after an interruption."""
