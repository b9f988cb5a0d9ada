"""`python -m tests.library.workers.dask_node PORT [NAME]`: a Dask scheduler, or with a NAME its worker."""

from __future__ import annotations

import asyncio
import sys


async def main(port: str, *name: str) -> None:
    """Run until the process is ended."""
    if name:
        from distributed import Worker

        async with Worker(f"tcp://127.0.0.1:{port}", name=name[0], nthreads=1, dashboard=False) as worker:
            await worker.finished()
    else:
        from distributed import Scheduler

        async with Scheduler(port=int(port), host="127.0.0.1", dashboard=False) as scheduler:
            await scheduler.finished()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
