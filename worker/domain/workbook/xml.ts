/* Text of XML parts: escaping, a check of what may be parsed, and start tags by name. */

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Characters that XML 1.0 cannot hold at all are left out. */
export function escapeXml(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are the ones to leave out
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return allowed.replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? '')
}

/**
 * False for a document type (entities, external files) and for a declared encoding other than that of the bytes. Office
 * writes neither. Comments (`<!-`) and CDATA (`<![`) are no declarations.
 */
export function isPlainXml(text: string, encoding: 'utf-8' | 'utf-16'): boolean {
  if (text.includes('\0') || /<![a-z]/i.test(text)) return false
  const declared = /^[^>]{0,256}?encoding\s*=\s*["']([\w-]+)["']/.exec(text)?.[1] ?? encoding
  return ENCODINGS[encoding].includes(declared.toLowerCase())
}

/** Declared names whose bytes are read as the key says. */
const ENCODINGS = { 'utf-8': ['utf-8', 'utf8', 'us-ascii', 'ascii'], 'utf-16': ['utf-16', 'utf-16le', 'utf-16be'] }

/** References to characters beyond U+FFFF, as some programs write them and SheetJS does not read them, as characters. */
export const withLargeCharacters = (xml: string): string =>
  xml.replace(/&#(?:[1-9]\d{4,6}|x0*[1-9a-f][0-9a-f]{4,5});/gi, unescapeXml)

/** Attributes by their name as written, with a prefix if there is one. */
export type Attributes = ReadonlyMap<string, string>

/** A name is tried from its first letter only: from each letter, a long one would take quadratic time. */
const ATTRIBUTE = /(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Attributes of every element of a name, with any prefix, in order. */
export function findElements(xml: string, name: string): Attributes[] {
  const start = new RegExp(`<(?:[\\w.-]+:)?${name}(?=[\\s/>])([^<>]*)>`, 'g')
  return [...withoutComments(xml).matchAll(start)].map(
    ([, attributes = '']) =>
      new Map([...attributes.matchAll(ATTRIBUTE)].map(([, key = '', a, b]) => [key, unescapeXml(a ?? b ?? '')])),
  )
}

/** A loop, because a pattern takes quadratic time over comments that do not end. */
function withoutComments(xml: string): string {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const start = xml.indexOf('<!--', at)
    const end = start === -1 ? -1 : xml.indexOf('-->', start + 4)
    if (start === -1) return kept.join('') + xml.slice(at)
    kept.push(xml.slice(at, start))
    if (end === -1) return kept.join('')
    at = end + 3
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescapeXml = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    const point =
      decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex as string, 16) : null
    if (point === null) return NAMED[name as string] ?? whole
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
