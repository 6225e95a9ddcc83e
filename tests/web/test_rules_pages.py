"""The rules pages: every option is spoken of, the engine's own figures stand there, no booklet is copied."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion.games import GAMES
from companion.games.clever import sheet as clever
from companion.games.core import Game, Option, Value
from companion.games.dicy_cards import CARDS, written
from companion.games.geizen.board import PRINTED
from companion.games.keer_op_keer_2 import sheet as keer
from companion.games.regenwormen import WORMS
from companion.web.rules import FOLDER, bands, rules_context, rules_template

LANGUAGES = ("nl", "en")
PAGES = tuple(product(GAMES, LANGUAGES))
ROOT = Path(__file__).parents[2]
BOOKLETS = ROOT.parent / "shared" / "rulebooks"
"""The booklets as text lie beside the repository where they are at hand, never in it."""
COPIED = 8
"""So many words in a row of a booklet are a copied sentence."""
TEXTS: dict[tuple[str, str], tuple[Value, ...]] = {
    ("dicy_cards", "cards"): ("glacial", "6,7,8,9,10", "2,8,10,11,12", "1,4,5,9,12"),
    ("geizen", "board"): (str(PRINTED), "2gr:1 gyr:2 gggr:3 3gyyr:4 ggggggggr:5 start:20,19,18,17 chips:99"),
}
"""Settings to try of the options that take any text."""
INLINE = {"strong", "em", "small"}
VOID = {"br"}


class Page(HTMLParser):
    """A rendered page taken apart: its elements, its passages of text, and what it says of each option."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.passages: list[str] = [""]
        self.options: dict[str, str] = {}
        self._open: list[str] = []
        self._option = ""
        self.feed(html)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self._open.append(tag)
        if tag not in INLINE:
            self.passages.append("")
            self._option = attributes.get("data-option") or ""

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open.pop() == tag, f"</{tag}> closes something else"
        if tag not in INLINE:
            self.passages.append("")
            self._option = ""

    def handle_data(self, data: str) -> None:
        self.passages[-1] += data
        if self._option:
            self.options[self._option] = self.options.get(self._option, "") + data

    @property
    def words(self) -> list[str]:
        return words(" ".join(self.passages))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@cache
def environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(key: str, language: str, seats: int | None = None, **chosen: Value) -> Page:
    game = GAMES[key]
    name = rules_template(key, language)
    assert name == f"rules/{key}.{language}.html"
    context = rules_context(game, chosen, game.seats[-1] if seats is None else seats)
    return Page(environment().get_template(name).render(context))


def told_options(game: Game) -> list[Option]:
    return [option for option in game.options if option.name != "start_player"]


def positions(game: Game, option: Option) -> tuple[Value, ...]:
    return option.values or TEXTS[game.key, option.name]


@cache
def renderings(key: str, language: str) -> tuple[Page, ...]:
    """The page with every option in every position, for every number of players."""
    game = GAMES[key]
    names = [option.name for option in told_options(game)]
    return tuple(
        render(key, language, seats, **dict(zip(names, values, strict=True)))
        for values in product(*(positions(game, option) for option in told_options(game)))
        for seats in game.seats
    )


@pytest.mark.parametrize(("key", "language"), PAGES)
def test_every_page_is_sound_html_for_every_option_and_number_of_players(key: str, language: str) -> None:
    for page in renderings(key, language):
        tags = [tag for tag, _ in page.elements]
        assert tags.count("h2") >= 5
        assert not {"html", "head", "body", "h1", "script", "style"} & set(tags)
        assert not any("style" in attributes for _, attributes in page.elements)
        assert all(a.get("scope") in ("row", "col") for tag, a in page.elements if tag == "th")
        assert page.options.keys() == {option.name for option in told_options(GAMES[key])}


