import type { Input } from '#contract/kernel/endpoint.ts'
import { PING, type ViewerRequest } from '#contract/kernel/protocol.ts'
import type { StreamEffect } from './live-stream.ts'
import type { trafficTicket } from '#contract/router/traffic-ticket.ts'

// Addresses and messages of all live sockets, shared by the browser and the crash test.

export type LiveTarget = Input<typeof trafficTicket>

export const TICK_MS = 5_000
const PATH = { router: 'router/traffic', network: 'network/live', account: 'account/live' } as const

export function liveAddress(origin: string, { kind, ...names }: LiveTarget, ticket: string): string {
  const query = new URLSearchParams({ ...names, ticket })
  return new URL(`/api/v1/${PATH[kind]}?${query}`, origin.replace('http', 'ws')).href
}

/** Message that an effect sends; null if it sends none. */
export function toMessage(effect: StreamEffect): string | null {
  const toText = (request: ViewerRequest) => JSON.stringify(request)
  switch (effect.type) {
    case 'ack':
      return toText({ type: 'ack', seq: effect.seq })
    case 'ask-snapshot':
      return toText({ type: 'snapshot' })
    case 'ping':
      return PING
    default:
      return null
  }
}
