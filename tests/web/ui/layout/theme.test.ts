import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

/** As in Chromium: a change is an event of the next frame, unless `matches` was read before. */
function createDevice(isDark: boolean) {
  let [known, matches] = [isDark, isDark]
  const list = Object.assign(new EventTarget(), { media: '' })
  Object.defineProperty(list, 'matches', { get: () => (known = matches) })
  return {
    list,
    change: (isDarkNow: boolean) => void (matches = isDarkNow),
    nextFrame: () => {
      if (known === matches) return
      known = matches
      list.dispatchEvent(Object.assign(new Event('change'), { matches }))
    },
  }
}

async function openOn(isDark: boolean) {
  vi.resetModules()
  const device = createDevice(isDark)
  vi.stubGlobal('matchMedia', () => device.list)
  const theme = await import('#ui/layout/theme.ts')
  theme.startTheme()
  return { device, ...theme }
}
const onDevice = async (isDark: boolean) => (await openOn(isDark)).toggleTheme
const shown = () => document.body.getAttribute('theme-mode') ?? 'light'

beforeEach(() => localStorage.clear())

it.each([
  [false, ['light', 'dark', 'light', 'dark']],
  [true, ['dark', 'light', 'dark', 'light']],
] as const)('every press changes the theme (dark device: %s)', async (isDark, themes) => {
  const toggle = await onDevice(isDark)
  const seen = [shown()]
  for (let press = 1; press < themes.length; press++) {
    toggle()
    seen.push(shown())
  }
  expect(seen).toEqual(themes)
})

it('the theme of the device is followed again once it is the one chosen', async () => {
  const toggle = await onDevice(false)
  toggle()
  expect(localStorage.getItem('netloom.theme')).toBe('dark')
  toggle()
  expect(localStorage.getItem('netloom.theme')).toBe('system')
})

it('the outline of the next page follows the choice, also one of an earlier load', async () => {
  const kept = () => /netloom_theme=(\w+)/.exec(document.cookie)?.[1]
  const toggle = await onDevice(false)
  expect(kept()).toBeUndefined()
  toggle()
  expect(kept()).toBe('dark')
  document.cookie = 'netloom_theme=; Path=/; Max-Age=0'
  const again = await onDevice(false)
  expect(kept()).toBe('dark')
  again()
  expect(kept()).toBeUndefined()
})

it('a device that changes is followed, also where something renders before the next frame', async () => {
  const { device, useTheme } = await openOn(false)
  const { result, rerender } = renderHook(() => useTheme().theme)
  for (const isDark of [true, false]) {
    device.change(isDark)
    rerender()
    act(() => device.nextFrame())
    expect([shown(), result.current]).toEqual(isDark ? ['dark', 'dark'] : ['light', 'light'])
  }
})