@pytest.mark.parametrize(("key", "language"), PAGES)
def test_every_option_is_said_in_each_position_with_its_default(key: str, language: str) -> None:
    game, default_word = GAMES[key], {"nl": "standaard", "en": "default"}[language]
    for option in told_options(game):
        said = {
            value: render(key, language, **{option.name: value}).options[option.name]
            for value in positions(game, option)
        }
        assert len(set(said.values())) == len(said), "two settings are told in the same words"
        for value, sentence in said.items():
            assert sentence.endswith(f" ({default_word})") == (value == option.default), sentence
            assert f"({default_word}" in sentence
            default = said[option.default].removesuffix(f" ({default_word})")
            assert default in sentence, "the default is named beside another setting"


@pytest.mark.parametrize(("key", "language"), PAGES)
def test_a_page_can_be_read_within_two_minutes(key: str, language: str) -> None:
    page = render(key, language)
    prose = [
        word
        for passage in page.passages
        if len(words(passage)) > 3  # the cells of tables are looked up, not read
        for word in words(passage)
    ]
    assert 250 <= len(prose) <= 750


@pytest.mark.parametrize("key", GAMES)
def test_the_two_languages_tell_the_same(key: str) -> None:
    numbers = re.compile(r"\d+")
    for dutch, english in zip(renderings(key, "nl"), renderings(key, "en"), strict=True):
        assert [tag for tag, _ in dutch.elements] == [tag for tag, _ in english.elements]
        told, other = (sorted(numbers.findall(" ".join(page.passages))) for page in (dutch, english))
        assert told == other


@cache
def booklet_runs() -> frozenset[tuple[str, ...]]:
    runs: set[tuple[str, ...]] = set()
    for booklet in sorted(BOOKLETS.glob("*.nl.txt")):
        text = booklet.read_text(encoding="utf-8")
        for version in (text, re.sub(r"-\s*\n\s*", "", text)):
            said = words(version)
            runs.update(tuple(said[at : at + COPIED]) for at in range(len(said) - COPIED + 1))
    return frozenset(runs)


@pytest.mark.skipif(
    not BOOKLETS.is_dir(),
    reason="no booklets in ../shared/rulebooks beside this repository: nobody looks for copied sentences",
)
@pytest.mark.parametrize(("key", "language"), PAGES)
def test_no_sentence_of_a_booklet_is_copied(key: str, language: str) -> None:
    assert len(booklet_runs()) > 5000
    for page in renderings(key, language):
        for passage in page.passages:
            said = words(passage)
            for at in range(len(said) - COPIED + 1):
                assert tuple(said[at : at + COPIED]) not in booklet_runs(), passage


@pytest.mark.parametrize("language", LANGUAGES)
def test_regenwormen_lists_the_worms_of_every_tile(language: str) -> None:
    html = render("regenwormen", language).html
    for worms in set(WORMS.values()):
        tiles = [tile for tile in WORMS if WORMS[tile] == worms]
        assert f'<th scope="row">{tiles[0]}–{tiles[-1]}</th><td>{worms}</td>' in html


def test_regenwormen_tells_the_chosen_rules_in_their_place() -> None:
    plain = " ".join(render("regenwormen", "en").passages)
    other = " ".join(
        render("regenwormen", "en", lower_tile="any", short_game=True, fail_without_tile="turn").passages
    )
    assert "the highest open tile below your total" in plain
    assert "unless it is the one you just gave back" in plain
    assert "any open tile below your total" in other
    assert "even if it is the one you just gave back" in other
    assert "the highest open tile is turned all the same" in other


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", (1, 2, 3, 4))
def test_clever_tells_rounds_points_and_bonuses_of_the_sheet(language: str, seats: int) -> None:
    page = render("clever", language, seats)
    assert f" {clever.ROUNDS_FOR[seats]} " in " ".join(page.passages)
    for points in (*clever.BLUE_POINTS[1:], *clever.YELLOW_POINTS):
        assert re.search(rf"<t[dh][^>]*>{points}</t[dh]>", page.html)
    for least, points in zip(clever.GREEN, clever.GREEN_POINTS, strict=True):
        assert f"≥{least}: {points}" in page.html
    fox = {"nl": "vos", "en": "fox"}[language]
    assert page.passages.count(fox) == 5


