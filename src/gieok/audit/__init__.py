"""The audit log: what happened to whose data, without content."""

from gieok.audit.service import AuditLog

__all__ = ["AuditLog"]
