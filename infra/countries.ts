import { writeFileSync } from 'node:fs'

/**
 * Writes worker/contract/kernel/countries.json and dial-codes.json: `node infra/countries.ts`. Dial codes are from
 * libphonenumber (ITU E.164), lengths of mobile numbers from national numbering plans, and names from ICU, unless mainland
 * usage differs.
 */
const DIAL_CODES = `
AC 247 AD 376 AE 971 AF 93 AG 1 AI 1 AL 355 AM 374 AO 244 AR 54 AS 1 AT 43 AU 61 AW 297 AX 358 AZ 994
BA 387 BB 1 BD 880 BE 32 BF 226 BG 359 BH 973 BI 257 BJ 229 BL 590 BM 1 BN 673 BO 591 BQ 599 BR 55 BS 1 BT 975
BW 267 BY 375 BZ 501 CA 1 CC 61 CD 243 CF 236 CG 242 CH 41 CI 225 CK 682 CL 56 CM 237 CN 86 CO 57 CR 506 CU 53
CV 238 CW 599 CX 61 CY 357 CZ 420 DE 49 DJ 253 DK 45 DM 1 DO 1 DZ 213 EC 593 EE 372 EG 20 EH 212 ER 291 ES 34
ET 251 FI 358 FJ 679 FK 500 FM 691 FO 298 FR 33 GA 241 GB 44 GD 1 GE 995 GF 594 GG 44 GH 233 GI 350 GL 299
GM 220 GN 224 GP 590 GQ 240 GR 30 GT 502 GU 1 GW 245 GY 592 HK 852 HN 504 HR 385 HT 509 HU 36 ID 62 IE 353
IL 972 IM 44 IN 91 IO 246 IQ 964 IR 98 IS 354 IT 39 JE 44 JM 1 JO 962 JP 81 KE 254 KG 996 KH 855 KI 686 KM 269
KN 1 KP 850 KR 82 KW 965 KY 1 KZ 7 LA 856 LB 961 LC 1 LI 423 LK 94 LR 231 LS 266 LT 370 LU 352 LV 371 LY 218
MA 212 MC 377 MD 373 ME 382 MF 590 MG 261 MH 692 MK 389 ML 223 MM 95 MN 976 MO 853 MP 1 MQ 596 MR 222 MS 1
MT 356 MU 230 MV 960 MW 265 MX 52 MY 60 MZ 258 NA 264 NC 687 NE 227 NF 672 NG 234 NI 505 NL 31 NO 47 NP 977
NR 674 NU 683 NZ 64 OM 968 PA 507 PE 51 PF 689 PG 675 PH 63 PK 92 PL 48 PM 508 PR 1 PS 970 PT 351 PW 680 PY 595
QA 974 RE 262 RO 40 RS 381 RU 7 RW 250 SA 966 SB 677 SC 248 SD 249 SE 46 SG 65 SH 290 SI 386 SJ 47 SK 421 SL 232
SM 378 SN 221 SO 252 SR 597 SS 211 ST 239 SV 503 SX 1 SY 963 SZ 268 TA 290 TC 1 TD 235 TG 228 TH 66 TJ 992
TK 690 TL 670 TM 993 TN 216 TO 676 TR 90 TT 1 TV 688 TW 886 TZ 255 UA 380 UG 256 US 1 UY 598 UZ 998 VA 39 VC 1
VE 58 VG 1 VI 1 VN 84 VU 678 WF 681 WS 685 XK 383 YE 967 YT 262 ZA 27 ZM 260 ZW 263`

