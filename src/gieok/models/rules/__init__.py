"""Extraction without a model: morphology, frames, small judges and encoders.

A conversation takes this way (`extractor`):

1. `message_context` takes its messages, `changes.corrections` what was put right,
   `clauses` and `candidates` split it into clauses with their marks (`flags`, `kinds`,
   `discourse_frame`, `quotes`), `answers` joins a question with its short answer.
2. `measuring` and `evidence` measure each clause. Judges and encoders say what it does
   (`intent`, `session_features`, `statement_encoder`, `clause_item_encoder`), what it
   is worth (`worth`), of which kind it is (`category`) and which known item it is about
   (`reference`): `assessment`.
3. `findings` decides: what `changes` or ends of what is known, what `wishes` mean, and
   what is new (`grouping`, `added_findings`), worded in `english` or `korean`.
4. `memory_check` reads what is new once more with what it came from.

`summaries` says what a conversation was about, `verification` holds what a language
model found to the same. Words and patterns are data (`*.toml`), and so is what was
learned (`*.npz`, see `training/`).
"""

from gieok.models.rules.extractor import RulesModel

__all__ = ["RulesModel"]
