import { useTheme } from '#ui/layout/theme.ts'
import './bar.css'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'

/* Button that switches light and dark theme. Once the chosen theme is the device's, it follows the device again. */

const SUN =
  'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1'
const MOON = 'M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z'

const WORD = { light: '浅色', dark: '深色' } as const

export function ThemeSwitch() {
  const { theme, choice, toggle } = useTheme()
  const from = `${WORD[theme]}${choice === 'system' ? '（跟随系统）' : ''}`
  const label = `主题：${from}，点击切换为${WORD[theme === 'dark' ? 'light' : 'dark']}`
  return (
    <button type="button" className="nl-bar-button" aria-label={label} title={label} onClick={toggle}>
      <StrokeIcon path={theme === 'dark' ? MOON : SUN} />
    </button>
  )
}
