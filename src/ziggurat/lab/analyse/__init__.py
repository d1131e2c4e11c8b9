"""Analysis for other programs: questions about games and positions in JSON lines, answers in any order.

See docs/analyse.md; ``ziggurat analyse`` is this on standard input and output.
"""

from ziggurat.lab.analyse.engine import AnalysisEngine
from ziggurat.lab.analyse.questions import AnalysisRequest, BadRequest, read_request

__all__ = ["AnalysisEngine", "AnalysisRequest", "BadRequest", "read_request"]
