import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useHoverOpen } from '#app/top-bar/use-hover-open.ts'

const MOUSE = { pointerType: 'mouse' }
const FINGER = { pointerType: 'touch' }
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

function openHook() {
  const { result } = renderHook(() => useHoverOpen())
  return {
    isOpen: () => result.current.isOpen,
    enter: (pointer: typeof MOUSE) => act(() => result.current.hover.onPointerEnter(pointer)),
    leave: (pointer: typeof MOUSE) => act(() => result.current.hover.onPointerLeave(pointer)),
    setOpen: (open: boolean) => act(() => result.current.setOpen(open)),
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('opens on hover and closes shortly after the pointer has left', () => {
  const menu = openHook()
  menu.enter(MOUSE)
  expect(menu.isOpen()).toBe(true)
  menu.leave(MOUSE)
  expect(menu.isOpen()).toBe(true)
  wait(1_000)
  expect(menu.isOpen()).toBe(false)
})

it('remains open between the button and the popup', () => {
  const menu = openHook()
  menu.enter(MOUSE)
  menu.leave(MOUSE)
  wait(50)
  menu.enter(MOUSE)
  wait(1_000)
  expect(menu.isOpen()).toBe(true)
})

it('ignores hover events of touch', () => {
  const menu = openHook()
  menu.enter(FINGER)
  expect(menu.isOpen()).toBe(false)
  menu.setOpen(true)
  menu.leave(FINGER)
  wait(1_000)
  expect(menu.isOpen()).toBe(true)
})
