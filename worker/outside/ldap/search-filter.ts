import { type BerWriter, Filter, type SearchFilterValues } from 'ldapts'
import type { Operator, UserFilter } from '#domain/ldap/user-filter.ts'

/* Search filters of LDAP, encoded as BER (RFC 4511 §4.5.1.7). */

/** Context tags of a filter. */
const TAGS = { and: 0xa0, or: 0xa1, not: 0xa2, substring: 0xa4, present: 0x87, extensible: 0xa9 } as const
const COMPARISON: Readonly<Record<Operator, number>> = { '=': 0xa3, '>=': 0xa5, '<=': 0xa6, '~=': 0xa8 }
const OCTET_STRING = 0x04

/** Filter for ldapts. The parser of ldapts itself reads the bytes of an escaped UTF-8 character as several characters. */
export class EncodedFilter extends Filter {
  override type = TAGS.and as SearchFilterValues // unused: write() is overridden
  private readonly filter: UserFilter

  constructor(filter: UserFilter) {
    super()
    this.filter = filter
  }

  override write(writer: BerWriter): void {
    writeFilter(writer, this.filter)
  }

  override toString(): string {
    return 'filter'
  }
}

function writeFilter(writer: BerWriter, filter: UserFilter): void {
  if (filter.kind === 'present') return writer.writeString(filter.attribute, TAGS.present)
  writer.startSequence(filter.kind === 'compare' ? COMPARISON[filter.operator] : TAGS[filter.kind])
  if ('parts' in filter) for (const part of filter.parts) writeFilter(writer, part)
  else if (filter.kind === 'not') writeFilter(writer, filter.part)
  else if (filter.kind === 'extensible') writeExtensible(writer, filter)
  else {
    writer.writeString(filter.attribute)
    if (filter.kind === 'compare') writer.writeBuffer(unescapeValue(filter.value), OCTET_STRING)
    else writePieces(writer, filter)
  }
  writer.endSequence()
}

function writePieces(writer: BerWriter, { initial, any, final }: Extract<UserFilter, { kind: 'substring' }>): void {
  writer.startSequence()
  if (initial !== '') writer.writeBuffer(unescapeValue(initial), 0x80)
  for (const piece of any) writer.writeBuffer(unescapeValue(piece), 0x81)
  if (final !== '') writer.writeBuffer(unescapeValue(final), 0x82)
  writer.endSequence()
}

function writeExtensible(writer: BerWriter, filter: Extract<UserFilter, { kind: 'extensible' }>): void {
  if (filter.rule !== '') writer.writeString(filter.rule, 0x81)
  if (filter.attribute !== '') writer.writeString(filter.attribute, 0x82)
  writer.writeBuffer(unescapeValue(filter.value), 0x83)
  if (filter.isDn) writer.writeBoolean(true, 0x84)
}

/** Bytes of a text with escapes `\xx` (RFC 4515 §3). */
function unescapeValue(value: string): Buffer {
  const parts = value.split(/\\([0-9A-Fa-f]{2})/)
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 0 ? 'utf8' : 'hex')))
}
