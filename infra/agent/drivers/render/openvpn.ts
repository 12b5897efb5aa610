import { ipText, sizeOfMask } from '#contract/kernel/ipv4.ts'
import type { DocumentLink, DocumentNetwork, DocumentServer } from '#contract/device/document.ts'
import { CIPHERS } from '#outside/client-profile/openvpn.ts'
import type { Folders } from './target.ts'
import { type Tunnel, type TunnelNetwork, dialled, isUnnumbered } from './tunnels.ts'

/* Renders the configuration of OpenVPN: a file for each tunnel process, and one for each router that a server admits. */

/** Files that configurations name: those of a network, and those of a process by its interface. */
export const keyFiles = ({ keys, shared }: Folders, number: string) => ({
  ca: `${keys}/${number}/ca.pem`,
  certificate: `${keys}/${number}/router.pem`,
  control: `${keys}/${number}/control.key`,
  tokens: `${keys}/${number}/tokens.key`,
  revoked: `${shared}/revoked/${number}.pem`,
})
export const deviceKeyFile = ({ keys, deviceKey }: Folders): string => deviceKey ?? `${keys}/router.key`
export const clientFolder = ({ shared }: Folders, device: string): string => `${shared}/ccd/${device}`
/** Folder of the management sockets, for root alone: a process opens its own before it gives up its privileges. */
export const socketFolder = ({ shared }: Folders): string => `${shared}/sockets`
export const managementSocket = (folders: Folders, device: string): string => `${socketFolder(folders)}/${device}.sock`

/** Paths of rendered files. */
export const configPath = (device: string): string => `openvpn/${device}.conf`
export const clientsPath = (device: string): string => `openvpn/ccd/${device}/`
export const pushedPath = (device: string): string => `openvpn/${device}.push`

export function renderOpenvpn(
  { network, tunnels }: TunnelNetwork,
  folders: Folders,
): (readonly [path: string, text: string])[] {
  return tunnels.flatMap((tunnel) => [
    [
      configPath(tunnel.device),
      toText([
        ...processLines(network, tunnel, folders),
        ...(network.isolated ? ['ifconfig-noexec', 'route-noexec'] : []), // its address is set in the namespace
        ...commonLines(network, tunnel.device, folders),
      ]),
    ] as const,
    ...peerFiles(tunnel),
    ...(tunnel.type === 'software-server'
      ? [[pushedPath(tunnel.device), toText(pushedLines(network, tunnel.server))] as const]
      : []),
  ])
}

export const toText = (lines: readonly string[]): string => `${lines.join('\n')}\n`

const netmask = (mask: number): string => ipText(2 ** 32 - sizeOfMask(mask))

function processLines(network: DocumentNetwork, tunnel: Tunnel, folders: Folders): string[] {
  const { revoked } = keyFiles(folders, network.network_number)
  const admission = (server: Listening | null) => [
    ...routerServerLines(server),
    `crl-verify ${revoked}`,
    `client-config-dir ${clientFolder(folders, tunnel.device)}`,
  ]
  switch (tunnel.type) {
    case 'access-server':
      return [
        ...serverLines(tunnel.device, 'tap', tunnel.server),
        macLine(tunnel.server.ip),
        ...admission(tunnel.server),
      ]
    case 'software-server':
      return softwareServerLines(network, tunnel.device, tunnel.server, folders)
    case 'pair-server':
      return [
        ...serverLines(tunnel.device, 'tun', toServer(tunnel.link)),
        `push "topology ${topologyOf(tunnel.link)}"`,
        ...admission(null),
      ]
    case 'access-client':
      return [...clientLines(tunnel.device, 'tap', tunnel.link), macLine(tunnel.link.local_ip), `crl-verify ${revoked}`]
    case 'pair-client':
      return [...clientLines(tunnel.device, 'tun', tunnel.link), `crl-verify ${revoked}`]
    case 'pair-peer':
      return [...peerProcessLines(tunnel.device, tunnel.link), `crl-verify ${revoked}`]
  }
}

interface Listening extends Pick<DocumentServer, 'port' | 'ip' | 'mask'> {
  readonly peer?: string
}

const toServer = ({ port, local_ip: ip, remote_ip: peer, mask }: DocumentLink): Listening => {
  return { port: port ?? 0, ip, mask, peer }
}

const topologyOf = (end: Pick<Listening, 'mask'>): string => (isUnnumbered(end) ? 'p2p' : 'subnet')

/** Text after an address: the segment's mask, or the other end's address if there is no segment. */
const behind = (mask: number, peer: string): string => (isUnnumbered({ mask }) ? peer : netmask(mask))

const serverLines = (device: string, type: 'tap' | 'tun', { port, ip, mask, peer = '' }: Listening): string[] => [
  'mode server',
  'tls-server',
  'dh none',
  `dev ${device}`,
  `dev-type ${type}`,
  ...(type === 'tun' ? [`topology ${topologyOf({ mask })}`] : []),
  'proto udp4',
  `port ${port}`,
  `ifconfig ${ip} ${behind(mask, peer)}`,
]

/** Hardware address made of the address: a new one after a restart would be unknown to the peers for up to a minute. */
function macLine(ip: string): string {
  const bytes = [0x02, 0x6e, ...ip.split('.').map(Number)] // locally administered
  return `lladdr ${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`
}

/** A router is a member if it has a file; others are refused. */
const routerServerLines = (server: Listening | null): string[] => [
  'keepalive 2 6',
  'remote-cert-tls client',
  'ccd-exclusive',
  `max-clients ${server ? clientsOf(server) : PAIR_CLIENTS}`,
]

