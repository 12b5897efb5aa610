/* Serial numbers of a certificate revocation list (RFC 5280 §5.1), from its PEM text. */

const TAG = { integer: 0x02, sequence: 0x30, utcTime: 0x17, generalizedTime: 0x18 } as const

interface Element {
  readonly tag: number
  readonly content: Buffer
}

/** Serial numbers in lower-case hex without leading zeros; throws for a text that is no list. */
export function revokedSerials(pem: string): ReadonlySet<string> {
  const base64 = pem.replace(/-----[A-Z0-9 ]+-----/g, '')
  const [list] = readElements(Buffer.from(base64, 'base64'))
  const [body] = readElements(list?.content ?? Buffer.alloc(0))
  if (body?.tag !== TAG.sequence) throw new Error('not a revocation list')
  const fields = readElements(body.content)
  const date = fields.findLastIndex(({ tag }) => tag === TAG.utcTime || tag === TAG.generalizedTime)
  const next = fields[date + 1] // revoked certificates follow the dates, and are absent if there are none
  if (date < 0 || next?.tag !== TAG.sequence) return new Set()
  return new Set(
    readElements(next.content).flatMap(({ content }) => {
      const [serial] = readElements(content)
      return serial?.tag === TAG.integer ? [normalSerial(serial.content.toString('hex'))] : []
    }),
  )
}

/** Form of a serial number in which two tools print it alike. */
export const normalSerial = (hex: string): string =>
  hex
    .toLowerCase()
    .replaceAll(':', '')
    .replace(/^0+(?=.)/, '')

function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at + 2 <= bytes.length;) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0
    const size = first < 0x80 ? 0 : first & 0x7f
    if (size > 4 || at + 2 + size > bytes.length) throw new Error('not a revocation list')
    const length = size === 0 ? first : bytes.readUIntBE(at + 2, size)
    const start = at + 2 + size
    if (start + length > bytes.length) throw new Error('not a revocation list')
    elements.push({ tag, content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return elements
}
