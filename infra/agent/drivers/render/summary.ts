import type { RouterDocument } from '#contract/device/document.ts'

type Network = RouterDocument['networks'][number]

/** Human-readable text of one network of a router: its role, addresses and peers. Keys are left out. */
export function renderSummary(routerName: string, network: Network): string {
  return [
    `# network ${network.network_number} on ${routerName}`,
    '',
    `role       ${network.member_type}`,
    `ciphers    ${network.ciphers}`,
    ...network.addresses.map((a) => `address    ${a.ip} in ${a.segment}, centre ${a.center}`),
    ...(network.software_segment ? [`software   ${network.software_segment}`] : []),
    '',
    ...section(
      'members',
      network.members.map((m) => `${m.member_type.padEnd(6)} ${m.router_name}`),
    ),
    ...section(
      'links',
      network.links.map((l) => `${l.role.padEnd(6)} ${l.peer}  ${endpointText(l)}`),
    ),
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string[] => [
  `${title} (${lines.length})`,
  ...lines.map((line) => `  ${line}`),
  '',
]

function endpointText({ role, endpoint }: Network['links'][number]): string {
  if (role === 'server') return 'answers here'
  return endpoint ? `to ${endpoint.host} port ${endpoint.port}` : 'endpoint not known yet'
}
