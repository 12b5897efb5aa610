import { DEVICE_TOKEN, SESSION } from '../worker/contract/limits.ts'

const KEEP_MS = 1000 * Math.max(SESSION.ticketSeconds, DEVICE_TOKEN.seconds + DEVICE_TOKEN.leewaySeconds)

/** Replay cache: true the first time the id of a ticket or a device token is seen. Entries live as long as the token is valid. */
export function rememberNonce({ kv }: DurableObjectStorage, id: string, now: number): boolean {
  const used = (kv.get<(readonly [id: string, until: number])[]>('used') ?? []).filter(([, until]) => until > now)
  if (used.some(([known]) => known === id)) return false
  kv.put('used', [...used, [id, now + KEEP_MS]])
  return true
}
