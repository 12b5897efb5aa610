import { useState } from 'react'
import { Segmented } from '#ui/form/segmented.tsx'

const ACCENTS = [
  { value: '#0b6bcb', label: '蓝' },
  { value: '#d7000f', label: '红' },
  { value: '#00a870', label: '绿' },
  { value: '#f5a200', label: '橙' },
] as const

/** Previews the page in another host's brand colour. */
export function AccentSwitch() {
  const [accent, setAccent] = useState<string>(ACCENTS[0].value)
  const apply = (next: string) => {
    setAccent(next)
    document.documentElement.style.setProperty('--netloom-accent', next)
  }
  return <Segmented<string> label="品牌色" value={accent} options={ACCENTS} onChange={apply} />
}
