"""Words that announce what a number is, or that it is something harmless."""

from typing import Final

from gieok.text.vocabulary import build_vocabulary

RESIDENT: Final = build_vocabulary(
    "주민_번호, 주민_등록, 주민_번, 주민증, 민증, 주번, 신분증, 앞_자리, 뒷_자리,"
    "뒤_자리, 생년월일, 외국인_등록, 외국인_번호, 거소_신고",
    "resident registration, resident no*, resident num*, resident id, rrn, national id,"
    "id card, id no*, id num*, alien registration,"
    "foreigner, arc, frn",
)
PHONE: Final = build_vocabulary(
    "전화, 휴대폰, 핸드폰, 핸폰, 휴대_번호, 폰_번호, ^폰, 연락, 팩스, 문자, 통화,"
    "콜백, 번호는요",
    "phone*, telephone*, mobile*, cell, cellphone*, call, contact*, text, fax, reach,"
    "dial, ring, whatsapp, tel, ph, landline, my number*, her number*, his number*,"
    "our number*, their number*, new number*",
)
PHONE_NUMBER: Final = build_vocabulary(
    "전화번호, 전화는, 전화 번호, 휴대폰, 핸드폰, 핸폰, 휴대_번호, 폰_번호, ^폰은,"
    "연락처, 팩스",
    "phone, phone number, phone no, ph, mobile, mobile number, cell, cell number,"
    "contact number, telephone, fax, tel, call me at, call me on, text me at, reach me,"
    "reach me at, reach me on, call him at, call her at, call them at, dial, calling,"
    "answering at, messages to",
)
CARD: Final = build_vocabulary(
    "카드, 신용, 결제_수단, 비자, 마스터, 아멕스",
    "card, cards, cc, visa, master_card, amex, credit, debit, american express, pan",
)
BANK: Final = build_vocabulary(
    "계좌, 입금, 송금, 이체, 통장, 예금주, 은행, 뱅크, 저축, 증권, 국민, 신한,"
    "우리, 하나, 농협, 기업, 카뱅, 토뱅, 케뱅, 토스, 카카오, 새마을, 신협, 우체국,"
    "수협, 제일, 씨티, 산업, 부산, 경남, 광주, 전북, 제주, 곗돈, 회비",
    "kb, nh, ibk, keb, sc, kdb, dgb, bnk, account, accounts, acct, bank*, routing,"
    "checking, savings, wire*, aba, deposit*, transfer*, sort code",
)
ACCOUNT: Final = build_vocabulary(
    "계좌, 통장, 입금, 송금, 이체, 은행, 뱅크, 카뱅, 토뱅, 케뱅, 농협, 신협, 수협,"
    "새마을, 우체국",
    "account, acct, routing, checking, savings, aba, sort code, wire, bank",
)
ACCOUNT_NUMBER: Final = build_vocabulary(
    "계좌_번호", "account, account number, account no, acct, routing, sort code"
)
PASSPORT: Final = build_vocabulary("여권", "passport*")
LICENCE: Final = build_vocabulary(
    "면허", "license, licence, licenses, licences, dl, driver id, driver's id"
)
SOCIAL: Final = build_vocabulary(
    "사회_보장",
    "social_security, social_sec, ssn, ssns, my social, his social,"
    "her social, your social, our social, their social, 's social, social is,"
    "social no*, social num*, social:*, itin, tax_payer id",
)
IBAN: Final = build_vocabulary(
    "계좌, 송금, 이체", "iban, ibans, bic, swift, account, transfer*, wire*"
)
BUSINESS: Final = build_vocabulary(
    "사업자", "business registration, business no*, business num*, brn"
)
ADDRESS: Final = build_vocabulary(
    "주소, 거주지, 배송지, 사는_곳, 사는_데, 우리_집, 집은, 본가, 자택, 살아, 살고,"
    "산다, 삽니다, 사는데",
    "address*, live at, lives at, living at, my place, my home, my house, ship*,"
    "deliver*, i'm at, we're at, i live, we live, home is, house is, send it to,"
    "mail it to, moved to, pick me up",
)

_THINGS: Final = (
    "order, booking, reservation, confirmation, invoice, ticket, case, item, part,"
    "model, product, serial, flight, batch, policy, member, membership, customer,"
    "reference, document, request, claim, receipt, transaction, approval, meter,"
    "version, page"
)
_NAMED: Final = ",".join(
    f"{thing.strip()} {number}"
    for thing in _THINGS.split(",")
    for number in ("no*", "num*", "id", "code*", "ref*", "is", "#*")
)
HARMLESS: Final = build_vocabulary(
    "주문, 운송장, 송장, 택배, 등기, 예약, 접수, 모델, 시리얼, 일련, 제조, 상품,"
    "품번, 품목, 제품, 사건, 문서, 승인, 티켓, 항공권, 버전, 바코드, 쿠폰, 회원_번호,"
    "고객_번호, 학번, 사번, 관리_번호, 견적, 코드, 기종, 부품, 규격, 기간, 일시,"
    "결제일, 조회, 문의_번호, 공고, 판본, 좌표, 위도, 경도, 법인, 가격, 금액,"
    "타임스탬프, 발권, 편명, 수험, 인증서, 로트, 순번, 번째, 영수증, 거래_번호",
    _NAMED,
    "ref, reference, track*, serial, sku, upc, ean, isbn, bar_code, timestamp*,"
    "epoch, coupon*, voucher*, e-_ticket*, lot, parcel*, build, coordinates,"
    "latitude, longitude, uuid, issn, doi, commit, order:*, booking:*, invoice:*,"
    "model:*, model",
)
"""What makes a number harmless, unless a word of its own kind stands nearer."""
