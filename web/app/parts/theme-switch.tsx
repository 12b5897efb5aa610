import { type ThemeChoice, useTheme } from '../../ui/theme.ts'
import './bar.css'
import { StrokeIcon } from '../../ui/stroke-icon.tsx'

const NEXT = { light: 'dark', dark: 'system', system: 'light' } as const satisfies Record<ThemeChoice, ThemeChoice>
const WORD = { light: '浅色', dark: '深色', system: '跟随系统' } as const satisfies Record<ThemeChoice, string>
const PATH = {
  light:
    'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  dark: 'M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z',
  system: 'M3 4h14v9H3zM7.5 16.5h5M10 13v3.5',
} as const satisfies Record<ThemeChoice, string>

/** Cycles through light, dark and system. */
export function ThemeSwitch() {
  const { choice, setChoice } = useTheme()
  const label = `主题：${WORD[choice]}，点击切换为${WORD[NEXT[choice]]}`
  return (
    <button
      type="button"
      className="nl-bar-button"
      aria-label={label}
      title={label}
      onClick={() => setChoice(NEXT[choice])}
    >
      <StrokeIcon path={PATH[choice]} />
    </button>
  )
}
