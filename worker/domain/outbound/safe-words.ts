/* Removes secrets and personal data from a vendor's words before logs and people get them. */

const WORDS_MAX = 200

/** One line of 200 characters at most, without quoted addresses, phone numbers, keys or signatures. */
export function safeWords(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter((secret) => secret.length >= 4)
  const line = known
    .reduce((words, secret) => words.replaceAll(secret, '***'), text)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/([\w.+-])[\w.+-]*@([\w-])[\w.-]*/g, '$1***@$2***')
    .replace(/((?:access_token|key|sign|signature|secret|token|password)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi, '$1***')
    .replace(/\+?\d[\d-]{6,}\d/g, (digits) => `${digits.slice(0, 3)}***`)
    .replace(/\b\d{1,3}(\.\d{1,3}){3}\b/g, '***')
    .replace(/[A-Za-z0-9+/_-]{24,}={0,2}/g, '***')
    .trim()
  return line.length <= WORDS_MAX ? line : `${line.slice(0, WORDS_MAX - 1)}…`
}
