import { createHash } from 'node:crypto'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import type { SentDocument } from '#contract/device/document.ts'
import type { Clock } from '#infra/agent/clock.ts'
import type { Dial, DialSource } from '#infra/agent/reports/dial-reporter.ts'

/* Simulated dials into a virtual centre: software members that come, stay for a while and return. */

/** Average time that a virtual client stays, and time that it is away. */
const STAY_MS = 40 * 60_000
const AWAY_MS = 20 * 60_000
const PRESENT_SHARE = STAY_MS / (STAY_MS + AWAY_MS)
const FIRST_MS = 20_000
const BYTES_PER_SECOND = 20_000

interface Caller {
  readonly network: string
  readonly name: string
  /** Version of the credential; a new one ends the sessions of an earlier one. */
  readonly credentialVersion: number
}

export function virtualDials(serial: string, clock: Clock, random: () => number): DialSource {
  let report: (...dials: readonly Dial[]) => void = () => {}
  let callers: readonly Caller[] = []
  const open = new Map<string, Dial>()
  const known = new Set<string>()
  let versions: ReadonlyMap<string, number> = new Map()
  let cancel: () => void = () => {}
  let tickedAt = clock.monotonic()
  const keyOf = ({ network, name }: Pick<Caller, 'network' | 'name'>) => `${network} ${name}`

  const grown = (dial: Dial, ms: number): Dial => {
    const bytes = Math.round((ms / 1000) * BYTES_PER_SECOND * random())
    return { ...dial, rx: dial.rx + Math.round(bytes / 4), tx: dial.tx + bytes }
  }
  const close = (id: string, dial: Dial) => {
    open.delete(id)
    report({ ...dial, endedAt: clock.now() })
  }
  const start = (id: string, { network, name }: Caller) => {
    const dial = {
      key: createHash('sha256').update(`${serial} ${id} ${clock.now()} ${random()}`).digest('base64url').slice(0, 22),
      network_number: network,
      name,
      remote: `198.51.100.${1 + Math.floor(random() * 250)}`,
      beganAt: clock.now(),
      endedAt: null,
      rx: 0,
      tx: 0,
    }
    open.set(id, dial)
    report(dial)
  }
  const tick = () => {
    const now = clock.monotonic()
    const passedMs = now - tickedAt
    tickedAt = now
    for (const caller of callers) {
      const id = keyOf(caller)
      const dial = open.get(id)
      if (!dial) {
        if (random() < (known.has(id) ? passedMs / AWAY_MS : PRESENT_SHARE)) start(id, caller)
        known.add(id)
        continue
      }
      const moved = grown(dial, passedMs)
      open.set(id, moved)
      if (random() < passedMs / STAY_MS) close(id, moved)
      else report(moved)
    }
    if (callers.length > 0) plan(DIAL.updateMs)
  }
  const plan = (ms: number) => {
    cancel()
    cancel = clock.after(ms * (0.8 + 0.4 * random()), tick)
  }

  return {
    start(onDial) {
      report = onDial
    },
    serve(document) {
      const hadCallers = callers.length > 0
      callers = callersOf(document)
      if (!hadCallers && callers.length > 0) plan(FIRST_MS)
      const before = versions
      versions = new Map(callers.map((caller) => [keyOf(caller), caller.credentialVersion]))
      for (const [id, dial] of open) if (versions.get(id) !== before.get(id)) close(id, dial)
    },
    end(network, name) {
      const id = keyOf({ network, name })
      const dial = open.get(id)
      if (dial) close(id, dial)
      return dial === undefined ? 0 : 1
    },
    stop() {
      cancel()
      for (const [id, dial] of open) close(id, dial)
    },
  }
}

const callersOf = (document: SentDocument | null): readonly Caller[] =>
  (document?.networks ?? []).flatMap(({ network_number: network, servers = [] }) =>
    servers.flatMap(({ accounts }) =>
      accounts.map(({ name, credential_version: version = 0 }) => ({ network, name, credentialVersion: version })),
    ),
  )
