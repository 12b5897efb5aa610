import { PADDING_PX } from '../layout/grid.ts'

/** One axis of the drawing in its window, in pixels of the screen. */
export interface Extent {
  readonly offset: number
  readonly size: number
  readonly window: number
}

/** Distance that a wheel turn scrolls the drawing; 0 at its end, so that the page scrolls instead. */
export function scrollStep({ offset, size, window }: Extent, delta: number): number {
  const hidden = delta > 0 ? offset + size + PADDING_PX - window : PADDING_PX - offset
  const step = Math.min(Math.abs(delta), Math.max(0, hidden))
  return delta > 0 ? -step : step
}

/** The least move that brings a part of the drawing into the window; its start where it is larger. */
export function revealStep({ offset, size, window }: Extent): number {
  if (offset < PADDING_PX || size > window - 2 * PADDING_PX) return PADDING_PX - offset
  return Math.min(0, window - PADDING_PX - (offset + size))
}
