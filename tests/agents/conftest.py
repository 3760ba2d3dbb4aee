"""The agents are asked by the models' own server."""

from __future__ import annotations

from tests.models.conftest import serve, server

__all__ = ["serve", "server"]
