import type { PresenceState } from '../../contract/protocol.ts'

/**
 * The state of a software member by its dials: 在线 while one is open at any centre or node, 离线 after the last, 从未上线
 * before the first. The same rule in SQL: db/dial-presence.ts.
 */
export function stateOfDials(before: PresenceState, dials: readonly { readonly isOpen: boolean }[]): PresenceState {
  if (before === 'disabled' || dials.length === 0) return before
  return dials.some(({ isOpen }) => isOpen) ? 'online' : 'offline'
}