/** Digits of a mobile number behind its dial code: 'code length' or 'code shortest-longest'. */
const LENGTHS = `
1 10 7 10 20 10 27 9 30 10 31 9 32 9 33 9 34 9 36 9 39 9-10 40 9 41 9 43 10-11 44 10 45 8 46 9 47 8 48 9 49 10-11
51 9 52 10 53 8 54 10-11 55 10-11 56 9 57 10 58 10 60 9-10 61 9 62 9-11 63 10 64 8-10 65 8 66 9 81 10 82 9-10 84 9
86 11 90 10 91 10 92 10 93 9 94 9 95 7-10 98 10 211 9 212 9 213 9 216 8 218 9 220 7 221 9 222 8 223 8 224 9 225 10
226 8 227 8 228 8 229 8-10 230 7-8 231 7-9 232 8 233 9 234 10 235 8 236 8 237 9 238 7 239 7 240 9 241 7-8 242 9
243 9 244 9 245 7-9 246 7 247 4-6 248 7 249 9 250 9 251 9 252 7-9 253 8 254 9 255 9 256 9 257 8 258 9 260 9 261 9
262 9 263 9 264 8-9 265 7-9 266 8 267 8 268 8 269 7 290 4-5 291 7 297 7 298 6 299 6 350 8 351 9 352 6-9 353 9
354 7-9 355 9 356 8 357 8 358 6-10 359 8-9 370 8 371 8 372 7-8 373 8 374 8 375 9 376 6-9 377 8-9 378 6-10 380 9
381 8-10 382 8-9 383 8 385 8-9 386 8 387 8-9 389 8 420 9 421 9 423 7-9 500 5 501 7 502 8 503 8 504 8 505 8 506 8
507 7-8 508 6-9 509 8 590 9 591 8 592 7 593 9 594 9 595 9 596 9 597 6-7 598 8 599 7-8 670 7-8 672 5-6 673 7 674 7
675 7-8 676 5-7 677 5-7 678 5-7 679 7 680 7 681 6 682 5 683 4-7 685 5-7 686 5-8 687 6 688 5-7 689 6-8 690 4-7 691 7
692 7 850 8-10 852 8 853 8 855 8-9 856 8-10 880 10 886 9 960 7 961 7-8 962 9 963 9 964 10 965 8 966 9 967 9 968 8
970 9 971 9 972 9 973 8 974 8 975 8 976 8 977 10 992 9 993 8 994 9 995 9 996 9 998 9`

const FIRST = ['CN', 'HK', 'MO', 'TW']
const CHINESE: Readonly<Record<string, string>> = {
  HK: '中国香港',
  MO: '中国澳门',
  TW: '中国台湾',
  FK: '马尔维纳斯群岛（福克兰）',
}
const ENGLISH: Readonly<Record<string, string>> = { HK: 'Hong Kong, China', MO: 'Macao, China', TW: 'Taiwan, China' }
/** Phone number formats, a dot for a digit; other countries show the digits of their longest number as one group. */
const FORMATS: Readonly<Record<string, string>> = {
  CN: '... .... ....',
  HK: '.... ....',
  MO: '.... ....',
  TW: '... ... ...',
  US: '(...) ...-....',
  CA: '(...) ...-....',
  JP: '..-....-....',
  KR: '..-....-....',
  SG: '.... ....',
}

const lengths = new Map(
  [...LENGTHS.matchAll(/(\d+) (\d+)(?:-(\d+))?/g)].map(([, dialCode = '', shortest, longest = shortest]) => [
    dialCode,
    [Number(shortest), Number(longest)] as const,
  ]),
)

const inChinese = new Intl.DisplayNames('zh-CN', { type: 'region' })
const inEnglish = new Intl.DisplayNames('en', { type: 'region' })
const byPinyin = new Intl.Collator('zh-CN-u-co-pinyin')

const countries = [...DIAL_CODES.matchAll(/([A-Z]{2}) (\d+)/g)]
  .map(([, code = '', dialCode = '']) => ({
    code,
    name: ENGLISH[code] ?? inEnglish.of(code) ?? code,
    dialCode,
    phoneFormat: `+${dialCode} ${FORMATS[code] ?? '.'.repeat(lengthsOf(dialCode)[1])}`,
    CNName: CHINESE[code] ?? inChinese.of(code) ?? code,
  }))
  .toSorted((a, b) => rank(a.code) - rank(b.code) || byPinyin.compare(a.CNName, b.CNName))

function lengthsOf(dialCode: string): readonly [shortest: number, longest: number] {
  const found = lengths.get(dialCode)
  if (!found) throw new Error(`no length for +${dialCode}`)
  return found
}

function rank(code: string): number {
  const at = FIRST.indexOf(code)
  return at === -1 ? FIRST.length : at
}

const write = (name: string, text: string) =>
  writeFileSync(new URL(`../worker/contract/kernel/${name}`, import.meta.url), text)
write('countries.json', `[\n${countries.map((country) => `  ${JSON.stringify(country)}`).join(',\n')}\n]\n`)
const dialCodes = [...new Set(countries.map(({ dialCode }) => dialCode))].toSorted((a, b) => Number(a) - Number(b))
write(
  'dial-codes.json',
  `{\n${dialCodes.map((code) => `  "${code}": [${lengthsOf(code).join(', ')}]`).join(',\n')}\n}\n`,
)
