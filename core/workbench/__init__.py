"""The workbench: everything that the pages, the command line and Python programs call."""

from core.workbench.facade import Workbench
from core.workbench.session import Session
from core.workbench.status import WorkbenchStatus

__all__ = ["Session", "Workbench", "WorkbenchStatus"]
