import { refuse } from '#contract/kernel/errors.ts'
import type { ByteRange } from '#domain/download/byte-range.ts'
import type { FileBucket } from '#http/context.ts'
import type { StreamBody } from '#http/stream-body.ts'

/* Files of published client builds in the bucket: stored, read and deleted. */

/** Name in the bucket. The sweep of orphans deletes a file that no build has. */
export const releaseObjectName = (key: string): string => `releases/${key}`

/** Streams the bytes to R2, which compares their digest: a wrong or incomplete body is not stored. */
export async function storeRelease(files: FileBucket, key: string, { stream }: StreamBody, sha256: string) {
  try {
    await files.put(releaseObjectName(key), stream, { sha256 })
  } catch (error) {
    if (/checksum|\(10037\)/i.test(String(error))) refuse('RELEASE_DIGEST')
    throw error
  }
}

export async function readRelease(files: FileBucket, key: string, range: ByteRange | null): Promise<ReadableStream> {
  const part = range && { range: { offset: range.first, length: range.last - range.first + 1 } }
  const object = await files.get(releaseObjectName(key), { ...part })
  return object?.body ?? refuse('DOWNLOAD_GONE')
}

export const deleteRelease = (files: FileBucket, key: string): Promise<void> => files.delete(releaseObjectName(key))
