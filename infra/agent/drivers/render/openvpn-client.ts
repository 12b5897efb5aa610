import type { DialDocument } from '#contract/client/index.ts'
import { CIPHERS, toText } from './openvpn.ts'

/**
 * Renders a profile for OpenVPN's own applications; null while no server can be dialled. The files of the authority and of
 * the network's control key lie beside it; the application asks for name and password.
 */
export function renderOpenvpnClient(number: string, { ciphers, servers }: DialDocument): string | null {
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
    'remote-cert-tls server',
    'auth-user-pass',
    'auth-retry interact',
    'explicit-exit-notify 1',
    'persist-tun',
    'persist-key',
    'tun-mtu 1400',
    'mssfix 0',
    'ca keys/ca.pem',
    `tls-crypt keys/${number}.key`,
    'tls-version-min 1.2',
    ...CIPHERS[ciphers],
    'script-security 1',
    'verb 3',
  ])
}
