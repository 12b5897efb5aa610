import IconTick from '@douyinfe/semi-icons/lib/es/icons/IconTick'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { listenPinch, type PinchMove } from '#pages/network/topology/canvas/pan-zoom.ts'
import { Overlay } from '#ui/dialog/overlay.tsx'
import { hideIconsFromScreenReaders } from '#ui/layout/buttons/decorative-icons.tsx'

const touches = (...points: readonly (readonly [number, number])[]) => ({
  touches: points.map(([clientX, clientY]) => ({ clientX, clientY })),
})

it('zooms and moves by two fingers, and lets no move through until all are lifted', () => {
  const { container } = render(<b>图</b>)
  const received: string[] = []
  const moves: PinchMove[] = []
  const paper = screen.getByText('图')
  listenPinch(paper, (move) => moves.push(move))
  container.addEventListener('touchmove', () => received.push('pan'))

  fireEvent.touchStart(paper, touches([0, 0]))
  fireEvent.touchMove(paper, touches([5, 0]))
  expect([received, moves]).toEqual([['pan'], []])

  fireEvent.touchStart(paper, touches([0, 0], [10, 0]))
  fireEvent.touchMove(paper, touches([0, 4], [20, 4]))
  expect(moves).toEqual([{ factor: 2, at: { x: 10, y: 4 }, by: { x: 5, y: 4 } }])
  fireEvent.touchEnd(paper, touches([0, 4]))
  fireEvent.touchMove(paper, touches([50, 50]))
  expect([received.length, moves.length]).toEqual([1, 1])

  fireEvent.touchEnd(paper, touches())
  fireEvent.touchStart(paper, touches([0, 0]))
  fireEvent.touchMove(paper, touches([5, 0]))
  expect(received.length).toBe(2)
})

it('leaves the focus in its field while a button of the frame is pressed', () => {
  render(
    <Overlay kind="dialog" title="添加" onClose={() => {}} widthPx={400}>
      <form>
        <input aria-label="名称" />
        <button type="button">里面</button>
      </form>
    </Overlay>,
  )
  expect(fireEvent.mouseDown(screen.getByRole('button', { name: '关闭' }))).toBe(false) // false: its default was prevented
  expect(fireEvent.mouseDown(screen.getByRole('button', { name: '里面' }))).toBe(true)
})

it('hides decorative icons from screen readers', () => {
  hideIconsFromScreenReaders()
  const { container } = render(<IconTick />)
  const icon = container.firstElementChild
  expect(icon?.getAttribute('aria-hidden')).toBe('true')
  expect(icon?.hasAttribute('aria-label')).toBe(false)
  expect(screen.queryByRole('img')).toBe(null)
})
