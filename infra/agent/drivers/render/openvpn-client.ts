import type { DialDocument } from '#contract/client/index.ts'
import { CERTIFICATE } from '#contract/device/limits.ts'
import { CIPHERS, toText } from './openvpn.ts'

/** Files beside a profile: the authority of the servers, and the control key of the network. */
export interface ProfileFiles {
  readonly ca: string
  readonly control: string
}

/**
 * Renders a profile for OpenVPN; null while no server can be dialled. Name and token are asked for.
 * @param own further lines.
 */
export function renderOpenvpnClient(
  { ciphers, servers }: Pick<DialDocument, 'ciphers' | 'servers'>,
  files: ProfileFiles,
  own: readonly string[] = [],
): string | null {
  // Tunnels are IPv4, as those of routers.
  const remotes = servers.flatMap((server) => server.remotes).filter(({ host }) => !host.includes(':'))
  if (remotes.length === 0) return null
  return toText([
    'client',
    'dev tun',
    'proto udp4',
    'nobind',
    ...remotes.map(({ host, port }) => `remote ${host} ${port} udp4`),
    'connect-retry 1 30',
    'hand-window 20',
    `remote-cert-eku ${CERTIFICATE.gatewayUsage}`, // of centres and nodes: a router that serves one link is none
    'auth-user-pass',
    'auth-retry interact',
    'explicit-exit-notify 1',
    'persist-tun',
    'persist-key',
    'tun-mtu 1400',
    'mssfix 0',
    `ca ${files.ca}`,
    `tls-crypt ${files.control}`,
    'tls-version-min 1.2',
    ...CIPHERS[ciphers],
    'script-security 1',
    'verb 3',
    ...own,
  ])
}
