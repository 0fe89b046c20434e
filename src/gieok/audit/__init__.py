"""The audit log: what happened to whose data, without content."""

from gieok.audit.model import AuditLine, ChainVerification
from gieok.audit.service import AuditLog

__all__ = ["AuditLine", "AuditLog", "ChainVerification"]
