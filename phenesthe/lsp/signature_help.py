"""Signature help: the arguments of what is being written."""

from lsprotocol import types

from phenesthe.ide.signatures import SignatureHelp, help_signature
from phenesthe.lsp.session import Session


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
