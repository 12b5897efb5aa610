import { X509Certificate, createHash } from 'node:crypto'
import type { DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import { clientsPath, configPath, pushedPath } from '#infra/agent/drivers/render/openvpn.ts'
import type { Folders } from '#infra/agent/drivers/render/target.ts'
import { type Tunnel, listNetworks } from '#infra/agent/drivers/render/tunnels.ts'
import type { Rendering } from '../tool.ts'
import { toStaticKey } from '#domain/client/static-key.ts'

/* Part of a document that OpenVPN carries: its processes, with the files that they read. Plain data. */

export interface WantedProcess {
  readonly network: string
  /** `peer`: an end of a link that both ends dial. */
  readonly role: 'router-server' | 'software-server' | 'client' | 'peer'
  /** Name of the other end of such a link; null for the other roles. */
  readonly peer: string | null
  readonly config: string
  /** Text whose hash decides on a restart: without certificate and revocation list, which are renewed. */
  readonly text: string
  /** UDP port that it answers at. */
  readonly port: number | null
  /** Clients by name: files of routers, which the process reads, or entries of software members. */
  readonly clients: Readonly<Record<string, string>>
  /** Options of every software member. */
  readonly pushed: readonly string[]
}

/** True for a server, which has files of its clients. */
export const takesClients = ({ role }: Pick<WantedProcess, 'role'>): boolean =>
  role === 'router-server' || role === 'software-server'

/** Files of one network. */
export interface NetworkKeys {
  readonly ca: string
  readonly certificate: string
  readonly control: string
  readonly revoked: string
}

export interface OpenvpnWanted {
  /** By the name of the interface. */
  readonly processes: Readonly<Record<string, WantedProcess>>
  /** By network number. */
  readonly keys: Readonly<Record<string, NetworkKeys>>
  /** Networks whose tunnels wait for the device's certificate. */
  readonly waiting: readonly string[]
  readonly folders: Folders | null
}

/** Entry of a software member: a change of it ends the member's sessions. */
export interface AccountEntry {
  readonly ip: string
  readonly mask: number
  readonly version: number
}

export function wantedOpenvpn(rendering: Rendering | null): OpenvpnWanted {
  if (rendering === null) return { processes: {}, keys: {}, waiting: [], folders: null }
  const { document, slots, files, target } = rendering
  const networks = listNetworks(document, slots).filter(({ tunnels }) => tunnels.length > 0)
  const withKeys = networks.map((each) => ({ ...each, keys: keysOf(document, each.network) }))
  const ready = withKeys.flatMap(({ keys, ...each }) => (keys === null ? [] : [{ ...each, keys }]))
  return {
    processes: Object.fromEntries(
      ready.flatMap(({ network, tunnels, keys }) =>
        tunnels.map((tunnel) => [tunnel.device, toProcess(network.network_number, tunnel, keys, files)] as const),
      ),
    ),
    keys: Object.fromEntries(ready.map(({ network, keys }) => [network.network_number, keys])),
    waiting: withKeys.filter(({ keys }) => keys === null).map(({ network }) => network.network_number),
    folders: toFolders(target),
  }
}

const toFolders = ({ keys, shared, deviceKey }: Folders): Folders => ({
  keys,
  shared,
  ...(deviceKey !== undefined && { deviceKey }),
})

/** Keys of a network; null for one that is not wanted, whatever its number is. */
export const wantedKeys = ({ keys }: OpenvpnWanted, number: string): NetworkKeys | null =>
  (Object.hasOwn(keys, number) ? keys[number] : null) ?? null

/** Null until the device has a certificate and the network its keys. */
function keysOf({ authorities = [] }: RouterDocument, network: DocumentNetwork): NetworkKeys | null {
  const { authority: id, control_key: control, revoked } = network
  const authority = authorities.find((each) => each.id === id)
  if (!authority?.certificate || control === undefined || revoked === undefined) return null
  return { ca: authority.ca, certificate: authority.certificate, control: toStaticKey(control), revoked }
}

function toProcess(
  network: string,
  tunnel: Tunnel,
  { ca, control, certificate }: NetworkKeys,
  files: ReadonlyMap<string, string>,
): WantedProcess {
  const { device } = tunnel
  const config = files.get(configPath(device)) ?? ''
  return {
    network,
    role: roleOf(tunnel),
    peer: tunnel.type === 'pair-peer' ? tunnel.link.peer : null,
    config,
    text: JSON.stringify([config, ca, control, publicKeyHash(certificate)]),
    port: portOf(tunnel),
    clients: clientsOf(tunnel, files),
    pushed: (files.get(pushedPath(device)) ?? '').split('\n').filter(Boolean),
  }
}

function roleOf({ type }: Tunnel): WantedProcess['role'] {
  if (type === 'software-server') return type
  if (type === 'pair-peer') return 'peer'
  return type === 'access-server' || type === 'pair-server' ? 'router-server' : 'client'
}

function portOf(tunnel: Tunnel): number | null {
  if ('server' in tunnel) return tunnel.server.port
  return tunnel.type === 'pair-server' || tunnel.type === 'pair-peer' ? tunnel.link.port : null
}

function clientsOf(tunnel: Tunnel, files: ReadonlyMap<string, string>): Record<string, string> {
  if (tunnel.type === 'software-server') {
    const { accounts, mask } = tunnel.server
    return Object.fromEntries(
      accounts.map(({ name, ip, credential_version: version }) => [name, toEntry({ ip, mask, version })]),
    )
  }
  const folder = clientsPath(tunnel.device)
  const own = [...files].filter(([path]) => path.startsWith(folder) && !path.endsWith('/.keep'))
  return Object.fromEntries(own.map(([path, text]) => [path.slice(folder.length), text]))
}

const toEntry = (entry: AccountEntry): string => `${JSON.stringify(entry)}\n`

/** The device's key, by its certificate; a certificate that cannot be read is refused by the validator. */
function publicKeyHash(certificate: string): string {
  const hash = createHash('sha256')
  try {
    hash.update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
  } catch {
    hash.update(certificate)
  }
  return hash.digest('hex')
}
