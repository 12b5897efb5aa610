import type { ConfigState, PresenceState } from '#contract/kernel/protocol.ts'
import type { RouterInterface, RouterRow, RouterInfo } from '#pages/router/router-text.ts'

interface MemberOptions {
  readonly state?: PresenceState
  readonly config?: ConfigState
}

export function states({ state = 'online', config = 'applied' }: MemberOptions = {}) {
  return {
    presence: { state, since: 1_000, last_seen: 2_000, reason: '' },
    config: { state: config, version: 3, applied_version: 3, reason: '', at: 1_000 },
  }
}

export function createMember(name: string, over: Partial<RouterRow> = {}): RouterRow {
  return {
    router_name: name,
    router_type: name.includes('@') ? 2 : 1,
    note: '',
    note_revision: 0,
    online_status: 1,
    ...states(),
    version: '1.4.2',
    router_model: 'XR-200',
    os: '',
    area_code: '86',
    phone: '',
    source: 'manual',
    status: 1,
    shared: 0,
    network_count: 0,
    networks: [],
    lan: [],
    single_center: 0,
    remote_ip: '',
    create_time: 0,
    ...over,
  }
}

export function createInterface(name: string, over: Partial<RouterInterface> = {}): RouterInterface {
  return {
    interface: name,
    interface_uuid: name,
    protocol: 'static',
    role: 'lan',
    ip: '192.168.10.1',
    mask: 24,
    ipv4_subnet_mask: '255.255.255.0',
    mac: '52:54:00:aa:10:02',
    mtu: 1500,
    up: true,
    ...over,
  }
}

export function createRouter(name: string, over: Partial<RouterInfo> = {}): RouterInfo {
  const { online_status, source: _source, network_count: _count, networks: _in, lan: _lan, ...row } = createMember(name)
  return {
    ...row,
    online: online_status,
    router_ipv4: '100.64.12.7',
    router_mac: '52:54:00:aa:10:01',
    interfaces: [createInterface('br-lan'), createInterface('eth0', { role: 'wan', protocol: 'dhcp' })],
    static_routes: [],
    static_routes_revision: 0,
    endpoint_list: [],
    endpoints: [],
    endpoints_revision: 0,
    network: [createNetwork('N1', '华东生产网')],
    link: [],
    link_count: { up: 0, down: 0, one_sided: 0, unknown: 0, never: 0 },
    paths: { up: 0, unknown: 0, total: 0, single_center: 0 },
    link_missing: [],
    certificate: '',
    ...over,
  }
}

export const createNetwork = (network_number: string, network_name: string): RouterInfo['network'][number] => ({
  network_number,
  network_name,
  network_member_count: 12,
  member_type: 'point',
})

/** A link of NL-1, a point, to this centre. */
export const createLink = (
  center: string,
  over: Partial<RouterInfo['link'][number]> = {},
): RouterInfo['link'][number] => ({
  id: `N1:NL-1>${center}`,
  router_name: 'NL-1',
  center_router_name: center,
  state: 'up',
  since: 1_000,
  reason: '',
  rtt_ms: 8.5,
  client_up: true,
  server_up: true,
  network_number: 'N1',
  network_name: '华东生产网',
  peer: { router_name: center, note: '', member_type: 'center' },
  vpn_ip: '100.64.0.3',
  peer_vpn_ip: '100.64.0.1',
  ...over,
})
