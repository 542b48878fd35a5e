"""PROMPTS: common jobs for a user's menu."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from scenograph.late_dataclasses import dataclass
from scenograph.wire.members import THEME, requirement
from scenograph.wire.names import THEME_NAMES

MOST_GIVEN = 300_000  # characters; even fully escaped a message stays far below 4 MB
KEEP = "Then {keep}render it as png{theme}, look at the image, and mend what is unclear before you show it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A row. `text` may use the arguments in braces; `missing` holds replacements for absent arguments. A job with
    `key` needs stored scenes."""

    name: str
    title: str
    description: str
    text: str
    required: Mapping[str, str]
    optional: Mapping[str, str]
    missing: Mapping[str, str]
    key: bool = False


_THEME = {"theme": "clean, dark, blueprint or sketch."}

JOBS: tuple[Job, ...] = (
    Job(
        name="architecture_from_repository",
        title="Architecture from a repository",
        description="Read a code base and draw its parts and how they talk.",
        text="Draw the architecture of the repository at {path}. Read its build files, configuration and entry points; "
        "find what runs on its own (services, clients, functions), where data is kept (databases, queues, buckets) and "
        "which outside systems are called. Draw only what the code shows: at most 20 nodes, one frame for each part "
        "that is deployed together, an arrow from caller to callee with the protocol or purpose in two words. {focus}"
        "Use diagramFamily architecture, layoutStrategy hierarchical and, so that every line shows its direction, "
        "defaults.edge.endpoints with endArrow triangle. " + KEEP + " At the end list what you were not sure of.",
        required={},
        optional={"path": "Folder of the repository.", "focus": "A part to look at closely.", **_THEME},
        missing={"path": "the current folder"},
    ),
    Job(
        name="er_from_sql",
        title="Entity-relationship diagram from SQL",
        description="Draw the tables of a schema with columns, keys and relationships.",
        text="Draw an entity-relationship diagram of this SQL schema:\n\n{sql}\n\nOne er.entity a table, its columns "
        "in extensions.columns with name, type, pk, fk, unique and nullable as declared. One edge a foreign key, from "
        "the referencing column to the referenced one, er.identifying where it is part of the primary key, else "
        "er.nonIdentifying. Use diagramFamily entityRelationship. " + KEEP,
        required={"sql": "CREATE TABLE statements, or the path of a file with them."},
        optional=_THEME,
        missing={},
    ),
    Job(
        name="sequence_from_trace",
        title="Sequence diagram from a trace",
        description="Draw who called whom, in order, from a trace or a log.",
        text="Draw a sequence diagram of this trace:\n\n{trace}\n\nOne lifeline a service in the order of first use, a "
        "sequence.actor for whoever starts. Messages in the order of time, a sequence.reply where an answer comes "
        "back, sequence.async where nobody waits. Put retries and branches into frames with containerType fragment. "
        "Leave out what repeats without saying anything new, and say so. Use diagramFamily sequence. " + KEEP,
        required={"trace": "Spans, log lines or a description."},
        optional=_THEME,
        missing={},
    ),
    Job(
        name="review_diff",
        title="Review what changed in a scene",
        description="Compare two revisions and explain the change.",
        text="Review what changed in the scene {sceneId} from revision {from} to {to}. Call dsp_list_revisions and "
        "dsp_diff_scene with from and to. Where the later one is the latest, call dsp_render_scene with format png and "
        "diffFromRevision as well, and look at it (it always shows the latest): green was added, "
        "red removed, amber modified. Tell in plain words what the change means for what the diagram describes, and "
        "name what looks wrong or incomplete. Change nothing.",
        required={"sceneId": "The scene."},
        optional={"from": "The earlier revision.", "to": "The later revision."},
        missing={"from": "the one before the latest", "to": "the latest"},
        key=True,
    ),
)


class WrongPrompt(Exception):  # noqa: N818
    """The prompt is unknown, or an argument is missing; the text tells."""


def listed(*, key: bool) -> list[Prompt]:
    """The prompts offered to a caller."""
    return [
        Prompt(
            name=job.name,
            title=job.title,
            description=job.description,
            arguments=[
                *(PromptArgument(name=name, description=text, required=True) for name, text in job.required.items()),
                *(PromptArgument(name=name, description=text, required=False) for name, text in job.optional.items()),
            ],
        )
        for job in offered(key=key)
    ]


def offered(*, key: bool) -> tuple[Job, ...]:
    """The jobs available with or without a key."""
    return tuple(job for job in JOBS if key or not job.key)


def written(name: str, arguments: Mapping[str, str], *, key: bool) -> GetPromptResult:
    """The prompt with its arguments filled in. Raises WrongPrompt."""
    job = next((job for job in offered(key=key) if job.name == name), None)
    if job is None:
        raise WrongPrompt(f"There are the prompts {', '.join(each.name for each in offered(key=key))}.")
    absent = [argument for argument in job.required if not arguments.get(argument, "").strip()]
    if absent:
        raise WrongPrompt(f"{name} wants: {', '.join(absent)}.")
    unknown = [argument for argument in arguments if argument not in {**job.required, **job.optional}]
    if unknown:
        raise WrongPrompt(f"{name} takes: {', '.join({**job.required, **job.optional})}; not {', '.join(unknown)}.")
    theme = arguments.get("theme", "").strip()
    if theme and theme not in THEME_NAMES:
        raise WrongPrompt(f"theme must be {requirement(THEME.schema)}.")
    if sum(map(len, arguments.values())) > MOST_GIVEN:
        raise WrongPrompt(f"The arguments have more than {MOST_GIVEN} characters; give the path of a file instead.")
    keep = "create the scene, heed its remarks, " if key else "validate the scene, "
    words = {**dict.fromkeys(job.optional, ""), **job.missing, "keep": keep}
    text = _filled(job, {**words, **_given(arguments)})
    return GetPromptResult(
        description=job.description, messages=[PromptMessage(role="user", content=TextContent(text=text))]
    )


def _given(arguments: Mapping[str, str]) -> dict[str, str]:
    given = {name: value for name, value in arguments.items() if value.strip()}
    if "theme" in given:
        given["theme"] = f" with theme {given['theme']}"
    if "focus" in given:
        given["focus"] = f"Look closely at {given['focus']}. "
    return given


def _filled(job: Job, values: Mapping[str, str]) -> str:
    """`job.text` with each name in braces replaced once; braces within a value stay unchanged."""
    pieces: list[str] = []
    for number, piece in enumerate(job.text.replace("}", "{").split("{")):
        pieces.append(values.get(piece, "") if number % 2 else piece)
    return "".join(pieces)
