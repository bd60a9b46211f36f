"""Code lenses: how often a definition is used, and what it finds in the data beside its file."""

from functools import partial
from typing import Any

from lsprotocol import types

from phenesthe.diagnostics.render.cells import join_lines
from phenesthe.ide.lenses import list_lenses
from phenesthe.ide.navigate import find_references
from phenesthe.ide.preview import find_data, name_sample, preview
from phenesthe.ide.symbols import list_symbols
from phenesthe.lsp.separate_process import GivenUp, run_in_process
from phenesthe.lsp.session import Asked, Session

#: The server's, for `workspace/executeCommand`: the file's address, the definition, the data.
PREVIEW = "phenesthe.preview"
#: The client's, for it alone can show places: an address, a position, locations.
SHOW_REFERENCES = "phenesthe.showReferences"

#: A preview may take.
MAX_SECONDS = 30


def list_code_lenses(session: Session, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Where the references are is found out when a lens is looked at."""
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    uri = asked.document.uri
    found: list[types.CodeLens] = []
    for lens in list_lenses(session.list_programs(fresh=False), asked.file):
        place = session.find_range(lens.span)
        if lens.command == "preview" and lens.data is not None:
            command = types.Command(lens.title, PREVIEW, arguments=[uri, lens.name, lens.data.name])
            found.append(types.CodeLens(place, command))
        else:
            found.append(types.CodeLens(place, data={"uri": uri, "name": lens.name}))
    return found


def resolve_lens(session: Session, lens: types.CodeLens) -> types.CodeLens:
    """A lens whose file was closed or whose definition is gone leads nowhere."""
    data = lens.data if isinstance(lens.data, dict) else {}
    uri, name = str(data.get("uri", "")), str(data.get("name", ""))
    places: list[types.Location] = []
    asked = session.find(uri)
    offset = None if asked is None else _find_name(asked, name)
    if asked is not None and offset is not None:
        programs = session.list_programs(fresh=False)
        found = find_references(programs, asked.file, offset, declarations=False)
        places = [session.locate(one.span) for one in found]
    title = f"{len(places)} reference{'' if len(places) == 1 else 's'}"
    arguments = [uri, lens.range.start, places]
    lens.command = types.Command(title, SHOW_REFERENCES if places else "", arguments=arguments)
    return lens


async def run_preview(
    session: Session, uri: str = "", name: str = "", data: str | None = None, *_: Any
) -> dict[str, str] | None:
    """Without the name of a file of data, the first beside the program is taken."""
    asked = session.find(uri)
    if asked is None:
        return None
    beside = find_data(asked.file)
    # If there is none, a message calls this one missing.
    first = next(iter(beside), name_sample(asked.file))
    chosen = next((one for one in beside if one.name == data), first)
    try:
        made = await run_in_process(partial(preview, asked.analysis, name, chosen), MAX_SECONDS)
    except GivenUp as problem:
        # What a page is made with is too heavy to be loaded here.
        title = join_lines(f"{name} on {chosen.name}")
        return {"title": title, "text": f"{title}\n\n{problem}: make the data smaller", "html": ""}
    return {"title": made.title, "text": made.text, "html": made.html}


def _find_name(asked: Asked, name: str) -> int | None:
    found = (one for one in list_symbols(asked.analysis, asked.file) if one.name == name)
    return next((one.name_span.start for one in found), None)
