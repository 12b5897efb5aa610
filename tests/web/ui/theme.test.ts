import { beforeEach, expect, it, vi } from 'vitest'

async function onDevice(isDark: boolean) {
  vi.resetModules()
  vi.stubGlobal('matchMedia', () => ({ matches: isDark, addEventListener() {}, removeEventListener() {} }))
  const { startTheme, toggleTheme } = await import('../../../web/ui/theme.ts')
  startTheme()
  return toggleTheme
}
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
