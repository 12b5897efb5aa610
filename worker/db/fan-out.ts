import type { HubTask } from '../contract/hubs.ts'
import { FAN_OUT, OUTBOX } from '../contract/limits.ts'

interface Entry extends HubTask {
  readonly id: string
}

/** Calls that have not begun yet, with the entries that each covers. One whose request was cut off is void after a while. */
const waiting = new Map<string, { readonly ids: string[]; readonly until: number }>()

const keyOf = ({ kind, hub, op }: HubTask): string => `${kind} ${hub} ${op}`

/**
 * The entries to call hubs for. Where a call to the same hub has not begun, that one will read what these announce, too:
 * edits in a row cost a hub no more than it can read.
 */
export function joinWaiting<E extends Entry>(entries: readonly E[], now: number): E[] {
  return entries.filter((entry) => {
    const known = waiting.get(keyOf(entry))
    if (known && known.until > now) {
      known.ids.push(entry.id)
      return false
    }
    waiting.set(keyOf(entry), { ids: [entry.id], until: now + OUTBOX.sweepAfterMs })
    return true
  })
}

/** Ids that the call which begins now covers; none where another has begun in its place. */
export function takeWaiting(entry: Entry): readonly string[] {
  const ids = waiting.get(keyOf(entry))?.ids ?? []
  waiting.delete(keyOf(entry))
  return ids
}

/** Hubs that a large delivery has called of late. */
const calledAt = new Map<string, number>()

/** How long a delivery to these hubs waits; meanwhile later edits of the same network join it. */
export function fanOutWaitMs(entries: readonly Entry[], now: number): number {
  for (const [hub, at] of calledAt) if (at <= now - FAN_OUT.againMs || at > now) calledAt.delete(hub)
  if (entries.length <= FAN_OUT.large) return 0
  return Math.max(0, ...entries.map(({ hub }) => (calledAt.get(hub) ?? -Infinity) + FAN_OUT.againMs - now))
}

/** Marks the hubs of a large delivery that begins. */
export function recordFanOut(entries: readonly Entry[], now: number): void {
  if (entries.length > FAN_OUT.large) for (const { hub } of entries) calledAt.set(hub, now)
}

let busyUntil = 0

/**
 * Runs one group of a large fan-out: one at a time in this isolate, and a pause behind it, so that the calls of other
 * tenants find their turn. A group that hangs gives way after a second; no promise is shared between requests.
 */
export async function inTurn(isLarge: boolean, group: () => Promise<unknown>): Promise<void> {
  if (!isLarge) return void (await group())
  while (Date.now() < busyUntil) await new Promise((done) => setTimeout(done, FAN_OUT.pollMs))
  const startedAt = Date.now()
  busyUntil = startedAt + FAN_OUT.groupMaxMs
  await group()
  const now = Date.now()
  busyUntil = now + Math.min(2 * (now - startedAt), FAN_OUT.pauseMaxMs)
}
