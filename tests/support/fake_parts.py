"""Parts that no test waits for."""

from gieok import Parts
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

PARTS = Parts(model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer())
