import { createChunk } from '#lib/bundle/chunk.ts'

/** A narrower window gets a grid of ports, without X6. */
export const PHONE_DRAWING = '(max-width: 640px)'

/** X6 and the drawing: 170 kB that only a drawing on the screen loads. */
export const drawingChunk = createChunk(() => import('./canvas/drawing.tsx'))

/** Both chunks at once, where both are needed. */
export const topologyChunk = createChunk(() => {
  if (!matchMedia(PHONE_DRAWING).matches) drawingChunk.load().catch(() => {})
  return import('./topology.tsx')
})
