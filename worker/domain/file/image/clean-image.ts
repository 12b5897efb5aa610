import type { FileType } from '#contract/file/index.ts'
import { cleanGif } from './gif.ts'
import { type CleanImage, ImageError, type ImageFault } from './image-bytes.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanPng } from './png.ts'

/* Removes metadata from an uploaded image without decoding it; the file type selects the cleaner. */

const CLEANERS: Partial<Readonly<Record<FileType, (bytes: Uint8Array) => CleanImage>>> = {
  png: cleanPng,
  jpg: cleanJpeg,
  gif: cleanGif,
}

/** Null for a type that is no image. Pixels stay unchanged. */
export function cleanImage(type: FileType, bytes: Uint8Array): CleanImage | ImageFault | null {
  try {
    return CLEANERS[type]?.(bytes) ?? null
  } catch (error) {
    if (error instanceof ImageError) return error.fault
    throw error
  }
}
