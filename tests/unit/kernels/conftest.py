"""Every test runs with packed codes and with the ranks that replace them where times are far,
the latter also as many rows are sorted."""

import pytest

from phenesthe.kernels import order


@pytest.fixture(params=["packed", "ranked"], autouse=True)
def codes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    if name == "ranked":
        monkeypatch.setattr(order, "CODES", 0)
        monkeypatch.setattr(order, "MANY_ROWS", 2)
    return name
