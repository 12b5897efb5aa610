/** Without letters and digits that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'
const LENGTH = 12

/** Letters and digits, at least one of each: also allowed in a member file. */
export function generatePassword(): string {
  for (;;) {
    const text = Array.from({ length: LENGTH }, () => pick(LETTERS + DIGITS)).join('')
    if (/[a-zA-Z]/.test(text) && /\d/.test(text)) return text
  }
}

/** Every character with the same probability: what would make the first ones likelier is drawn again. */
function pick(characters: string): string {
  const fair = 256 - (256 % characters.length)
  for (;;) {
    const [byte = fair] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < fair) return characters[byte % characters.length] ?? ''
  }
}
