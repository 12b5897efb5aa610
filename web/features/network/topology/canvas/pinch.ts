import type { Point } from '../layout/model.ts'

interface Pinch {
  readonly middle: Point
  readonly widthPx: number
}

export interface PinchMove {
  /** Of the scale, since the last move. */
  readonly factor: number
  /** Between the fingers, in the window's coordinates. */
  readonly at: Point
  /** Movement of that point since the last move. */
  readonly by: Point
}

/**
 * Two fingers zoom and pan at once. X6 supports one finger and would follow the first: its move events are stopped until
 * all fingers are lifted.
 */
export function listenPinch(element: HTMLElement, onMove: (move: PinchMove) => void): void {
  let before: Pinch | null = null
  let isPinching = false
  const count = ({ touches }: TouchEvent) => {
    before = toPinch(touches)
    isPinching = before !== null || (isPinching && touches.length > 0)
  }
  const move = (event: TouchEvent) => {
    if (!isPinching) return
    event.stopPropagation()
    const now = toPinch(event.touches)
    if (now !== null && before !== null) {
      const by = { x: now.middle.x - before.middle.x, y: now.middle.y - before.middle.y }
      onMove({ factor: now.widthPx / before.widthPx, at: now.middle, by })
    }
    before = now
  }
  element.addEventListener('touchstart', count, { capture: true, passive: true })
  element.addEventListener('touchmove', move, { capture: true, passive: true })
  for (const end of ['touchend', 'touchcancel'] as const) element.addEventListener(end, count, { passive: true })
}

function toPinch(touches: TouchList): Pinch | null {
  const [one, two] = [touches[0], touches[1]]
  if (one === undefined || two === undefined) return null
  return {
    middle: { x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2 },
    widthPx: Math.max(1, Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY)),
  }
}
