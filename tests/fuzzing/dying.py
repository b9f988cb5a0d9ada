"""A batch that ends its process; worker processes import it by name."""

from __future__ import annotations

import os
from collections import Counter

from tests.fuzzing.run import Plan, Result, numbers_of


def dies_at_five(batch: str, plan: Plan) -> Result:
    """In place of `run.execute_batch`: case 5 ends the process."""
    numbers = numbers_of(batch)
    if 5 in numbers:
        os._exit(7)
    return {"ani": Counter(executions=len(numbers))}, []
