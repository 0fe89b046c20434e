"""The audit log: what happened to whose data, without content."""

from gieok.audit.model import AuditLine, Verified
from gieok.audit.service import AuditLog

__all__ = ["AuditLine", "AuditLog", "Verified"]
