const GROUP = 4
const LENGTH = 12

/** Keeps letters and digits; maps full-width forms, drops spaces and dashes of any kind. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .slice(0, LENGTH)
}

/** XXXX-XXXX-XXXX, as it is printed on the box. */
export function formatActivationCode(text: string): string {
  return normalize(text).replace(/.{4}(?=.)/g, '$&-')
}

export function isWholeActivationCode(text: string): boolean {
  return normalize(text).length === LENGTH
}

/** Caret position in the formatted text that corresponds to a caret after `before` in the raw one. */
export function caretAfter(before: string): number {
  const count = normalize(before).length
  return count + Math.max(0, Math.ceil(count / GROUP) - 1)
}
