const LENGTH_MAX = 200

/** What a server or a certificate says, as one line that may stand in a sentence: no control characters, not long. */
export function toShortText(text: string): string {
  const line = text
    .replaceAll(/\s*\n\s*/g, ', ')
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= LENGTH_MAX ? line : `${characters.slice(0, LENGTH_MAX - 1).join('')}…`
}
