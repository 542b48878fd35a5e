"""The teaching texts: the server's instructions, for callers with and without a key, and the guide."""

from __future__ import annotations

from functools import cache
from importlib import resources

from scenograph.mcp.inputs import TOPICS

FILES = resources.files("scenograph.mcp")
WITH_KEY = {
    "short": "Short way: Mermaid (or SQL …) by dsp_import_scene with keep; for large edits change that source and "
    "dsp_sync_scene; for small ones dsp_apply_ops. Icons, looks: the scene itself, dsp_create_scene. Each reply shows "
    "the picture: heed it and the remarks.\n\n",
    "look": "",
    "more": "Find a scene: dsp_list_scenes. Undo: dsp_restore_revision. More: dsp_read_guide.",
    "risks": "\n\nDelete, publish, submit to support only once the user agreed.",
}
WITHOUT_KEY = {
    "short": "",
    "look": "Then dsp_render_scene with format png, and look: is all readable, nothing missing? Nothing is stored: "
    "keep the document, mend it, pass it whole as scene again.",
    "more": "More: the resources scenograph://guide, scenograph://examples/<family>, scenograph://icons/<word>.",
    "risks": "\n\nTo store, edit and publish scenes the user sets SERVICE_API_KEY in the host's configuration.",
}


@cache
def instructions(*, key: bool) -> str:
    """How to work with the tools, in at most 500 tokens."""
    whole = text("texts/instructions.md")
    for name, words in (WITH_KEY if key else WITHOUT_KEY).items():
        whole = whole.replace(f"{{{{{name}}}}}", words)
    return whole.strip()


@cache
def guide() -> str:
    """The scene guide as Markdown: its pages in order."""
    return "\n".join(map(guide_page, TOPICS))


def guide_page(topic: str) -> str:
    """A page of the guide as Markdown."""
    return text(f"texts/guide/{topic}.md")


def text(name: str) -> str:
    """A file of this package."""
    return FILES.joinpath(name).read_text("utf-8")
