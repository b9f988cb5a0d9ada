"""An execution that ends its process; worker processes import it by name."""

from __future__ import annotations

import os
from collections import Counter

from tests.fuzzing.run import Plan, Result


def dies_at_five(number: str, plan: Plan) -> Result:
    """In place of `run.execute_number`: case 5 ends the process."""
    if number == "5":
        os._exit(7)
    return Counter(executions=1), None
