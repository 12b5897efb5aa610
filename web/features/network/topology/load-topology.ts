import { createChunk } from '#lib/bundle/chunk.ts'

/* Lazy loading of the topology and of X6. */

/** A narrower window gets a grid of ports, without X6. */
export const PHONE_DRAWING = '(max-width: 640px)'

/** X6 and the drawing: 170 kB, loaded only if the drawing is shown. */
export const drawingChunk = createChunk(() => import('./canvas/drawing.tsx'))

/** Loads both chunks at once if both are needed. */
export const topologyChunk = createChunk(() => {
  if (!matchMedia(PHONE_DRAWING).matches) drawingChunk.load().catch(() => {})
  return import('./topology.tsx')
})
