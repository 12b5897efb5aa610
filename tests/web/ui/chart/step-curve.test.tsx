import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { StepCurve } from '#ui/chart/step-curve.tsx'
import { nextPoint, stepPath } from '#ui/chart/step-path.ts'

const BOX = { from: 0, to: 100, top: 4, width: 100, height: 40 }
const toPoints = (...steps: readonly (readonly [number, number])[]) => steps.map(([at, value]) => ({ at, value }))
const points = toPoints([0, 4], [10, 4], [50, 0], [51, 2], [100, 1_200])
const open = (from = 0) =>
  render(<StepCurve label="在线成员" points={points} from={from} timeText={(at) => `第${at}刻`} />)
/** jsdom has no PointerEvent. */
const point = (clientX: number) => fireEvent(curve(), new MouseEvent('pointermove', { clientX, bubbles: true }))
const curve = () => screen.getByRole('slider')

describe('stepPath', () => {
  it('keeps a value until the next point, at its place in time, and zero at the lower edge', () => {
    expect(stepPath(toPoints([0, 4], [10, 4], [50, 0], [51, 2], [100, 2]), BOX)).toBe('M0 0H50V40H51V20H100')
  })

  it('draws one value as a level line', () => {
    expect(stepPath(toPoints([0, 2], [100, 2]), BOX)).toBe('M0 20H100')
    expect(stepPath(toPoints([0, 0], [30, 0], [100, 0]), BOX)).toBe('M0 40H100')
  })

  it('begins where the first value does', () => {
    expect(stepPath(toPoints([75, 4], [100, 4]), BOX)).toBe('M75 0H100')
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
    expect(curve().getAttribute('aria-valuetext')).toBe('第100刻，1,200')
    expect(screen.queryByText('最高 1,200 · 最低 0')).not.toBeNull()
  })

  it('reads each value by keyboard, and returns to the last one', () => {
    open()
    fireEvent.keyDown(curve(), { key: 'ArrowLeft' })
    expect(curve().getAttribute('aria-valuetext')).toBe('第51刻，2')
    fireEvent.keyDown(curve(), { key: 'Home' })
    expect(curve().getAttribute('aria-valuetext')).toBe('第0刻，4')
    fireEvent.blur(curve())
    expect(curve().getAttribute('aria-valuetext')).toBe('第100刻，1,200')
  })

  it('reads the value under the pointer', () => {
    open()
    curve().getBoundingClientRect = () => ({ left: 100, width: 400 }) as DOMRect
    point(300)
    expect(curve().getAttribute('aria-valuetext')).toBe('第50刻，0')
    point(298)
    expect(curve().getAttribute('aria-valuetext')).toBe('第49.5刻，4')
    fireEvent.pointerLeave(curve())
    expect(curve().getAttribute('aria-valuetext')).toBe('第100刻，1,200')
  })

  it('has no values before its first point', () => {
    open(-100)
    curve().getBoundingClientRect = () => ({ left: 100, width: 400 }) as DOMRect
    point(150)
    expect(curve().getAttribute('aria-valuetext')).toBe('第0刻，4')
    expect(document.querySelector('.nl-curve-fill')?.getAttribute('d')).toMatch(/^M500 .*H500Z$/)
  })

  it('draws nothing without points', () => {
    const { container } = render(<StepCurve label="在线成员" points={[]} from={0} timeText={String} />)
    expect(container.innerHTML).toBe('')
  })
})
