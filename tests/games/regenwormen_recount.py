"""Regenwormen counted again by hand, from the booklet: worms on tiles, and where all tiles are."""

WORMS_ON_TILE = dict(zip(range(21, 37), [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4, strict=True))


def recount(state, seat):
    return sum(WORMS_ON_TILE[tile] for tile in state.stacks[seat])


def conserved(state):
    """All sixteen tiles are somewhere, each once."""
    everywhere = [*state.row, *state.turned, *(tile for stack in state.stacks for tile in stack)]
    assert sorted(everywhere) == list(range(21, 37))
