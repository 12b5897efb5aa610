import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NetworkCarousel } from '#pages/router/detail/network-carousel.tsx'
import { createNetwork } from './fixtures.ts'

const NETWORKS = [
  createNetwork('N1', '华东生产网'),
  createNetwork('N2', '全国门店视频专网'),
  createNetwork('N3', '研发'),
]

const open = (networks = NETWORKS) =>
  render(
    <MemoryRouter>
      <NetworkCarousel networks={networks} />
    </MemoryRouter>,
  )
const shown = () => screen.getByRole('link').getAttribute('href')?.split('=')[1]
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('advances every five seconds and wraps around', () => {
  open()
  expect(shown()).toBe('N1')
  wait(4_999)
  expect(shown()).toBe('N1')
  wait(1)
  expect(shown()).toBe('N2')
  wait(5_000)
  wait(5_000)
  expect(shown()).toBe('N1')
})

it('pauses on hover and focus, and restarts the five seconds after', () => {
  open()
  const carousel = screen.getByRole('group')
  wait(4_000)
  fireEvent.mouseEnter(carousel)
  wait(20_000)
  expect(shown()).toBe('N1')
  fireEvent.mouseLeave(carousel)
  wait(4_999)
  expect(shown()).toBe('N1')
  wait(1)
  expect(shown()).toBe('N2')
  act(() => screen.getByRole('link').focus())
  wait(20_000)
  expect(shown()).toBe('N2')
})

it('pauses while hovered, also after blur', () => {
  open()
  fireEvent.mouseEnter(screen.getByRole('group'))
  act(() => screen.getByRole('link').focus())
  act(() => screen.getByRole('link').blur())
  wait(20_000)
  expect(shown()).toBe('N1')
})

it('goes to the previous and next slide by button', () => {
  open()
  fireEvent.click(screen.getByRole('button', { name: '上一个组网' }))
  expect(shown()).toBe('N3')
  fireEvent.click(screen.getByRole('button', { name: '下一个组网' }))
  expect(shown()).toBe('N1')
})

it('cuts a name after six characters', () => {
  open([createNetwork('N2', '全国门店视频专网')])
  expect(screen.getByRole('link').textContent).toBe('全国门店视频…')
})

it('a single network has no controls; a removed network leaves no empty slide', () => {
  const { rerender } = open()
  wait(5_000)
  wait(5_000)
  expect(shown()).toBe('N3')
  rerender(
    <MemoryRouter>
      <NetworkCarousel networks={NETWORKS.slice(0, 1)} />
    </MemoryRouter>,
  )
  expect(shown()).toBe('N1')
  expect(screen.queryByRole('button', { name: '下一个组网' })).toBeNull()
  rerender(
    <MemoryRouter>
      <NetworkCarousel networks={[]} />
    </MemoryRouter>,
  )
  expect(screen.queryByText('尚未加入任何组网')).not.toBeNull()
})
