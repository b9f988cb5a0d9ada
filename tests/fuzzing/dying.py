"""A batch that ends its process; worker processes import it by name."""

from __future__ import annotations

import os
from collections import Counter

from tests.fuzzing.run import Numbers, Plan, Result


def dies_at_five(plan: Plan, numbers: Numbers) -> Result:
    """In place of `run.execute_batch`: case 5 ends the process."""
    if 5 in numbers:
        os._exit(7)
    return {"ani": Counter(executions=len(numbers))}, []
