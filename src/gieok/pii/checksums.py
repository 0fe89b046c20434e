"""What a number's own digits say for it: evidence, never a condition."""

from typing import Final

from gieok.text.patterns import compile_lazily

_RRN: Final = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
_BUSINESS: Final = (1, 3, 7, 1, 3, 7, 1, 3, 5)
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MILLISECONDS: Final = ("15", "16", "17", "18")
"""How Unix times of 2017 to 2030 begin; as birth years, those of children."""

_DIGEST: Final = compile_lazily(r"[0-9a-f]{4}\d*[a-f][0-9a-f]*")


def has_birth_date(digits: str) -> bool:
    """Tell whether a resident or foreigner number starts with a day and a century."""
    month, day = int(digits[2:4]), int(digits[4:6])
    return 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] and digits[6] in "12345678"  # noqa: PLR2004 - months


def is_resident_number(digits: str) -> bool:
    """Tell whether the last digit fits, as it did for numbers given until 2020-10."""
    if not _has_calendar_date(digits):
        return False
    total = sum(w * int(d) for w, d in zip(_RRN, digits, strict=False)) % 11
    wanted = 13 - total if digits[6] in "5678" else 11 - total
    return wanted % 10 == int(digits[12])


def is_bare_resident_number(digits: str) -> bool:
    """Tell the same of thirteen digits in a row that may as well be a time."""
    return not digits.startswith(_MILLISECONDS) and is_resident_number(digits)


def _has_calendar_date(digits: str) -> bool:
    month, day = int(digits[2:4]), int(digits[4:6])
    return 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1]  # noqa: PLR2004 - months


def is_luhn_valid(digits: str) -> bool:
    """Tell whether the digits pass Luhn's check."""
    odd = sum(map(int, digits[-1::-2]))
    even = sum(sum(divmod(2 * int(d), 10)) for d in digits[-2::-2])
    return (odd + even) % 10 == 0


def is_card_range(digits: str) -> bool:
    """Tell whether a card network gives out numbers that start and are as long so."""
    size, two = len(digits), int(digits[:2])
    if digits[0] == "4":
        return size in (13, 16, 19)
    if two in (34, 37):
        return size == 15  # noqa: PLR2004 - American Express
    if two in (30, 36, 38, 39):
        return size in (14, 16)
    if 2221 <= int(digits[:4]) <= 2720 or 51 <= two <= 55 or digits[0] == "9":  # noqa: PLR2004 - Mastercard; 9 is domestic in Korea
        return size == 16  # noqa: PLR2004 - as above
    return two in (35, 60, 62, 64, 65) and 16 <= size <= 19  # noqa: PLR2004 - JCB, Discover, UnionPay


def is_card_number(digits: str) -> bool:
    """Tell whether it is a card number by network, length and check digit."""
    return is_card_range(digits) and is_luhn_valid(digits)


def is_business_number(digits: str) -> bool:
    """Tell whether a Korean business number's last digit fits."""
    total = sum(w * int(d) for w, d in zip(_BUSINESS, digits, strict=False))
    return (10 - (total + int(digits[8]) * 5 // 10) % 10) % 10 == int(digits[9])


def is_ssn(digits: str) -> bool:
    """Tell whether a US social security number lies in the ranges given out."""
    area = digits[:3]
    if area in ("000", "666") or area[0] == "9":
        return False
    return digits[3:5] != "00" and digits[5:] != "0000"


def is_iban(written: str) -> bool:
    """Tell whether an account number passes ISO 7064, and is no digest in hex."""
    if _DIGEST.fullmatch(written):
        return False
    plain = "".join(written.split()).upper()
    moved = plain[4:] + plain[:4]
    return plain.isascii() and int("".join(str(int(c, 36)) for c in moved)) % 97 == 1
