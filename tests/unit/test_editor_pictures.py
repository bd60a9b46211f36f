"""The pictures of the editor in the documentation show what the server answers today."""

from xml.etree import ElementTree

import pytest

from tests.tools.editor_pictures import PICTURES, ROOT, build_pictures

DRAWN = build_pictures()


def test_all_are_drawn() -> None:
    assert sorted(DRAWN) == sorted(path.name for path in PICTURES.glob("editor-*"))


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_up_to_date(name: str) -> None:
    """`make docs` writes them anew."""
    assert (PICTURES / name).read_text("utf-8") == DRAWN[name]


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_fits_its_frame_and_names_no_place_of_this_machine(name: str) -> None:
    root = ElementTree.fromstring(DRAWN[name])
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert len(texts) > 20
    for text in texts:
        assert float(text.attrib["x"]) + float(text.attrib["textLength"]) <= width
        assert float(text.attrib["y"]) <= height
        assert str(ROOT) not in (text.text or "")
