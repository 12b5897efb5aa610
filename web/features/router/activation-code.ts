const GROUP = 4
const LENGTH = 12

/** Letters and digits of whatever was typed or pasted: full-width forms, spaces and dashes of any kind are cleaned. */
function signs(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .slice(0, LENGTH)
}

/** XXXX-XXXX-XXXX, as it is printed on the box. */
export function formatActivationCode(text: string): string {
  return signs(text).replace(/.{4}(?=.)/g, '$&-')
}

export function isWholeActivationCode(text: string): boolean {
  return signs(text).length === LENGTH
}

/** Where the caret belongs in the formatted text when it stood after `before` in the typed one. */
export function caretAfter(before: string): number {
  const count = signs(before).length
  return count + Math.max(0, Math.ceil(count / GROUP) - 1)
}
