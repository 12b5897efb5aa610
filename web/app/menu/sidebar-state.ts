import { createPersistedSetting } from '#lib/session/persisted-setting.ts'
import { useStore } from '#lib/store.ts'
import { MENU_GROUPS, type MenuGroupKey } from './menu.ts'

/* Persisted state of the side menu: folded, size and open group (account 2). */

/** The sizes of the document (account 2), narrowest first, with their widths in console-layout.css. */
const SIDEBAR_SIZES = ['small', 'medium', 'large'] as const
export type SidebarSize = (typeof SIDEBAR_SIZES)[number]
export const SIDEBAR_PX: Readonly<Record<SidebarSize, number>> = { small: 184, medium: 208, large: 248 }

const foldedSetting = createPersistedSetting<'open' | 'folded'>('netloom.sidebar', ['open', 'folded'], 'open')
const sizeSetting = createPersistedSetting<SidebarSize>('netloom.sidebar-size', SIDEBAR_SIZES, 'medium')
const groupSetting = createPersistedSetting<MenuGroupKey | 'none'>(
  'netloom.menu-group',
  [...MENU_GROUPS, 'none'],
  'none',
)

export function useSidebar() {
  return {
    isFolded: useStore(foldedSetting) === 'folded',
    setFolded: (folded: boolean) => foldedSetting.set(folded ? 'folded' : 'open'),
    size: useStore(sizeSetting),
    setSize: sizeSetting.set,
  }
}

export const useOpenGroup = () => [useStore(groupSetting), groupSetting.set] as const

/** Size with the edge nearest to this distance from the left. */
export function nearestSize(px: number): SidebarSize {
  const distance = (size: SidebarSize) => Math.abs(SIDEBAR_PX[size] - px)
  return SIDEBAR_SIZES.reduce((best, size) => (distance(size) < distance(best) ? size : best))
}

/** Size after a key is pressed on the edge; null for other keys. */
export function sizeByKey(size: SidebarSize, key: string): SidebarSize | null {
  const at = SIDEBAR_SIZES.indexOf(size)
  if (key === 'ArrowLeft') return SIDEBAR_SIZES[Math.max(0, at - 1)] ?? null
  if (key === 'ArrowRight') return SIDEBAR_SIZES[at + 1] ?? size
  if (key === 'Home') return 'small'
  return key === 'End' ? 'large' : null
}
