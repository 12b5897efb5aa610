import { writeFileSync } from 'node:fs'
import known from '#contract/country/countries.json' with { type: 'json' }
import dialCodes from '#contract/country/dial-codes.json' with { type: 'json' }

/**
 * `node infra/countries.ts`: writes names, number formats and order of worker/contract/country/countries.json anew. Names
 * are from ICU, unless mainland usage differs. Its dial codes are from libphonenumber (ITU E.164), and dial-codes.json has
 * the fewest and most digits of a mobile number behind each, from national numbering plans.
 */
const LENGTHS = new Map(Object.entries(dialCodes))
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

const inChinese = new Intl.DisplayNames('zh-CN', { type: 'region' })
const inEnglish = new Intl.DisplayNames('en', { type: 'region' })
const byPinyin = new Intl.Collator('zh-CN-u-co-pinyin')

const countries = known
  .map(({ code, dialCode }) => ({
    code,
    name: ENGLISH[code] ?? inEnglish.of(code) ?? code,
    dialCode,
    phoneFormat: `+${dialCode} ${FORMATS[code] ?? '.'.repeat(longestOf(dialCode))}`,
    CNName: CHINESE[code] ?? inChinese.of(code) ?? code,
  }))
  .toSorted((a, b) => rank(a.code) - rank(b.code) || byPinyin.compare(a.CNName, b.CNName))

function longestOf(dialCode: string): number {
  const longest = LENGTHS.get(dialCode)?.[1]
  if (longest === undefined) throw new Error(`no length for +${dialCode}`)
  return longest
}

function rank(code: string): number {
  const at = FIRST.indexOf(code)
  return at === -1 ? FIRST.length : at
}

writeFileSync(
  new URL('../worker/contract/country/countries.json', import.meta.url),
  `[\n${countries.map((country) => `  ${JSON.stringify(country)}`).join(',\n')}\n]\n`,
)
