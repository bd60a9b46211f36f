"""One server for all tests of this folder; each has files of its own."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from pytest_lsp import LanguageClient, client_capabilities

from phenesthe.lsp.positions import Counting
from tests.e2e.lsp.editor import Editor, end_client, start_client


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LanguageClient]:
    """As VS Code would be: UTF-16, snippets, everything."""
    folder = tmp_path_factory.getbasetemp()
    started, _ = await start_client(client_capabilities("visual-studio-code"), folder)
    yield started
    await end_client(started)


@pytest.fixture
def editor(client: LanguageClient, tmp_path: Path) -> Iterator[Editor]:
    used = Editor(client, tmp_path, Counting())
    yield used
    for name in used.texts:
        used.close(name)
