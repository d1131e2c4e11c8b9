"""Tables that several tests look at."""

from __future__ import annotations

import pytest
from tests.browser.house import House
from tests.games.architects.browser import every_page


@pytest.fixture(scope="session")
def tables_of_architects(house: House) -> every_page.Tables:
    """Tables in the middle of games, which nobody may play on: others look at them too."""
    return every_page.lay(house)
