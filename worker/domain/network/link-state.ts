import type { LinkState, PresenceState } from '../../contract/protocol.ts'
import { isPresent } from '../router/presence.ts'

/** One end of a link: its device's presence, and what its own probe last reported (null: nothing since its reconnect). */
export interface LinkEnd {
  readonly name: string
  readonly presence: PresenceState
  readonly up: boolean | null
}

/** A link is up when both ends report it up. Links of an offline centre are unknown, so that they are not all red. */
export function toLinkState(client: LinkEnd, server: LinkEnd): { state: LinkState; reason: string } {
  if (!isPresent(server.presence)) return { state: 'unknown', reason: ABSENT_CENTER[server.presence] ?? '中心点离线' }
  if (!isPresent(client.presence)) return { state: 'down', reason: ABSENT_POINT[client.presence] ?? '成员离线' }
  if (client.up === null || server.up === null) return { state: 'unknown', reason: '等待探测结果' }
  if (client.up && server.up) return { state: 'up', reason: '' }
  if (client.up === server.up) return { state: 'down', reason: '两端均收不到对方的探测' }
  return disagreement(client, server)
}

function disagreement(client: LinkEnd, server: LinkEnd): { state: LinkState; reason: string } {
  // A reconnecting device sends no reports, so its last one does not outweigh the other end's.
  if (server.presence === 'reconnecting') return { state: 'unknown', reason: '中心点重连中' }
  if (client.presence === 'reconnecting') return { state: 'unknown', reason: '成员重连中' }
  return { state: 'one_sided', reason: `${client.up ? server.name : client.name}收不到对方的探测` }
}

const ABSENT_CENTER: Partial<Record<PresenceState, string>> = { never: '中心点从未上线', disabled: '中心点已停用' }
const ABSENT_POINT: Partial<Record<PresenceState, string>> = { never: '成员从未上线', disabled: '成员已停用' }
