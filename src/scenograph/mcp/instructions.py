"""The texts that teach the work: the server's instructions, for callers with a key and without, and the guide."""

from __future__ import annotations

from functools import cache
from importlib import resources

FILES = resources.files("scenograph.mcp")
WITH_KEY = {
    "keep": "dsp_create_scene stores it as revision 1.",
    "mend": "Mend it by operations: dsp_apply_ops with baseRevision set to the latest revision. Do not create the "
    "scene again. Then render and look again.",
    "risks": "\n\nDelete, publish or submit to support only after the user agreed.",
}
WITHOUT_KEY = {
    "keep": "Without an API key nothing is stored: keep the document yourself and pass it whole as scene.",
    "mend": "Mend the document, validate it, render and look again.",
    "risks": "\n\nTo store, edit and publish scenes the user sets SERVICE_API_KEY in the host's configuration.",
}


@cache
def instructions(*, key: bool) -> str:
    """How to work with the tools, in under 400 words."""
    whole = text("texts/instructions.md")
    for name, words in (WITH_KEY if key else WITHOUT_KEY).items():
        whole = whole.replace(f"{{{{{name}}}}}", words)
    return whole.strip()


@cache
def guide() -> str:
    """The scene guide, Markdown."""
    return text("texts/guide.md")


def text(name: str) -> str:
    """A file of this package."""
    return FILES.joinpath(name).read_text("utf-8")
