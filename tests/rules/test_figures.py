"""The figures in the rules are those of the code: a constant and the text that tells it change together."""

from __future__ import annotations

from datetime import timedelta

import pytest
import rule_book

from scenograph.engine import canvas, colors, costs, measure, page
from scenograph.engine.draw import changes
from scenograph.engine.families import faces, workflow
from scenograph.engine.families.sequence import columns, diagram
from scenograph.engine.icons import icon
from scenograph.engine.place import subgraph
from scenograph.engine.place.containers import frames
from scenograph.engine.route.courses import pathfinder, routers, terrain
from scenograph.engine.themes import THEMES
from scenograph.engine.write import text_art
from scenograph.http import layers
from scenograph.mcp import answers, rendering
from scenograph.scene import difference, strict_json
from scenograph.scene.description.document import ASPECT_RATIO
from scenograph.scene.limits import Limits
from scenograph.service import accounts, background, idempotency, lifecycle, oidc, rate_limits, sign_in
from scenograph.settings import Settings
from scenograph.wire import names

RULES = {rule.number: rule.text for rule in rule_book.rules()}
LIMITS = Limits()
DEFAULTS = {name: field.default for name, field in Settings.model_fields.items()}
ADDED, REMOVED = changes.CHANGES["added"], changes.CHANGES["removed"]
SMALL = round(THEMES["clean"].fonts.edge.size * measure.SMALL_SHARE)


def hours(span: timedelta) -> str:
    return f"{span.total_seconds() / 3600:g} hours"


