import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { StepCurve } from '../../../web/ui/step-curve.tsx'
import { nextPoint, stepPath } from '../../../web/ui/step-path.ts'

const BOX = { top: 4, width: 100, height: 40 }
const points = [4, 4, 0, 2, 1_200].map((value, n) => ({ at: n, value }))
const open = () => render(<StepCurve label="在线成员" points={points} timeText={(at) => `第${at}刻`} />)
const curve = () => screen.getByRole('slider')

describe('stepPath', () => {
  it('keeps a value until the next point, and zero at the lower edge', () => {
    expect(stepPath([4, 4, 0, 2], BOX)).toBe('M0 0H66.67V40H100V20H100')
  })

  it('draws one value as a level line', () => {
    expect(stepPath([2], BOX)).toBe('M0 20H100')
    expect(stepPath([0, 0, 0], BOX)).toBe('M0 40H100')
  })
})

it.each([
  ['ArrowLeft', 2, 1],
  ['ArrowRight', 2, 3],
  ['ArrowRight', 4, 4],
  ['ArrowLeft', 0, 0],
  ['Home', 3, 0],
  ['End', 1, 4],
  ['PageDown', 4, 0],
  ['Tab', 2, null],
])('%s moves from %i to %j', (key, from, to) => {
  expect(nextPoint(key, from, 4)).toBe(to)
})

describe('a curve', () => {
  it('says its name, its span and its last value', () => {
    open()
    expect(curve().getAttribute('aria-label')).toBe('在线成员，最高 1,200，最低 0')
    expect(curve().getAttribute('aria-valuetext')).toBe('第4刻，1,200')
    expect(screen.queryByText('最高 1,200 · 最低 0')).not.toBeNull()
  })

  it('reads each value by keyboard, and returns to the last one', () => {
    open()
    fireEvent.keyDown(curve(), { key: 'ArrowLeft' })
    expect(curve().getAttribute('aria-valuetext')).toBe('第3刻，2')
    fireEvent.keyDown(curve(), { key: 'Home' })
    expect(curve().getAttribute('aria-valuetext')).toBe('第0刻，4')
    fireEvent.blur(curve())
    expect(curve().getAttribute('aria-valuetext')).toBe('第4刻，1,200')
  })

  it('reads the value under the pointer', () => {
    open()
    curve().getBoundingClientRect = () => ({ left: 100, width: 400 }) as DOMRect
    fireEvent(curve(), new MouseEvent('pointermove', { clientX: 290, bubbles: true })) // jsdom has no PointerEvent
    expect(curve().getAttribute('aria-valuetext')).toBe('第2刻，0')
    fireEvent.pointerLeave(curve())
    expect(curve().getAttribute('aria-valuetext')).toBe('第4刻，1,200')
  })

  it('draws nothing without points', () => {
    const { container } = render(<StepCurve label="在线成员" points={[]} timeText={String} />)
    expect(container.innerHTML).toBe('')
  })
})
