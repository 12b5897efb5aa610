import { useSyncExternalStore } from 'react'
import { createPersistedSetting } from '#lib/session/persisted-setting.ts'
import { useStore } from '#lib/store.ts'

/* Light and dark theme: choice of the user, theme of the device, and the switch. */

type Theme = 'light' | 'dark'
/** Theme setting of the user; `system` follows `prefers-color-scheme`. */
type ThemeChoice = Theme | 'system'

const choice = createPersistedSetting<ThemeChoice>('netloom.theme', ['light', 'dark', 'system'], 'system')
const darkDevice = matchMedia('(prefers-color-scheme: dark)')
/**
 * Theme of the device by the newest event. Chromium fires no event if `matches` was read after the change, such as by a
 * render.
 */
let isDarkDevice = darkDevice.matches
darkDevice.addEventListener('change', ({ matches }) => void (isDarkDevice = matches))

function currentTheme(): Theme {
  const chosen = choice.get()
  if (chosen !== 'system') return chosen
  return isDarkDevice ? 'dark' : 'light'
}

function paint(): void {
  if (currentTheme() === 'dark') document.body.setAttribute('theme-mode', 'dark') // attribute that switches Semi's theme
  else document.body.removeAttribute('theme-mode')
}

function subscribe(listener: () => void): () => void {
  const unsubscribe = choice.subscribe(listener)
  darkDevice.addEventListener('change', listener)
  return () => {
    unsubscribe()
    darkDevice.removeEventListener('change', listener)
  }
}

/** Call once before the first render, so nothing is painted in the wrong theme. */
export function startTheme(): void {
  paint()
  subscribe(paint)
}

/** Switches to the other theme; if the device has that theme, follows the device from then on. */
export function toggleTheme(): void {
  const next = currentTheme() === 'dark' ? 'light' : 'dark'
  choice.set((next === 'dark') === isDarkDevice ? 'system' : next)
}

export function useTheme() {
  const theme = useSyncExternalStore(subscribe, currentTheme)
  return { theme, choice: useStore(choice), toggle: toggleTheme }
}
