"""Every number of a stage says its unit and its reason, and one page gathers them."""

from list_constants import PAGE, STAGES, constants, page


def test_every_number_of_a_stage_says_why() -> None:
    silent = [(one.module, one.name) for stage in STAGES for one in constants(stage) if not one.reason]
    assert silent == []


def test_the_page_of_constants_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run scripts/list_constants.py"
