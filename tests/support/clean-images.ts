import { parentPort, workerData } from 'node:worker_threads'
import { cleanImage } from '#domain/file/image/clean-image.ts'

export interface ImageToClean {
  readonly what: string
  readonly type: 'png' | 'gif' | 'jpg'
  readonly bytes: Uint8Array
}

export interface CleanedImage {
  readonly what: string
  /** That its buffers took beside the upload itself. */
  readonly bufferBytes: number
}

/** Run as a thread: cleans each image as an upload is cleaned. */
const images = workerData as readonly ImageToClean[]
const cleaned = images.map(({ what, type, bytes }): CleanedImage => {
  const before = process.memoryUsage().arrayBuffers
  cleanImage(type, bytes)
  return { what, bufferBytes: process.memoryUsage().arrayBuffers - before }
})
parentPort?.postMessage(cleaned)
