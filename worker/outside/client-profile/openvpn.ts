import type { DialDocument } from '#contract/client/index.ts'
import { CERTIFICATE } from '#contract/device/limits.ts'

/* Configuration of OpenVPN for software members: the file of a profile, and lines that the client program shares with it. */

type Ciphers = DialDocument['ciphers']
type Dialled = Pick<DialDocument, 'ciphers' | 'servers'>

/** `auth` is not negotiated, so both ends need the same. The ciphers of `default` do not use it. */
export const CIPHERS: Readonly<Record<Ciphers, readonly string[]>> = {
  default: ['data-ciphers AES-256-GCM:CHACHA20-POLY1305:AES-128-GCM', 'auth SHA256'],
  sm: ['data-ciphers SM4-CBC', 'auth SM3'],
}

/** Addresses of the servers, the preferred first. Tunnels are IPv4, as those of routers. */
export const remotesOf = ({ servers }: Dialled) =>
  servers.flatMap(({ remotes }) => remotes).filter(({ host }) => !host.includes(':'))

/** Lines of every software member, without its keys. */
export const clientLines = (dial: Dialled): readonly string[] => [
  'client',
  'dev tun',
  'proto udp4',
  'nobind',
  ...remotesOf(dial).map(({ host, port }) => `remote ${host} ${port} udp4`),
  'connect-retry 1 30',
  'hand-window 20',
  `remote-cert-eku ${CERTIFICATE.gatewayUsage}`, // of centres and nodes: a router that serves one link is none
  'explicit-exit-notify 1',
  'persist-tun',
  'persist-key',
  'tun-mtu 1400',
  'mssfix 0',
  'tls-version-min 1.2',
  ...CIPHERS[dial.ciphers],
  'verb 3',
]

/** Secrets of a profile. */
export interface ProfileKeys {
  /** PEM of the authority of the servers. */
  readonly ca: string
  /** Text of the network's static key. */
  readonly control: string
  readonly name: string
  readonly token: string
}

/** File of a profile, with all that it needs inside. Neither a password nor a path of the device is in it. */
export const profileText = (dial: Dialled, { ca, control, name, token }: ProfileKeys): string =>
  [
    ...clientLines(dial),
    'server-poll-timeout 4',
    'setenv CLIENT_CERT 0', // OpenVPN's own application asks for a certificate otherwise
    'auth-nocache',
    ...inline('ca', ca),
    ...inline('tls-crypt', control),
    ...inline('auth-user-pass', `${name}\n${token}`),
    '',
  ].join('\n')

const inline = (option: string, text: string): readonly string[] => [`<${option}>`, text.trimEnd(), `</${option}>`]