FIGURES = {
    "R-ACCOUNT-2": [hours(sign_in.TOKEN_LIFE)],
    "R-DIFF-1": [f"{ADDED.width:g} px", f"{REMOVED.width:g} px", f"{REMOVED.opacity:.0%}".replace("%", " %")],
    "R-ER-2": [f"{faces.DOUBLE_BORDER_INSET:g} px"],
    "R-FAIR-2": [f"/{rate_limits.IPV4_NETWORK}", f"/{rate_limits.IPV6_NETWORK}"],
    "R-FAIR-4": [
        f"{DEFAULTS['head_timeout_seconds']:g} s",
        f"{DEFAULTS['keep_alive_seconds']:g} s",
        f"{DEFAULTS['connections_per_network']} connections",
    ],
    "R-FAIR-5": [f"{DEFAULTS['streams_per_owner']} at most"],
    "R-FLOW-4": ["{:g},{:g}".format(*workflow.MESSAGE_DASH)],
    "R-FRAME-1": [f"{frames.PADDING:g} px"],
    "R-HTTP-4": [f"{strict_json.MAX_DEPTH} levels"],
    "R-IN-7": [f"{names.SOURCE_BYTES / 2**20:g} MiB"],
    "R-KEY-2": [f"{accounts.PREFIX}` and {2 * accounts.RANDOM_BYTES} hex"],
    "R-LABEL-3": [f"{THEMES['clean'].fonts.edge.size:g} px", f"{SMALL} px"],
    "R-LABEL-9": [f"{measure.LINE_STEP:g} px apart", f"for {measure.MANY_PARALLELS} and more"],
    "R-LIFE-3": [hours(lifecycle.RECOVERY)],
    "R-LIFE-4": {60.0: ["every minute"]}[background.EVERY_SECONDS],
    "R-LIFE-5": {10: ["ten scenes a minute"]}[lifecycle.DELETIONS.most],
    "R-LIMIT-1": [
        f"{DEFAULTS['max_body_bytes'] / 2**20:g} MiB",
        f"{LIMITS.elements:,} elements",
        f"{LIMITS.operations:,} operations",
        f"{LIMITS.label_length:,} and titles of {LIMITS.title_length} characters",
        f"{LIMITS.text_length:,} characters in all labels",
        f"{LIMITS.nesting} levels",
        f"{LIMITS.image_bytes / 1024:g} KiB and {LIMITS.image_pixels / 1e6:g} megapixels",
        f"{DEFAULTS['max_png_megapixels']} megapixels a PNG",
        f"{DEFAULTS['max_header_bytes'] / 1024:g} KiB of headers",
    ],
    "R-LIMIT-2": [f"({DEFAULTS['render_timeout_seconds']:g} s)"],
    "R-LIMIT-4": [f"({DEFAULTS['public_max_elements']:,})"],
    "R-OIDC-1": [{10: "ten minutes"}[round(oidc.FLOW_LIFE.total_seconds() / 60)]],
    "R-OUT-10": [f"{text_art.MOST_COLUMNS} columns"],
    "R-PAGE-1": [f"{page.MARGIN:g} px"],
    "R-PAGE-2": [f"{page.TIGHT_ASPECT:g} times", f"{page.TIGHT_SLACK * 100:g} %", f"{page.TIGHT_CAP:g} times"],
    "R-PAGE-3": {0.1: ["a tenth"]}[canvas.OFFSET_SHARE],
    "R-PLACE-9": [f"({subgraph.NODE_SPACING:g} px)", f"({subgraph.RANK_SPACING:g} px)"],
    "R-POOL-2": [f"{frames.HEADER:g} px"],
    "R-QUOTA-1": [
        f"({DEFAULTS['max_keys']})",
        f"{accounts.UNVERIFIED_KEYS} before",
        f"({DEFAULTS['max_scenes']:,})",
        f"({DEFAULTS['max_stored_bytes'] / 2**30:g} GiB)",
    ],
    "R-RATE-1": [f"({DEFAULTS['rate_limit_burst']})", f"({DEFAULTS['rate_limit_rpm']})"],
    "R-REPLY-2": [f"{layers.COMPRESSED_FROM_BYTES / 1024:g} KB"],
    "R-REV-5": [f"at most {difference.MOST}"],
    "R-REV-9": [hours(idempotency.TIMES.kept)],
    "R-ROUTE-3": [f"{terrain.CLEARANCE:g} px"],
    "R-ROUTE-4": [
        f"{terrain.CORNER_GROWTH:g} px",
        f"{costs.BEND:g} px for a bend",
        f"{pathfinder.MAX_EXPANSIONS:,} expansions",
    ],
    "R-ROUTE-5": [f"{routers.LONG_WAY:g} times", f"{routers.CURVE_OFFSET:g} of the distance"],
    "R-SEQ-4": ["at least {:g} px, and at least {:g} px high".format(*diagram.LEAST_HEAD)],
    "R-SEQ-5": [f"{columns.GUTTER:g} px past"],
    "R-SESSION-1": [f"{sign_in.SESSION_LIFE.days} days"],
    "R-SESSION-2": [f"{sign_in.LINK_LIFE.total_seconds() / 60:g} minutes"],
    "R-SUP-2": [f"1 to {names.PROBLEM_LENGTH} characters"],
    "R-SVG-4": [f"{names.MIN_SCALE:g} to {names.MAX_SCALE:g}"],
    "R-ICON-6": [
        f"under {colors.SEEN_CONTRAST:g} (on a dark ground {colors.READABLE_CONTRAST:g})",
        f"under {icon.LOST_CONTRAST:g}",
    ],
    "R-THEME-2": [f"below {colors.DARK_LUMINANCE:g} of 255"],
    "R-THEME-5": [f"contrast {colors.READABLE_CONTRAST:g}", f"lines {colors.SEEN_CONTRAST:g} and more"],
    "R-TOOL-6": [f"{rendering.LONG_SIDE} px"],
    "R-TOOL-7": [f"{answers.MAX_CHARACTERS:,} characters"],
    "R-VALID-3": [f"At most {LIMITS.diagnostics} problems"],
    "R-VIEW-4": [f"{canvas.CROP_MARGIN:g} px"],
    "R-VIEW-5": [f"({ASPECT_RATIO.low:g} to {ASPECT_RATIO.high:g})"],
}


@pytest.mark.parametrize("number", FIGURES)
def test_a_rule_tells_the_figures_of_the_code(number: str) -> None:
    assert [figure for figure in FIGURES[number] if figure not in RULES[number]] == []
