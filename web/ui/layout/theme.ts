import { useSyncExternalStore } from 'react'
import { THEME_COOKIE } from '#contract/site/index.ts'
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

/** Browsers keep a cookie for at most 400 days; each load renews it. */
const COOKIE_S = 400 * 86_400

/** Keeps the chosen theme for the server, which outlines the next page; nothing while the theme of the device is followed. */
function saveForOutline(): void {
  const chosen = choice.get()
  const life = chosen === 'system' ? 0 : COOKIE_S
  document.cookie = `${THEME_COOKIE}=${chosen}; Path=/; Max-Age=${life}; SameSite=Lax`
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
  saveForOutline()
  subscribe(paint)
  choice.subscribe(saveForOutline)
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
