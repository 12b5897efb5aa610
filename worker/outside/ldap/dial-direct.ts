import { isIP } from 'node:net'
import { DIRECTORY, DIRECTORY_PORTS } from '#contract/ldap/limits.ts'
import { isPublicAddress, isSameAddress, isPublicHostName } from '#domain/outbound/public-address.ts'
import type { Resolver } from '#outside/dns-over-https.ts'
import { toCanonicalHost } from './canonical-host.ts'
import { DirectoryError, failDirectory } from '#outside/tls/failure.ts'
import type { Dial, Pipe } from '#outside/tls/pipe.ts'
import { type TcpConnect, dialSocket } from './socket.ts'

/* Direct dial of a directory in public mode: resolves the host, checks its addresses, connects. */

interface Ports {
  readonly resolve: Resolver
  readonly connect: TcpConnect
}

type LocalEnv = Pick<Env, 'ENVIRONMENT' | 'LOCAL_DIRECTORIES'>

/**
 * Creates the dial. It connects to the checked addresses themselves, one after the other, so that a name cannot change in
 * between (DNS rebinding). TLS then checks the name.
 */
export function createDirectDial(env: LocalEnv, { resolve, connect }: Ports, certificateName: string): Dial {
  return async ({ host, port }) => {
    const local = toLocalDirectory(env, host, port)
    if (local) return dialSocket(connect, local.host, local.port, DIRECTORY.connectMs)
    if (!DIRECTORY_PORTS.includes(port)) return failDirectory('port_not_allowed')
    const addresses = await listAddresses(host, resolve)
    if (isLiteral(host)) await checkNamed(addresses, certificateName, resolve)
    return dialFirst(addresses, port, connect)
  }
}

const isLiteral = (host: string): boolean => isIP(toCanonicalHost(host) ?? '') !== 0

/** Requires a proved name that resolves to the literal address. Each dial checks again, because addresses change hands. */
async function checkNamed(addresses: readonly string[], name: string, resolve: Resolver): Promise<void> {
  const host = toCanonicalHost(name)
  if (host === null || !isPublicHostName(host)) return failDirectory('address_nameless')
  const named = await resolveName(host, resolve)
  if (!addresses.every((address) => named.some((one) => isSameAddress(one, address)))) failDirectory('address_nameless')
}

/** Public addresses of a host. One private address among them refuses the host. */
async function listAddresses(text: string, resolve: Resolver): Promise<readonly string[]> {
  const host = toCanonicalHost(text)
  if (host === null) return failDirectory('name_unknown')
  if (isIP(host) !== 0) return isPublicAddress(host) ? [host] : failDirectory('private_address')
  if (!isPublicHostName(host)) return failDirectory('private_address')
  const addresses = await resolveName(host, resolve)
  if (addresses.length === 0) return failDirectory('name_unknown')
  return addresses.every(isPublicAddress) ? addresses : failDirectory('private_address')
}

async function resolveName(host: string, resolve: Resolver): Promise<readonly string[]> {
  try {
    return await resolve(host, AbortSignal.timeout(DIRECTORY.connectMs))
  } catch {
    return failDirectory('name_unknown')
  }
}

async function dialFirst(addresses: readonly string[], port: number, connect: TcpConnect): Promise<Pipe> {
  const tries = addresses.slice(0, DIRECTORY.addresses)
  // Each address gets a share of the time: a firewall that drops packets must not use all of it.
  const ms = Math.max(DIRECTORY.connectMs / 2, DIRECTORY.dialMs / Math.max(tries.length, 1))
  let failure: unknown = new DirectoryError('unreachable')
  for (const address of tries) {
    try {
      return await dialSocket(connect, isIP(address) === 6 ? `[${address}]` : address, port, ms)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Stand-in of a directory in a local run, from `host:port=host:port, …`. Deployments have none, by ENVIRONMENT. */
function toLocalDirectory(env: LocalEnv, host: string, port: number): { host: string; port: number } | null {
  if (env.ENVIRONMENT !== 'local') return null
  const entries = (env.LOCAL_DIRECTORIES ?? '').split(',').map((entry) => entry.trim().split('='))
  const [, target = ''] = entries.find(([from]) => from === `${host.toLowerCase()}:${port}`) ?? []
  const [, name, local] = /^(.+):(\d+)$/.exec(target) ?? []
  return name === undefined ? null : { host: name, port: Number(local) }
}
