import { IMAGE } from '#contract/file/index.ts'

/* Shared parts of the image cleaners: byte reader, faults and the check of an image's size. */

/** An image without metadata, comments, thumbnails and bytes after its end. */
export interface CleanImage extends Sides {
  readonly bytes: Uint8Array
}

/** Stored size; the orientation is not applied. */
export interface Sides {
  readonly width: number
  readonly height: number
}

export type ImageFault = 'IMAGE_DAMAGED' | 'IMAGE_TOO_WIDE' | 'IMAGE_TOO_COMPLEX'

/** Thrown by the readers of the formats; `cleanImage` returns it. */
export class ImageError extends Error {
  readonly fault: ImageFault
  constructor(fault: ImageFault) {
    super(fault)
    this.fault = fault
  }
}

export function reject(fault: ImageFault): never {
  throw new ImageError(fault)
}

export function checkSides(width: number, height: number): Sides {
  if (width === 0 || height === 0) reject('IMAGE_DAMAGED')
  if (width > IMAGE.sideMax || height > IMAGE.sideMax) reject('IMAGE_TOO_WIDE')
  return { width, height }
}

/** Reads bytes in order. A read beyond the end rejects the image as damaged. */
export class ByteReader {
  at = 0
  readonly bytes: Uint8Array
  private readonly view: DataView
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  take(length: number): Uint8Array {
    if (length > this.bytes.length - this.at) reject('IMAGE_DAMAGED')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  uint8(): number {
    return this.view.getUint8(this.skip(1))
  }
  uint16(littleEndian = false): number {
    return this.view.getUint16(this.skip(2), littleEndian)
  }
  uint32(littleEndian = false): number {
    return this.view.getUint32(this.skip(4), littleEndian)
  }
  ascii(length: number): string {
    return String.fromCharCode(...this.take(length))
  }

  private skip(length: number): number {
    return this.take(length).byteOffset - this.bytes.byteOffset
  }
}

export const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
