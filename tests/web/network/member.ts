import type { ConfigState, LinkState, PresenceState } from '#contract/kernel/protocol.ts'
import { NOTHING_SET_FOR_MEMBER } from '#infra/simulator/sample-network.ts'
import type { Link, Member } from '#pages/network/live-network.ts'

interface MemberOptions {
  readonly role?: 'center' | 'point'
  readonly type?: 1 | 2
  readonly state?: PresenceState
  readonly config?: ConfigState
  readonly version?: number
  readonly note?: string
}

export function member(name: string, options: MemberOptions = {}): Member {
  const { role = 'point', type = 1, state = 'online', config = 'applied', version = 1, note = '' } = options
  return {
    ...NOTHING_SET_FOR_MEMBER,
    router_name: name,
    note,
    member_type: role,
    router_type: type,
    online: state === 'online' ? 1 : 0,
    shared: 0,
    version: '1.0.0',
    vpn_ip: ['100.64.0.2'],
    lan: [],
    remote_ip: '',
    presence: { state, since: 1_000, last_seen: 1_000, reason: '' },
    config: { state: config, version, applied_version: config === 'applied' ? version : null, reason: '', at: null },
  }
}

export function link(client: string, server: string, state: LinkState = 'up'): Link {
  return {
    id: `${client}>${server}`,
    router_name: client,
    center_router_name: server,
    state,
    since: 1_000,
    reason: '',
    rtt_ms: null,
    client_up: null,
    server_up: null,
    router_name_note: '',
    center_router_name_note: '',
    vpn_ip: '',
    center_vpn_ip: '',
    vpn_online: state === 'up' ? 1 : 0,
    vpn_online_time: state === 'up' ? 1_000 : null,
  }
}
