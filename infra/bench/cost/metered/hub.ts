import type { DurableObject } from 'cloudflare:workers'
import { meterEnv, meterState } from './bindings.ts'
import { counts, endWake, startWake, whilePending } from './meter.ts'

type HubClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

/** RPC methods that the bench adds to a hub. */
export interface MeteredHub {
  fireAlarm(): Promise<void>
  storedBytes(): Promise<number>
}

/** A hub of the product whose storage, bindings and events are counted. */
export function metered(Hub: HubClass, namespace: keyof Env): HubClass {
  return class extends Hub implements MeteredHub {
    constructor(ctx: DurableObjectState, env: Env) {
      const { name = '' } = ctx.id
      meterState(ctx, `${namespace} ${name}`, () => meteredHub(env, namespace, name).fireAlarm())
      startWake(namespace, name)
      super(ctx, meterEnv(env, 'hub'))
      endWake()
    }

    override async fetch(request: Request): Promise<Response> {
      return whilePending(async () => (await super.fetch?.(request)) ?? new Response(null, { status: 404 }))
    }

    override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
      counts.hubMessages += 1
      await whilePending(() => super.webSocketMessage?.(socket, message))
    }

    override async webSocketClose(socket: WebSocket, code: number, reason: string, wasClean: boolean): Promise<void> {
      counts.hubCloses += 1
      await whilePending(() => super.webSocketClose?.(socket, code, reason, wasClean))
    }

    override async webSocketError(socket: WebSocket, error: unknown): Promise<void> {
      counts.hubCloses += 1
      await whilePending(() => super.webSocketError?.(socket, error))
    }

    async fireAlarm(): Promise<void> {
      await whilePending(() => this.alarm?.())
    }

    async storedBytes(): Promise<number> {
      return this.ctx.storage.sql.databaseSize
    }
  }
}

export const meteredHub = (env: Env, namespace: keyof Env, name: string): MeteredHub =>
  (env[namespace] as unknown as { getByName(name: string): MeteredHub }).getByName(name)
