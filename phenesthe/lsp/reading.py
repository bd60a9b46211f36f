"""Requests that show what is known of a text: hover, signatures, inferred types."""

from lsprotocol import types

from phenesthe.ide.hints import list_hints
from phenesthe.ide.hover import hover
from phenesthe.ide.signatures import SignatureHelp, help_signature
from phenesthe.lsp.session import Session
from phenesthe.syntax.source import Span


def describe(session: Session, params: types.HoverParams) -> types.Hover | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    found = hover(asked.analysis, asked.file, session.find_offset(asked.document, params.position))
    if found is None:
        return None
    text = session.write_markup("text_document.hover.content_format", found.text)
    return types.Hover(text, session.find_range(found.span))


def help_arguments(
    session: Session, params: types.SignatureHelpParams
) -> types.SignatureHelp | None:
    asked = session.find(params.text_document.uri)
    if asked is None:
        return None
    offset = session.find_offset(asked.document, params.position)
    found = help_signature(asked.analysis, asked.file, offset)
    if found is None:
        return None
    # Past the last argument none is marked.
    active = len(found.arguments) if found.active is None else found.active
    signature = _convert_signature(session, found)
    # Left out it is sent as null, which says that none is marked, whatever the whole says.
    signature.active_parameter = active
    return types.SignatureHelp([signature], 0, active)


def hint(session: Session, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    asked = session.find(params.text_document.uri)
    if asked is None or not session.settings.inlay_hints:
        return None
    module = asked.analysis.find_module(asked.file)
    if module is None:
        return None
    source = module.parsed.source
    start = session.find_offset(asked.document, params.range.start)
    end = session.find_offset(asked.document, params.range.end)
    return [
        types.InlayHint(
            session.find_range(Span(source, one.offset, one.offset)).start,
            one.text,
            types.InlayHintKind.Type,
        )
        for one in list_hints(asked.analysis, asked.file, Span(source, start, end))
    ]


def _convert_signature(session: Session, found: SignatureHelp) -> types.SignatureInformation:
    offsets = (
        "text_document.signature_help.signature_information.parameter_information"
        ".label_offset_support"
    )
    measure = session.counting.measure
    arguments = [
        types.ParameterInformation(
            (measure(found.label[:start]), measure(found.label[:end]))
            if session.supports(offsets, False)
            else found.label[start:end]
        )
        for start, end in found.arguments
    ]
    documentation = "text_document.signature_help.signature_information.documentation_format"
    doc = session.write_markup(documentation, found.doc) if found.doc else None
    return types.SignatureInformation(found.label, doc, arguments)
