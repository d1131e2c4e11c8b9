"""Somebody who plays 7 Wonders: Architects by clicking."""

from __future__ import annotations

import re
from collections.abc import Iterable

from playwright.sync_api import Locator, expect
from tests.browser.person import Person

GREEN = ("gear", "tablet", "compass")
HORNS = ("red2", "red1")
MATERIAL = ("coin", "wood", "stone", "brick", "papyrus", "glass")
WONDERS = ("alexandria", "babylon", "ephesus", "giza", "halicarnassus", "olympia", "rhodes")
TOKENS = ("architecture", "science", "urbanism", "jewellery", "crafts", "propaganda")
"""Those that bring further cards."""
MOVES = ("choose_wonder", "build", "claim", "take_token", "keep", "extra", "look", "take_any", "draw", "accept")
AGENDA = ("act_forced", "act_optional", "act_extra", "act_voluntary")
PAYMENT, SET, TOKEN = "build.payment", "claim.cards", "claim.token"
"""What is asked of a move that has been begun."""
EFFECTS = ("alexandria", "babylon", "ephesus", "halicarnassus", "olympia")
"""The wonders whose effect asks for something."""


class Architects(Person):
    """Likes science and war, and cards that are to spare."""

    game = "architects"
    likes: tuple[str, ...] = (*HORNS, *GREEN, *MATERIAL)
    """The cards that are taken first."""

    # --- What lies on the table ---

    def deck(self, side: str) -> Locator:
        """The deck on one's left or right, or the central one."""
        name = "deck.central.title" if side == "central" else f"side.{side}.title"
        return self.page.get_by_role("button", name=re.compile(rf"(^|\. ){re.escape(self.say(name))}\. "))

    @property
    def decks(self) -> Locator:
        """The three within reach."""
        return self.deck("left").or_(self.deck("central")).or_(self.deck("right"))

    def stage(self, stage: int) -> Locator:
        """A stage of one's own wonder."""
        return self.page.get_by_role(
            "button", name=re.compile(f"^{re.escape(self.say('label.stage', stage=stage))}\\. ")
        )

    @property
    def offer(self) -> Locator:
        """The progress tokens on offer, and the stack."""
        return self.region("label.offer").get_by_role("button")

    @property
    def gallery(self) -> Locator:
        """The wonders to choose from."""
        return self.region("label.wonders_open").get_by_role("button")

    def wonder(self, wonder: str) -> Locator:
        return self.gallery.filter(has_text=self.say(f"wonder.{wonder}.title"))

    @property
    def battles(self) -> Locator:
        """The lines of the log that tell of a battle."""
        told = re.escape(self.say("log.battle").partition("{")[0])
        return self.region("ui.table.log").get_by_role("button", name=re.compile(told))

    def picture(self) -> list[str]:
        return [self.page.get_by_role("main").aria_snapshot()]

    # --- The bar ---

    def asked(self) -> str:
        """What the bar asks; nothing, if only a confirmation is missing."""
        text = self.bar.inner_text()
        asks = ("choose_wonder", "draw", "keep", PAYMENT, TOKEN, SET, *AGENDA)
        effects = (f"effect.{wonder}" for wonder in EFFECTS)
        return next((ask for ask in (*asks, *effects) if self.say(f"ask.{ask}", count=5) in text), "")

    @property
    def picks(self) -> list[Locator]:
        """What can be chosen in the bar; not what ends the choice or the turn, or takes it back."""
        keys = ("ui.table.take_back", "ui.undo.free", "ui.undo.ask", "confirm.end", "confirm.accept", "confirm.decline")
        ends = {self.say(key) for key in keys}
        buttons = self.bar.get_by_role("button")
        return [buttons.nth(at) for at, text in enumerate(buttons.all_inner_texts()) if text.strip() not in ends]

    def caption(self, pick: Locator) -> str:
        """What a choice says beside its pictures."""
        return pick.inner_text().strip().rpartition("\n")[2].strip()

    def token(self, tokens: Iterable[str] = TOKENS) -> Locator:
        """Of the tokens that can be chosen in the bar, one of these if possible."""
        names = [self.caption(pick) for pick in self.picks]
        wanted = [names.index(name) for token in tokens if (name := self.say(f"token.{token}")) in names]
        return self.picks[wanted[0] if wanted else 0]

    @property
    def deed(self) -> str:
        """The move that the bar would confirm."""
        texts = {text.strip() for text in self.bar.get_by_role("button").all_inner_texts()}
        return next((move for move in MOVES if self.say(f"confirm.{move}") in texts), "")

    @property
    def answers(self) -> list[Locator]:
        return [self.gallery, self.decks]

    # --- Moves ---

    def pick(self, what: Locator) -> bool:
        """Choose something; return if that was a whole move, which the page shows by now."""
        before = self.bar.get_attribute("data-seq") or ""
        self.press(what)
        if self.button("ui.table.take_back", self.bar).count() > 0:
            return False
        expect(self.bar).not_to_have_attribute("data-seq", before)
        self.sees_all_pieces()
        return True

    def take(self, deck: Locator) -> None:
        """Take a card, which is a whole move."""
        before = self.bar.get_attribute("data-seq") or ""
        self.press(deck)
        expect(self.bar).not_to_have_attribute("data-seq", before)
        self.sees_all_pieces()

    def best_deck(self) -> Locator:
        """Of the decks that a card can be taken from now, the one with the card that is liked most."""
        decks = self.possible(self.decks)
        assert decks, f"no card to take: {self.bar.inner_text()}"
        shows = [deck.get_attribute("aria-label") or "" for deck in decks]
        for card in self.likes:
            top = self.say("label.top_card", card=card)
            for deck, label in zip(decks, shows, strict=True):
                if label.endswith(top):
                    return deck
        return decks[-1]

    def end_turn(self) -> None:
        self.confirm("confirm.end")

    def play(self) -> str:
        """Decide once, as a whole; return what was done."""
        done = ""
        for _ in range(6):
            asked = self.asked()
            if asked in AGENDA:
                done = "extra" if asked == "act_optional" else done
                moved = self.pick(self.picks[0])
            elif asked in (PAYMENT, SET, "keep"):
                done = asked
                moved = self.pick(self.picks[0])
            elif asked == TOKEN:
                moved = self.pick(self.token())
            elif asked == "choose_wonder" and not self.deed:
                moved = self.pick(self.possible(self.gallery)[0])
            elif asked == "effect.babylon" and not self.deed:
                moved = self.pick(self.possible(self.offer)[0])
            elif asked == "draw" or (asked.startswith("effect") and not self.deed):
                done = done or asked
                self.take(self.best_deck())
                moved = True
            else:
                deed = self.deed
                assert deed, f"nothing to do: {self.bar.inner_text()}"
                done = done or deed
                self.confirm(f"confirm.{deed}")
                moved = True
            if moved:
                return done
        raise AssertionError(f"no end of choosing: {self.bar.inner_text()}")
