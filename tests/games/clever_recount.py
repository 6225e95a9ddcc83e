"""Clever counted again by hand, from the booklet and the printed sheet; nothing comes from the engine."""

# The yellow area, its rows written one after the other; X is crossed in print.
YELLOW = (*"365X", *"21X5", *"1X24", *"X346")
YELLOW_STARS = {0: 10, 1: 14, 2: 16, 3: 20}
BLUE_STARS = {0: 0, 1: 1, 2: 2, 3: 4, 4: 7, 5: 11, 6: 16, 7: 22, 8: 29, 9: 37, 10: 46, 11: 56}
GREEN_STARS = [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66]
ALL_DICE = {"white", "yellow", "blue", "green", "orange", "purple"}


def yellow_line_full(sheet, places):
    return all(YELLOW[place] == "X" or place in sheet.yellow for place in places)


def yellow_row_full(sheet, row):
    return yellow_line_full(sheet, [4 * row, 4 * row + 1, 4 * row + 2, 4 * row + 3])


def blue_full(sheet, *numbers):
    return all(number in sheet.blue for number in numbers)


def areas(sheet):
    return [
        sum(
            stars
            for column, stars in YELLOW_STARS.items()
            if yellow_line_full(sheet, [column, column + 4, column + 8, column + 12])
        ),
        BLUE_STARS[len(sheet.blue)],
        GREEN_STARS[sheet.green],
        sum(sheet.orange),
        sum(sheet.purple),
    ]


def foxes(sheet):
    return (
        yellow_row_full(sheet, 3)
        + blue_full(sheet, 9, 10, 11, 12)
        + (sheet.green >= 7)
        + (len(sheet.orange) >= 8)
        + (len(sheet.purple) >= 7)
    )


def rerolls(sheet, rounds_begun):
    return (
        (rounds_begun >= 1)
        + (rounds_begun >= 3)
        + blue_full(sheet, 5, 9)
        + (sheet.green >= 10)
        + (len(sheet.orange) >= 3)
        + (len(sheet.purple) >= 3)
        + (len(sheet.purple) >= 8)
    )


def extra_dice(sheet, rounds_begun):
    return (
        (rounds_begun >= 2)
        + yellow_line_full(sheet, [0, 5, 10, 15])
        + blue_full(sheet, 4, 8, 12)
        + (sheet.green >= 4)
        + (len(sheet.orange) >= 6)
        + (len(sheet.purple) >= 5)
        + (len(sheet.purple) >= 11)
    )


def marks_won(sheet, rounds_begun):
    """How many crosses and numbers the bonuses of this sheet and its rounds gave in all."""
    return (
        (rounds_begun >= 4)
        + yellow_row_full(sheet, 0)
        + yellow_row_full(sheet, 1)
        + yellow_row_full(sheet, 2)
        + blue_full(sheet, 2, 3, 4)
        + blue_full(sheet, 5, 6, 7, 8)
        + blue_full(sheet, 2, 6, 10)
        + blue_full(sheet, 3, 7, 11)
        + (sheet.green >= 6)
        + (sheet.green >= 9)
        + (len(sheet.orange) >= 5)
        + (len(sheet.orange) >= 10)
        + (len(sheet.purple) >= 4)
        + (len(sheet.purple) >= 6)
        + (len(sheet.purple) >= 9)
        + (len(sheet.purple) >= 10)
    )


def marks(sheet):
    return len(sheet.yellow) + len(sheet.blue) + sheet.green + len(sheet.orange) + len(sheet.purple)


def recount(state, seat):
    sheet = state.players[seat].sheet
    points = areas(sheet)
    return sum(points) + foxes(sheet) * min(points)


def conserved(state):
    """After every event: all dice are somewhere, and actions and foxes are those the marks have earned."""
    heaps = [*state.pool, *state.placed, *state.tray]
    assert len(set(heaps)) == len(heaps)
    if len(state.players) > 1 and state.stage != "round":
        assert set(heaps) == ALL_DICE
    assert len(state.placed) <= 3
    if state.stage in ("closing", "passive", "last") and len(state.players) > 1:
        assert len(state.tray) >= 3
    for player in state.players:
        sheet = player.sheet
        assert sheet.foxes == foxes(sheet)
        assert 0 <= sheet.rerolls_used <= sheet.rerolls == rerolls(sheet, state.round) <= 7
        assert 0 <= sheet.extras_used <= sheet.extras == extra_dice(sheet, state.round) <= 7
        assert sheet.yellow <= {place for place, number in enumerate(YELLOW) if number != "X"}
        assert sheet.blue <= set(range(2, 13))
        assert len(sheet.orange) <= 11
        for place, number in enumerate(sheet.orange):
            factor = {3: 2, 6: 2, 8: 2, 10: 3}.get(place, 1)
            assert number in [factor * face for face in range(1, 7)]
        assert len(sheet.purple) <= 11
        for before, after in zip(sheet.purple, sheet.purple[1:], strict=False):
            assert after > before or before == 6
