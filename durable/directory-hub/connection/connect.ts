import { objectName } from '#domain/file/upload.ts'
import type { DirectoryCandidate, DirectoryValues } from '#contract/ldap/hub.ts'
import { DIRECTORY, type DirectoryLimits } from '#contract/ldap/limits.ts'
import type { UserQuery } from '#domain/ldap/directory-entry.ts'
import { type DirectoryConnection, openDirectory } from '#outside/ldap/directory-connection.ts'
import { failDirectory, DirectoryError } from '#outside/tls/failure.ts'
import type { Dial } from '#outside/tls/pipe.ts'
import { createPublicDial } from '#outside/ldap/public-dial.ts'
import { openSealed, ldapPasswordPlace } from '#security/sealed.ts'
import type { Hubs, TunnelIdentity } from '#contract/kernel/hubs.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import { openTunnelPipe } from '#outside/ldap/tunnel-pipe.ts'
import { timingSafeEqual, randomHex } from '#security/secrets.ts'
import { type Owner, readTunnelRouter } from '../database.ts'

/* Connection to a directory, direct or by the tunnel of a router. */

/** Opens a connection to the directory of these values; tests replace it. */
export type Connect = (values: DirectoryValues, password: string) => Promise<DirectoryConnection>

/** @param dialThrough dials through the router of that row, for private mode. */
export const createConnect =
  (env: Env, dialThrough: (routerId: number) => Dial, limits: DirectoryLimits = DIRECTORY): Connect =>
  async (values, password) => {
    const { host, port, security, certificateName, username: bindDn } = values
    const ca =
      values.caKey === null
        ? { kind: 'public' as const }
        : { kind: 'file' as const, pem: await readCa(env, values.caKey) }
    const dial = values.routerId === null ? createPublicDial(env, certificateName) : dialThrough(values.routerId)
    const target = { host, port, security, certificateName: certificateName || null, ca }
    return openDirectory(target, { bindDn, password }, dial, Date.now, limits)
  }

async function readCa(env: Env, key: string): Promise<string> {
  const object = await env.FILES.get(objectName(key))
  return object ? object.text() : failDirectory('certificate_invalid')
}

export const toQuery = ({ baseDn, userFilter, usernameAttribute, phoneAttribute }: DirectoryValues): UserQuery => ({
  baseDn,
  filter: userFilter || null,
  usernameAttribute: usernameAttribute || null,
  phoneAttribute: phoneAttribute || null,
})

/** Password of the directory's account, with which the hub binds; '' if none is stored. */
export const openPassword = async (env: Env, { accountId, passwordSealed }: Owner): Promise<string> =>
  passwordSealed === null ? '' : openSealed(env.SEAL_KEYS, ldapPasswordPlace(accountId), passwordSealed)

/** An empty password stands for the stored one: the use case has checked that it goes to the address it was typed for. */
export const passwordFor = async (env: Env, { password }: DirectoryCandidate, owner: Owner): Promise<string> =>
  password === '' ? openPassword(env, owner) : password

/** A tunnel that a device was asked for and has not opened yet. */
interface Awaited {
  readonly deviceId: number
  readonly ticket: string
  readonly timer: ReturnType<typeof setTimeout>
  readonly opened: (socket: WebSocket) => void
}

/**
 * Tunnels through the account's routers. They live with the run that reads from them: a hub that is evicted loses both, and
 * the alarm begins the run again.
 */
export class Tunnels {
  private readonly env: Env
  private readonly hubs: Hubs
  private awaited: readonly Awaited[] = []

  constructor(env: Env, hubs: Hubs) {
    this.env = env
    this.hubs = hubs
  }

  /** Dials from the router of that row: asks it to open a tunnel to this hub. */
  readonly dialThrough =
    (routerId: number): Dial =>
    async ({ host, port }) => {
      const router = await readTunnelRouter(this.env, routerId)
      if (!router) return failDirectory('router_offline')
      const ticket = randomHex(16)
      const socket = this.expect(router.deviceId, ticket)
      try {
        const expires_at = Date.now() + TUNNEL.ticketMs
        const asked = await this.hubs.router(router.hub).openTunnel({ host, port, ticket, expires_at })
        if (asked !== 'asked') return failDirectory(asked === 'offline' ? 'router_offline' : 'router_too_old')
        return await openTunnelPipe(await socket, TUNNEL.openMs)
      } finally {
        this.forget(ticket)
      }
    }

  /** Accepts the tunnel of a device that was asked for it, once. */
  accept({ deviceId, ticket }: TunnelIdentity): Response {
    const known = this.awaited.find((one) => timingSafeEqual(one.ticket, ticket))
    if (known?.deviceId !== deviceId) return new Response(null, { status: 403 })
    this.forget(known.ticket)
    const { 0: client, 1: socket } = new WebSocketPair()
    socket.binaryType = 'arraybuffer'
    known.opened(socket)
    socket.accept()
    return new Response(null, { status: 101, webSocket: client })
  }

  private expect(deviceId: number, ticket: string): Promise<WebSocket> {
    return new Promise((opened, fail) => {
      const timer = setTimeout(() => fail(new DirectoryError('router_silent')), TUNNEL.openMs)
      this.awaited = [...this.awaited, { deviceId, ticket, timer, opened }]
    })
  }

  private forget(ticket: string): void {
    clearTimeout(this.awaited.find((one) => one.ticket === ticket)?.timer)
    this.awaited = this.awaited.filter((one) => one.ticket !== ticket)
  }
}
