"""Who answers a request: a file of its name."""

import re

import pytest

from phenesthe.lsp.features import FEATURES, Feature

#: Requests that are answered in one file because they are about the same.
TOGETHER = {
    "definition": "navigation",
    "references": "navigation",
    "document_highlight": "navigation",
    "document_symbol": "symbols",
    "symbol": "symbols",
    "prepare_rename": "rename",
}


@pytest.mark.parametrize("feature", FEATURES, ids=lambda one: one.method)
def test_a_request_is_answered_in_the_file_of_its_name(feature: Feature) -> None:
    words = feature.method.split("/")
    word = words[0] if words[-1] == "resolve" else words[1]
    name = re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", word)
    answering = feature.answer.__module__.split(".")[-1]
    assert answering == TOGETHER.get(name, name)
