"""Every test runs with packed codes and with the ranks that replace them where times are far."""

import pytest

from phenesthe.kernels import order


@pytest.fixture(params=["packed", "ranked"], autouse=True)
def codes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    if name == "ranked":
        monkeypatch.setattr(order, "CODES", 0)
    return name
