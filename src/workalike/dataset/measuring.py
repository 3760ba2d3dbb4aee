"""Screen sizes for exports whose places depend on them: what trainers see is the picture, so its own size counts.

AgentNet's screenshots are scaled, while its metadata tells the screen they were taken on; that size serves only where
the picture cannot be looked at, and the manifest then says so.
"""

from __future__ import annotations

from msgspec.structs import replace

from workalike.core.errors import BadInput
from workalike.core.observation import Observation
from workalike.core.trajectory import Trajectory
from workalike.dataset.delivery import PictureDelivery
from workalike.formats.agentnet_trajectories import THEIRS


class Measuring:
    """Gives trajectories the sizes of their pictures. `unmeasured` counts the steps that keep the metadata's."""

    def __init__(self, delivery: PictureDelivery, needed: bool) -> None:
        self.delivery, self.needed, self.unmeasured = delivery, needed, 0

    def measured(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory with the sizes that only its pictures tell, where places depend on them."""
        theirs = THEIRS in trajectory.extra
        if not self.needed or (not theirs and all(step.observation.size is not None for step in trajectory.steps)):
            return trajectory
        steps = [replace(step, observation=self._sized(step.observation, theirs)) for step in trajectory.steps]
        return replace(trajectory, steps=tuple(steps))

    def notes(self) -> list[str]:
        """What a reader of the export must know of its places."""
        if not self.unmeasured:
            return []
        return [
            f"places refer to the screen that the metadata tells, not to the picture, which may be scaled, in steps "
            f"whose picture could not be measured: {self.unmeasured:,}; name all pictures by --images"
        ]

    def _sized(self, seen: Observation, theirs: bool) -> Observation:
        if seen.picture is None or (seen.size is not None and not theirs):
            return seen
        try:
            size = self.delivery.size(seen.picture)
        except BadInput:  # missing or damaged
            size = None
        self.unmeasured += size is None and seen.size is not None
        return seen if size is None else replace(seen, size=size)
