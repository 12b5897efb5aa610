import { OVERLOAD } from '#contract/kernel/limits.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { retryDelayMs } from '#infra/agent/hub/retry.ts'
import { reconnectDelayMs } from '#lib/live/live-stream.ts'

/*
 * Model of a reconnect storm that no machine here can hold: routers and consoles that a restart cuts off come back over one
 * database, which answers one call after the other and refuses those that would wait too long.
 */

interface StormLoad {
  readonly routers: number
  readonly consoles: number
  /** Calls of the database as `npm run bench storm` counts them: until a router is connected, of its hub behind that, until a console is. */
  readonly calls: { readonly connect: number; readonly hub: number; readonly console: number }
}

interface StormLimits {
  readonly perSecond: number
  /** Longest wait in the queue of the database. */
  readonly shedMs: number
  /** Time over which routers come back. */
  readonly spreadMs: number
}

/** Times in ms since the restart. */
interface StormTimes {
  readonly routers: number
  readonly consoles: number
}

interface Client {
  readonly group: keyof StormTimes
  /** Calls in turn; a refused one begins anew. */
  readonly calls: number
  /** Calls that it causes once it is back. */
  readonly after: number
  retryMs(attempts: number): number
  attempts: number
  answered: number
}

/** Time until the last router and the last console are back. `random` in [0, 1). */
export function modelStorm(
  { routers, consoles, calls }: StormLoad,
  limits: StormLimits,
  random: () => number,
): StormTimes {
  const times = { routers: 0, consoles: 0 }
  const calendar = new Calendar()
  const database = createDatabase(limits)
  const perform = (client: Client, now: number) => {
    if (client.answered >= client.calls) return comeBack(client, now)
    const at = database(now)
    if (at === null) {
      client.attempts += 1
      client.answered = 0
      return calendar.add(now + client.retryMs(client.attempts), (later) => perform(client, later))
    }
    client.answered += 1
    calendar.add(at, (later) => perform(client, later))
  }
  const comeBack = ({ group, after }: Client, now: number) => {
    times[group] = Math.max(times[group], now)
    for (let n = 0; n < after; n++) save(now)
  }
  const save = (now: number): void => {
    if (database(now) === null) calendar.add(now + refusedMs(random), save)
  }
  for (let n = 0; n < routers; n++) {
    const client = createRouter(calls, random)
    const restart = { code: CLOSE.restart, attempt: 1, wasUp: true }
    calendar.add(retryDelayMs(restart, limits.spreadMs, random), (now) => perform(client, now))
  }
  for (let n = 0; n < consoles; n++) {
    const client = createConsole(calls, random)
    calendar.add(reconnectDelayMs(1, random()), (now) => perform(client, now))
  }
  calendar.run()
  return times
}

/** A count of some, as the whole number of one of them. */
const drawn = (count: number, random: () => number): number => Math.floor(count + random())

const refusedMs = (random: () => number): number => OVERLOAD.retryAfterS * 1_000 * (1 + random())

function createRouter({ connect, hub }: StormLoad['calls'], random: () => number): Client {
  const retryMs = (attempt: number) =>
    retryDelayMs({ code: CLOSE.restart, attempt, wasUp: false, retryAfterMs: refusedMs(random) }, 0, random)
  return {
    group: 'routers',
    calls: drawn(connect, random),
    after: drawn(hub, random),
    retryMs,
    attempts: 0,
    answered: 0,
  }
}

function createConsole({ console }: StormLoad['calls'], random: () => number): Client {
  const retryMs = (attempts: number) => Math.max(reconnectDelayMs(attempts + 1, random()), refusedMs(random))
  return { group: 'consoles', calls: drawn(console, random), after: 0, retryMs, attempts: 0, answered: 0 }
}

/** A single server. It answers the time at which a call is over, or null for one that is refused at once. */
function createDatabase({ perSecond, shedMs }: StormLimits): (now: number) => number | null {
  let freeAt = 0
  return (now) => {
    if (freeAt - now > shedMs) return null
    freeAt = Math.max(freeAt, now) + 1_000 / perSecond
    return freeAt
  }
}

/** Work by the millisecond at which it is due. */
class Calendar {
  private readonly due: ((now: number) => void)[][] = []

  add(at: number, work: (now: number) => void): void {
    ;(this.due[Math.ceil(at)] ??= []).push(work)
  }

  run(): void {
    for (let now = 0; now < this.due.length; now++) for (const work of this.due[now] ?? []) work(now)
  }
}
