import type { MenuGroupKey } from './menu.ts'
import { StrokeIcon } from '#ui/layout/buttons/stroke-icon.tsx'

/** Stroke paths in a viewBox of 20 × 20. */
const PATH: Readonly<Record<MenuGroupKey, string>> = {
  overview: 'M3 3h6v6H3zM11 3h6v4h-6zM11 9h6v8h-6zM3 11h6v6H3z',
  user: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3.5 17c.5-3.5 3-5 6.5-5s6 1.5 6.5 5',
  network:
    'M10 7V3.5M8 11.5 4.5 15M12 11.5l3.5 3.5M10 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M10 3.5h.1M4 15.5h.1M16 15.5h.1',
  saas: 'M5.5 15.5a3.7 3.7 0 0 1-.6-7.3A5.2 5.2 0 0 1 15 7.5a4 4 0 0 1-.5 8M10.5 9l-2 3.5h3l-2 3.5',
  member: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.1M6 13.5h.1M9 6.5h5M9 13.5h5',
  monitor: 'M3 11h3l2-6 4 10 2-4h3',
  audit: 'M5 3h7l3 3v11H5zM8 9h4M8 12h4',
  access: 'M10 2.5 16 5v4.5c0 4-2.5 6.5-6 8-3.5-1.5-6-4-6-8V5zM7.5 10l2 2 3-3.5',
  service:
    'M4 11.5V10a6 6 0 0 1 12 0v1.5M3.5 11h2.5v4H4.5a1 1 0 0 1-1-1zM16.5 11H14v4h1.5a1 1 0 0 0 1-1zM15 15c0 1.5-1.5 2-3.5 2',
}

export function MenuIcon({ icon }: { readonly icon: MenuGroupKey }) {
  return <StrokeIcon path={PATH[icon]} />
}
