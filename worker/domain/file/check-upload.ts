import { type Violation, violation } from '#contract/kernel/result.ts'
import { FILE_PURPOSES, FILE_TYPES, type FilePurpose, type FileType } from '#contract/file/index.ts'
import { detectFileType } from './file-type.ts'

export interface Upload {
  readonly bytes: Uint8Array
  /** File name from the upload, untrusted. */
  readonly name: string
  readonly purpose: FilePurpose
}

/** Stored type of an upload, or its refusal: checks size, magic bytes and a matching extension. */
export function checkUpload({ bytes, name, purpose }: Upload): { readonly type: FileType } | Violation {
  const { types, maxBytes, noun } = FILE_PURPOSES[purpose]
  if (bytes.length === 0) return violation('FILE_EMPTY', { noun })
  if (bytes.length > maxBytes) return violation('FILE_TOO_LARGE', { noun, limit: maxBytes / 2 ** 20 })
  const type = detectFileType(bytes)
  const isTaken = type !== null && (types as readonly FileType[]).includes(type)
  const extension = /\.([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase() ?? ''
  const extensions: readonly string[] = isTaken ? FILE_TYPES[type].extensions : []
  if (!isTaken || !extensions.includes(extension)) return violation('FILE_TYPE', { noun })
  return isPlainName(name) ? { type } : violation('FILE_NAME', { noun })
}

/** Neither folders nor what cannot be seen or turns the text around: no browser sends such a name. */
const isPlainName = (name: string): boolean => !/[/\\]|\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u.test(name)
