"""Questions about positions that nobody has seen, answered by the rules: for models that see pictures or read texts.

``make`` writes a set from a seed, ``QuestionSet`` reads it, ``read_answers`` and ``score`` score what somebody says to
it, and ``baseline`` says what chance and the heuristic say. See docs/questions.md.
"""

from ziggurat.lab.questions.files import QuestionSet, QuestionsProblem, read_answers, write_answers
from ziggurat.lab.questions.folder import make
from ziggurat.lab.questions.scoring import baseline, score

__all__ = ["QuestionSet", "QuestionsProblem", "baseline", "make", "read_answers", "score", "write_answers"]
