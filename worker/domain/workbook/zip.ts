/* Records of a ZIP archive that is written (PKWARE APPNOTE 6.3.9). */

/** A file to write. Its name is ASCII; sizes are bytes, below 4 GiB. */
export interface ZipMember {
  readonly name: string
  readonly method: 0 | 8
  readonly crc32: number
  readonly packedSize: number
  readonly size: number
  /** Offset of the local header from the start of the file. */
  readonly offset: number
  /** CRC and sizes follow the data, because they were not known before it (flag bit 3). */
  readonly hasDescriptor: boolean
}

export const SIGNATURE = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
} as const
export const METHOD = { stored: 0, deflated: 8 } as const
export const FLAG_DESCRIPTOR = 0x0008

const VERSION = 20 // 2.0: deflate
const EPOCH_DATE = 0x21 // 1980-01-01: no creation time is revealed

type Field = readonly [bytes: 2 | 4, value: number]

function toRecord(fields: readonly Field[], name = ''): Uint8Array {
  const length = fields.reduce((sum, [bytes]) => sum + bytes, 0)
  const record = new Uint8Array(length + name.length)
  const view = new DataView(record.buffer)
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  for (let i = 0; i < name.length; i++) record[length + i] = name.charCodeAt(i)
  return record
}

const sharedFields = ({ method, hasDescriptor }: ZipMember): Field[] => [
  [2, VERSION],
  [2, hasDescriptor ? FLAG_DESCRIPTOR : 0],
  [2, method],
  [2, 0],
  [2, EPOCH_DATE],
]
const sizeFields = ({ crc32, packedSize, size }: Pick<ZipMember, 'crc32' | 'packedSize' | 'size'>): Field[] => [
  [4, crc32],
  [4, packedSize],
  [4, size],
]

export function localHeader(member: ZipMember): Uint8Array {
  const sizes = member.hasDescriptor ? { crc32: 0, packedSize: 0, size: 0 } : member
  const fields: Field[] = [[4, SIGNATURE.local], ...sharedFields(member), ...sizeFields(sizes)]
  return toRecord([...fields, [2, member.name.length], [2, 0]], member.name)
}

export const dataDescriptor = (member: ZipMember): Uint8Array =>
  toRecord([[4, SIGNATURE.descriptor], ...sizeFields(member)])

export function centralHeader(member: ZipMember): Uint8Array {
  const fields: Field[] = [[4, SIGNATURE.central], [2, VERSION], ...sharedFields(member), ...sizeFields(member)]
  const lengths: Field[] = [
    [2, member.name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, member.offset],
  ]
  return toRecord([...fields, ...lengths], member.name)
}

export const endRecord = (count: number, directorySize: number, directoryOffset: number): Uint8Array =>
  toRecord([
    [4, SIGNATURE.end],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directorySize],
    [4, directoryOffset],
    [2, 0],
  ])