@pytest.mark.parametrize("key", ("clever", "keer_op_keer_2"))
@pytest.mark.parametrize("language", LANGUAGES)
def test_solo_is_open_for_one_and_folded_for_more(key: str, language: str) -> None:
    for seats in GAMES[key].seats:
        (details,) = (a for tag, a in render(key, language, seats).elements if tag == "details")
        assert ("open" in details) == (seats == 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_solo_verdicts_cover_every_score(language: str) -> None:
    for key, bounds in (("clever", clever.STARS), ("keer_op_keer_2", keer.RATINGS)):
        html = render(key, language, 1).html
        for (least, _), (above, _) in zip(bounds[1:], bounds, strict=False):
            assert least == 0 or f">{least}–{above - 1}<" in html
        assert f">{bounds[0][0]} {'of meer' if language == 'nl' else 'or more'}<" in html


def test_bands_meet_each_other() -> None:
    assert bands(((20, "good"), (10, "fair")), "poor") == [
        (20, None, "good"),
        (10, 19, "fair"),
        (0, 9, "poor"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_a_name_and_only_those_in_play_are_listed(language: str) -> None:
    names = {}
    for cards in ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10), (3, 9, 10, 11, 12)):
        html = render("dicy_cards", language, cards=written(cards)).html
        listed = dict(re.findall(r'<th scope="row">(\d+)\. ([^<]+)</th>', html))
        assert tuple(map(int, listed)) == cards
        names |= listed
    assert len(set(names.values())) == len(CARDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_board_is_called_a_reconstruction_and_an_own_board_is_not(language: str) -> None:
    own = TEXTS["geizen", "board"][1]
    word = {"nl": "reconstructie", "en": "reconstruction"}[language]
    assert word in render("geizen", language).html
    assert word not in render("geizen", language, board=own).html
    for board in (str(PRINTED), own):
        page = render("geizen", language, board=board)
        red = {"nl": "rood", "en": "red"}[language]
        assert page.passages.count(red) == 1 + len(PRINTED.columns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_pot_is_told_of_on_every_board_that_may_have_one(language: str) -> None:
    words = {"nl": "Is de pot leeg", "en": "An empty pot"}[language]
    few = str(PRINTED).replace(f"chips:{PRINTED.chips}", "chips:90")
    assert words not in render("geizen", language, board=str(PRINTED)).html
    assert words in render("geizen", language, board=few).html


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", (2, 3, 4, 5))
def test_geizen_says_the_start_chips(language: str, seats: int) -> None:
    text = " ".join(render("geizen", language, seats).passages)
    each = PRINTED.start_chips(seats)
    assert f"{each} {'voor elk van de' if language == 'nl' else 'for each of the'} {seats}" in text
    assert f"{PRINTED.chips - seats * each} in " in text
    assert ("schatting" in text or "estimate" in text) == (seats in (3, 4))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "option"), TEXTS)
def test_a_text_that_cannot_be_played_does_not_break_the_page(key: str, option: str, language: str) -> None:
    page = render(key, language, **{option: "nonsense"})
    assert {"nl": "nog niet goed ingevuld", "en": "not filled in properly yet"}[language] in page.options[
        option
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_keer_op_keer_2_gives_every_column_its_points(language: str) -> None:
    html = render("keer_op_keer_2", language).html
    rows = re.findall(r'<th scope="row">([A-O](?: [A-O])*)</th><td>(\d)[^<]*</td><td>(\d)', html)
    told = {letter: (int(first), int(later)) for letters, first, later in rows for letter in letters.split()}
    points = zip(*keer.COLUMN_POINTS.values(), strict=True)
    assert told == dict(zip(keer.COLUMNS, points, strict=True))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", GAMES)
def test_a_lobby_with_too_few_or_too_many_players_has_its_page(key: str, language: str) -> None:
    for seats in (0, GAMES[key].seats[-1] + 1):
        assert render(key, language, seats).words


def test_a_language_without_pages_falls_back_to_english_and_a_game_without_to_nothing() -> None:
    assert rules_template("clever", "fr") == "rules/clever.en.html"
    assert rules_template("clever", "nl_BE") == "rules/clever.nl.html"
    assert rules_template("patience", "nl") is None
