import type { OutgoingMail } from '#contract/kernel/outside.ts'
import { toLine } from '#domain/mail/compose.ts'
import { toBase64 } from '#security/secrets.ts'

/* MIME text of a mail for SMTP (RFC 5322, 2045, 2047): ASCII, lines of at most 76 characters, bodies in base64. */

interface MimeMail extends Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'unsubscribe'> {
  readonly from: { readonly name: string | null; readonly address: string }
  readonly to: string
  readonly at: number
  /** '<…@…>' */
  readonly messageId: string
  readonly boundary: string
}

const CRLF = '\r\n'
/** Value of List-Unsubscribe-Post, and body of that POST (features/contacts/mail-links.ts). */
const ONE_CLICK = 'List-Unsubscribe=One-Click'
const LINE = 76
const WORD_BYTES = 36 // with the name of the header in front, a line has at most 76 characters
const encoder = new TextEncoder()

export function toMime({ from, to, subject, text, html, at, messageId, boundary, unsubscribe }: MimeMail): string {
  const headers = [
    ['From', from.name === null ? from.address : `${encodeHeader(from.name)} <${from.address}>`],
    ['To', to],
    ['Subject', encodeHeader(subject)],
    ['Date', new Date(at).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', messageId],
    ['Auto-Submitted', 'auto-generated'], // RFC 3834: no out-of-office replies
    ...Object.entries(unsubscribe === undefined ? {} : unsubscribeHeaders(unsubscribe)),
    ['MIME-Version', '1.0'],
    ['Content-Type', `multipart/alternative; boundary="${boundary}"`],
  ].map(([name, value = '']) => header(name ?? '', value))
  const part = (type: string, body: string) =>
    [
      `--${boundary}`,
      `Content-Type: ${type}; charset=utf-8`,
      'Content-Transfer-Encoding: base64',
      '',
      toBase64Lines(body),
    ].join(CRLF)
  return [...headers, '', part('text/plain', text), part('text/html', html), `--${boundary}--`, ''].join(CRLF)
}

/** Headers of RFC 2369, and with https of RFC 8058: the mailbox then shows a button. Local runs have no https. */
export const unsubscribeHeaders = (url: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https://') && { 'List-Unsubscribe-Post': ONE_CLICK }),
})

/** Header line. It fails for a line break in the value, which would begin another header. */
function header(name: string, value: string): string {
  if (/[\r\n\0]/.test(value.replaceAll(`${CRLF} `, ''))) throw new Error(`the mail header ${name} has a line break`)
  return `${name}: ${value}`
}

/** Encodes a header by RFC 2047 (B), folded. Each word has whole characters of UTF-8. */
function encodeHeader(text: string): string {
  const line = toLine(text)
  const words: string[] = []
  let word = ''
  for (const character of line) {
    if (encoder.encode(word + character).length > WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((part) => `=?UTF-8?B?${toBase64(encoder.encode(part))}?=`).join(`${CRLF} `)
}

const toBase64Lines = (text: string): string =>
  toBase64(encoder.encode(text.replace(/\r?\n/g, CRLF)))
    .match(new RegExp(`.{1,${LINE}}`, 'g'))
    ?.join(CRLF) ?? ''
