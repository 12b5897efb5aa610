import type { LookupAddress } from 'node:dns'
import { type Socket, connect, isIP } from 'node:net'
import { TUNNEL, type TunnelFailure } from '#contract/kernel/tunnel-frames.ts'
import { type DirectoryPolicy, isAddressAllowed, isPortAllowed } from './directory-policy.ts'

/* Opens the TCP connection from a device to a directory, at the addresses that directory-policy.ts allows. */

/** `lookup` of node:dns/promises, with `all`. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

/** Error with the reason why a directory was not reached. */
export class DialError extends Error {
  readonly reason: TunnelFailure
  constructor(reason: TunnelFailure) {
    super(reason)
    this.reason = reason
  }
}

/** Dials the allowed addresses, one after the other; throws a DialError. */
export async function dialDirectory(
  { host, port }: { readonly host: string; readonly port: number },
  policy: DirectoryPolicy,
  lookup: Lookup,
): Promise<Socket> {
  if (!isPortAllowed(policy, host, port)) throw new DialError('not_allowed')
  const addresses = await resolve(host, lookup)
  const allowed = addresses.filter((address) => isAddressAllowed(policy, host, port, address))
  if (allowed.length === 0) throw new DialError('not_allowed')
  let failure: unknown
  for (const address of allowed) {
    try {
      return await dial(address, port)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function resolve(host: string, lookup: Lookup): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  const found = await lookup(host).catch(() => [])
  if (found.length === 0) throw new DialError('name_unknown')
  return found.map(({ address }) => address)
}

const REASON: Readonly<Record<string, TunnelFailure>> = { ECONNREFUSED: 'refused', ETIMEDOUT: 'timeout' }

function dial(address: string, port: number): Promise<Socket> {
  return new Promise((opened, fail) => {
    const socket = connect({ host: address, port, noDelay: true })
    const give = (reason: TunnelFailure) => {
      clearTimeout(timer)
      socket.destroy()
      fail(new DialError(reason))
    }
    const onError = ({ code }: NodeJS.ErrnoException) => give(REASON[code ?? ''] ?? 'unreachable')
    const timer = setTimeout(() => give('timeout'), TUNNEL.dialMs)
    socket.once('error', onError)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', onError)
      opened(socket)
    })
  })
}
