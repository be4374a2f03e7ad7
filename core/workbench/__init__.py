"""The workbench: everything that the pages, the command line and Python programs call."""

from core.workbench.facade import Workbench
from core.workbench.keeping import restore_home
from core.workbench.status import WorkbenchStatus
from core.workbench.worker import run_worker

__all__ = ["Workbench", "WorkbenchStatus", "restore_home", "run_worker"]
