"""Makes the table of parts of speech that English talk is worded by.

    .venv/bin/python -m pip install lemminflect
    .venv/bin/python training/build_english_words.py en-lexicon.txt

The lexicon is that of Brill's tagger (MIT licence, with words of the Twitter tagger's
data, CC-BY), as the package textblob carries it: a word and its commonest tag a line.
What else a word can be comes from lemminflect (MIT licence). One line a word: letters
of its parts of speech, the commonest first.
"""

import argparse
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import lemminflect

OUT = Path(__file__).parents[1] / "src/gieok/models/rules/english/words.txt.gz"
FORMS = {"VB": "v", "VBP": "v", "VBZ": "s", "VBD": "d", "VBN": "p", "VBG": "g"}
TAGS = FORMS | {
    **dict.fromkeys(("JJ", "JJR", "JJS"), "a"),
    **dict.fromkeys(("RB", "RBR", "RBS"), "r"),
    **dict.fromkeys(("NN", "NNS", "CD", "FW"), "n"),
}
OTHER = "x"
WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")


def read_lexicon(path: Path) -> dict[str, str]:
    """Return the letter of each word's commonest tag; names are left out."""
    found: dict[str, str] = {}
    for line in path.read_text("utf-8").splitlines():
        word, _, tags = line.partition(" ")
        tag = tags.split(" ")[0].split("|")[0]
        if tag and not tag.startswith("NNP") and WORD.fullmatch(word):
            letter = TAGS.get(tag, OTHER)
            if "-" not in word or letter == "a":
                found[word] = letter
    return found


def find_others(word: str) -> set[str]:
    """Return the letters of everything a word can be."""
    found: set[str] = set()
    for part, lemmas in lemminflect.getAllLemmas(word).items():
        found |= {"ADJ": {"a"}, "ADV": {"r"}, "NOUN": {"n"}}.get(part, set())
        if part in ("VERB", "AUX"):
            found |= {
                letter
                for lemma in lemmas
                for letter, form in inflect(lemma)
                if form == word
            }
    return found


def inflect(verb: str) -> Iterator[tuple[str, str]]:
    """Yield the letter and the form of each form of a verb."""
    for tag, forms in lemminflect.getAllInflections(verb, "VERB").items():
        yield from ((FORMS[tag], form) for form in forms if tag in FORMS)


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lexicon", type=Path)
    lexicon = read_lexicon(parser.parse_args().lexicon)
    table = {
        word: first + "".join(c for c in "vsdpgarn" if c in find_others(word) - {first})
        for word, first in lexicon.items()
    }
    for verb in [word for word, parts in table.items() if "v" in parts]:
        for letter, form in inflect(verb):
            if WORD.fullmatch(form) and letter not in table.get(form, ""):
                table[form] = table.get(form, "") + letter
    text = "".join(f"{word} {parts}\n" for word, parts in sorted(table.items()))
    OUT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(len(table), "words,", OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
