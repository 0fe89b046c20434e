"""Nobody gets in without a token, and nobody into someone else's memory."""

from datetime import timedelta

import httpx
import jwt
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from rest_people import HOUR, SECRET, Person

from gieok.surfaces.rest import Tokens
from gieok.testing import FixedClock

PUBLIC = {"GET /health/live", "GET /health/ready"}
PERSONAL = {
    "GET /api/v1/users/me/memories",
    "POST /api/v1/users/me/memories",
    "DELETE /api/v1/users/me/memories",
    "GET /api/v1/users/me/memories/{memory_id}",
    "DELETE /api/v1/users/me/memories/{memory_id}",
    "POST /api/v1/users/me/memories/{memory_id}/deactivate",
    "POST /api/v1/users/me/memories/{memory_id}/reactivate",
    "GET /api/v1/users/me/memory-candidates",
    "POST /api/v1/users/me/memory-candidates/{candidate_id}/confirm",
    "POST /api/v1/users/me/memory-candidates/{candidate_id}/reject",
    "GET /api/v1/users/me/memory-settings",
    "PATCH /api/v1/users/me/memory-settings",
    "POST /api/v1/sessions",
    "GET /api/v1/sessions",
    "GET /api/v1/sessions/{session_id}",
    "POST /api/v1/sessions/{session_id}/turns",
    "POST /api/v1/sessions/{session_id}/messages",
    "POST /api/v1/sessions/{session_id}/close",
    "POST /api/v1/recall",
    "POST /api/v1/context",
}
OTHER = {"GET /openapi.json", "HEAD /openapi.json"}
NOBODYS = "018f0000-0000-7000-8000-000000000000"
