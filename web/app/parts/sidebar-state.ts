import { useSyncExternalStore } from 'react'
import { keptChoice } from '../../ui/kept-choice.ts'

/** State and size of the menu outlive the page (account 2). */
const state = keptChoice<'open' | 'folded'>('netloom.sidebar', ['open', 'folded'], 'open')
const size = keptChoice<SidebarSize>('netloom.sidebar-size', ['small', 'medium', 'large'], 'medium')

export type SidebarSize = 'small' | 'medium' | 'large'

export function useSidebarState() {
  return {
    isFolded: useSyncExternalStore(state.subscribe, state.get) === 'folded',
    setFolded: (folded: boolean) => state.set(folded ? 'folded' : 'open'),
    size: useSyncExternalStore(size.subscribe, size.get),
    setSize: size.set,
  }
}
