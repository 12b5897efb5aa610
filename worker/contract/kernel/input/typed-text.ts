/* Texts as people type, paste and import them, brought to the one form that is checked and stored. */

const INVISIBLE = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}\u{1D159}]`
/** Emoji of one picture with variation and skin tone, of several that U+200D joins, of a key, of a region's flag. */
const PICTURE = String.raw`\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?`
const EMOJI = String.raw`\u{1F3F4}\u{E0067}\u{E0062}[\u{E0061}-\u{E007A}]{3}\u{E007F}|${PICTURE}(?:\u200D${PICTURE})*|[0-9#*]\uFE0F\u20E3`
const EMOJI_OR_INVISIBLE = new RegExp(`(${EMOJI})|${INVISIBLE}`, 'gu')
const ONLY_INVISIBLE = new RegExp(`${INVISIBLE}|\u2800`, 'gu')

/** Removes characters that nobody sees: format, fillers, unused selectors. Those inside an emoji stay. */
export const visibleText = (typed: string): string => typed.replace(EMOJI_OR_INVISIBLE, '$1')

/** Text of a name, title or note. Blanks of every kind and width become one space. */
export const plainText = (typed: string): string =>
  visibleText(typed)
    .replace(/[\s\p{Cc}\u2800]+/gu, ' ')
    .trim()

const CLEAN_CODE = /^[\x21-\x7e]*$/

/**
 * Text of a field that is no free text: code, number, address, sign-in name. Full-width letters and digits become plain
 * ones (NFKC); format and invisible characters and blanks around it are removed.
 */
export const codeText = (typed: string): string =>
  CLEAN_CODE.test(typed)
    ? typed
    : typed.replace(ONLY_INVISIBLE, '').normalize('NFKC').replace(ONLY_INVISIBLE, '').trim()

/** Code text with dots, of which Chinese keyboards type 。: address, domain, e-mail. */
export const dottedText = (typed: string): string => codeText(typed).replaceAll('。', '.')

/** Blanks and dashes, also the minus sign and the long vowel mark, which keyboards offer as dashes. */
const SEPARATORS = /[\s\p{Pd}\u2212\u30FC]/gu
/** Code that is shown in groups, without the blanks and dashes between them. */
export const groupedCode = (typed: string): string => codeText(typed).replace(SEPARATORS, '')

/** Value that another program has shown and whose letters may not change, such as a DN. */
export const copiedText = (typed: string): string => visibleText(typed).trim()

/** One spelling of a sign-in name. */
export const normalizeLogin = (typed: string): string => codeText(typed).toLowerCase()

/** Whole number of digits that are exact in JavaScript, with at most a minus before them; any other text stays. */
export function wholeNumber(typed: string): number | string {
  const text = codeText(typed)
  return /^-?\d{1,15}$/.test(text) ? Number(text) : typed
}

/** One-time code of digits. Of a whole message it takes the only group of `length` digits. */
export function otpText(typed: string, length: number): string {
  const text = groupedCode(typed)
  if (/^\d*$/.test(text)) return text
  const [found, ...others] =
    codeText(typed)
      .match(/\d+/g)
      ?.filter((digits) => digits.length === length) ?? []
  return found !== undefined && others.length === 0 ? found : text
}