/** Clients of a link's server: a peer that returns is accepted while its lost session is still open. */
const PAIR_CLIENTS = 2

/** Number of clients by the size of the segment, not by members: a change of it restarts the process. */
const clientsOf = ({ mask }: Listening): number => Math.max(1, sizeOfMask(mask) - 3)

/** Server for phones and computers: the management socket answers who may dial, and with which address. */
function softwareServerLines(
  network: DocumentNetwork,
  device: string,
  server: DocumentServer,
  folders: Folders,
): string[] {
  const { ip, mask, pool } = server
  return [
    ...serverLines(device, 'tun', server),
    'push "topology subnet"',
    `push "route-gateway ${ip}"`,
    ...(pool ? [`ifconfig-pool ${pool.first} ${pool.last} ${netmask(mask)}`] : []),
    'keepalive 3 9',
    'hand-window 20',
    'reneg-sec 43200', // an upgrade of the agent, which is asked for each, ends no session
    'verify-client-cert none',
    'username-as-common-name',
    'management-client-auth',
    'auth-gen-token 0 external-auth', // each sign-in is asked for, also one with a token
    `auth-gen-token-secret ${keyFiles(folders, network.network_number).tokens}`, // without it a restart signs everybody out
    `max-clients ${clientsOf(server)}`,
  ]
}

/** Options of every software member, given with its admission: a change of them restarts nothing. */
const pushedLines = (network: DocumentNetwork, { routes }: DocumentServer): string[] => [
  ...routes.map((segment) => `push "route ${toNetmaskForm(segment)}"`),
  ...network.dns.map((address) => `push "dhcp-option DNS ${address}"`),
]

function toNetmaskForm(segment: string): string {
  const [ip = '', mask = ''] = segment.split('/')
  return `${ip} ${netmask(Number(mask))}`
}

const clientLines = (device: string, type: 'tap' | 'tun', link: DocumentLink): string[] => [
  'client',
  `dev ${device}`,
  `dev-type ${type}`,
  ...(type === 'tun' ? [`topology ${topologyOf(link)}`] : []),
  'proto udp4',
  'nobind',
  ...dialled(link).map(({ host, port }) => `remote ${host} ${port} udp4`),
  'connect-retry 1 5',
  'connect-timeout 4', // else the pauses between tries double, and a server that returns is found late
  'remote-cert-tls server',
  `verify-x509-name ${link.peer} name`,
  'auth-retry nointeract', // a point may be ahead of its centre
  'explicit-exit-notify 1',
  'keepalive 2 6',
  'pull-filter ignore "route "',
  'pull-filter ignore redirect-gateway',
]

/**
 * End of a link without a server mode: both ends dial. A peer behind NAT comes from another port than it is dialled at, which
 * `float` accepts of whom the certificate proves.
 */
const peerProcessLines = (device: string, link: DocumentLink): string[] => [
  ...(link.role === 'server' ? ['tls-server', 'dh none'] : ['tls-client']),
  `dev ${device}`,
  'dev-type tun',
  `topology ${topologyOf(link)}`,
  'proto udp4',
  link.port === null ? 'nobind' : `port ${link.port}`,
  ...dialled(link).map(({ host, port }) => `remote ${host} ${port} udp4`),
  'float',
  `ifconfig ${link.local_ip} ${behind(link.mask, link.remote_ip)}`,
  'connect-retry 1 5',
  'connect-timeout 4',
  `remote-cert-tls ${link.role === 'server' ? 'client' : 'server'}`,
  `verify-x509-name ${link.peer} name`,
  'explicit-exit-notify 1',
  'keepalive 2 6',
]

export const TUNNEL_MTU = 1400
export const TUNNEL_QUEUE = 4000 // packets

/** The packet filter clamps segment sizes; without the buffers a tunnel loses thousands of packets a second. */
const commonLines = (
  { ciphers, network_number: number }: DocumentNetwork,
  device: string,
  folders: Folders,
): string[] => [
  'persist-tun',
  'persist-key',
  `tun-mtu ${TUNNEL_MTU}`,
  'mssfix 0',
  'sndbuf 1048576',
  'rcvbuf 1048576',
  `txqueuelen ${TUNNEL_QUEUE}`,
  'mark 100',
  `ca ${keyFiles(folders, number).ca}`,
  `cert ${keyFiles(folders, number).certificate}`,
  `key ${deviceKeyFile(folders)}`,
  `tls-crypt ${keyFiles(folders, number).control}`,
  'tls-version-min 1.2',
  ...CIPHERS[ciphers],
  'user nobody',
  'group nogroup',
  'script-security 1',
  'verb 3',
  'suppress-timestamps',
  `management ${managementSocket(folders, device)} unix`,
]

/** The folder has to exist also without members: a server does not start without it. No router is named `.keep`. */
function peerFiles(tunnel: Tunnel): (readonly [path: string, text: string])[] {
  if (tunnel.type !== 'access-server' && tunnel.type !== 'pair-server') return []
  const folder = clientsPath(tunnel.device)
  const links = tunnel.type === 'access-server' ? tunnel.links : [tunnel.link]
  return [
    [`${folder}.keep`, ''],
    ...links.map((link) => [`${folder}${link.peer}`, toText(peerLines(tunnel, link))] as const),
  ]
}

/** A tun server drops traffic from behind a peer unless its configuration allows all of it. */
const peerLines = (tunnel: Tunnel, { remote_ip: ip, local_ip: own, mask }: DocumentLink): string[] => [
  `ifconfig-push ${ip} ${behind(mask, own)}`,
  ...(tunnel.type === 'pair-server' ? ['iroute 0.0.0.0 0.0.0.0'] : []),
]
