"""What the verifiers' tests share: the models' server."""

from __future__ import annotations

from tests.models.conftest import serve, server

__all__ = ["serve", "server"]
