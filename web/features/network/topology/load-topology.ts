/** X6 and the drawing: 170 kB that only pages with a graph on them load. */
export const loadTopology = () => import('./topology.tsx')
