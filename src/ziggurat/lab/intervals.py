"""95 % confidence intervals: Wilson's of a share, and Student's of a mean."""

from __future__ import annotations

import math

Z = 1.959964


def wilson(share: float, count: float) -> tuple[float, float]:
    """Return Wilson's interval of a share of independent games, of which there need not be a whole number.

    It is sensible for few games, and for shares of 0 and 1, too.
    """
    z2 = 1.96**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = math.sqrt(z2 * (share * (1 - share) / count + z2 / (4 * count * count))) / (1 + z2 / count)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's distribution: Cornish and Fisher's expansion, right to 0.01 from 4 on."""
    z, n = Z, float(freedom)
    if freedom < 4:
        return (12.706, 4.303, 3.182)[freedom - 1]
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
