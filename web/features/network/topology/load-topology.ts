/** Below it the topology is a grid of ports, without X6. */
export const PHONE_DRAWING = '(max-width: 640px)'

/** X6 and the drawing: 170 kB that only a drawing on the screen loads. */
export const loadDrawing = () => import('./drawing.tsx')

/** Both chunks at once, where both are needed. */
export const loadTopology = () => {
  if (!matchMedia(PHONE_DRAWING).matches) void loadDrawing().catch(() => {})
  return import('./topology.tsx')
}
