import { useSyncExternalStore } from 'react'
import { createPersistedSetting } from '../../ui/persisted-setting.ts'

/** State and size of the menu are persisted (account 2). */
const state = createPersistedSetting<'open' | 'folded'>('netloom.sidebar', ['open', 'folded'], 'open')
const size = createPersistedSetting<SidebarSize>('netloom.sidebar-size', ['small', 'medium', 'large'], 'medium')

export type SidebarSize = 'small' | 'medium' | 'large'

export function useSidebarState() {
  return {
    isFolded: useSyncExternalStore(state.subscribe, state.get) === 'folded',
    setFolded: (folded: boolean) => state.set(folded ? 'folded' : 'open'),
    size: useSyncExternalStore(size.subscribe, size.get),
    setSize: size.set,
  }
}
