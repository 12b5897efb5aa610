import { crc32 } from 'node:zlib'
import { METHOD, type ZipMember, centralHeader, endRecord, localHeader } from '#domain/workbook/zip-record.ts'

/** A ZIP of these files without compression. */
export function createStoredZip(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Uint8Array {
  const chunks: Uint8Array[] = []
  const members: ZipMember[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const member = { name, method: METHOD.stored, crc32: crc32(bytes), packedSize: bytes.length, size: bytes.length }
    members.push({ ...member, offset, hasDescriptor: false })
    const header = localHeader({ ...member, offset, hasDescriptor: false })
    chunks.push(header, bytes)
    offset += header.length + bytes.length
  }
  const directory = members.map(centralHeader)
  const directorySize = directory.reduce((sum, record) => sum + record.length, 0)
  return Buffer.concat([...chunks, ...directory, endRecord(members.length, directorySize, offset)])
}
