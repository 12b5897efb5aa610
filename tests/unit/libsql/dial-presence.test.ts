import fc from 'fast-check'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import { dialsAt, endDials, type DialRow, saveDials } from '#features/router/sql/dials.ts'
import { updateRouter, updateSoftwarePresence } from '#features/router/sql/routers.ts'
import { stateOfStatus } from '#domain/router/presence.ts'
import { endDials as endLostDials } from '#jobs/expiry.ts'
import { newHubName } from '#security/hub-name.ts'
import { repetitions } from '#tests/support/depth.ts'
import { NOW, createAccount, createRouters, db, run } from '#tests/support/libsql.ts'

/** Reference for the SQL of worker/features/router/sql/dials.ts. */
function stateOfDials(before: PresenceState, dials: readonly { readonly isOpen: boolean }[]): PresenceState {
  if (before === 'disabled' || dials.length === 0) return before
  return dials.some(({ isOpen }) => isOpen) ? 'online' : 'offline'
}

const SERVERS = 2
const CLIENTS = 2
/** Dials of each member at each server. */
const DIALS = 2

/** An account with two centres and two software members. */
async function createDialNetwork() {
  const { id: accountId } = await createAccount(9)
  await createRouters(accountId, SERVERS, CLIENTS)
  const number = `N${accountId}`
  await run(`insert into networks (account_id, number, name, secret, created_at, hub) values (?, ?, '网', 'x', 0, ?)`, [
    accountId,
    number,
    newHubName('default'),
  ])
  const rows = await run(`select id, name, hub from routers where account_id = ? order by id`, [accountId])
  const routers = rows.map((row) => ({ id: Number(row['id']), name: String(row['name']), hub: String(row['hub']) }))
  const [servers, clients] = [routers.slice(0, SERVERS), routers.slice(SERVERS)]
  return { accountId, number, servers, clients }
}
type DialNetwork = Awaited<ReturnType<typeof createDialNetwork>>

/** Expected rows, by the pure rule and the events so far. */
class Model {
  /** By server, client and number: open, ended by its device, or reported no more. */
  readonly dials = new Map<string, { state: 'open' | 'ended' | 'lost'; seenAt: number }>()
  readonly states: PresenceState[] = Array.from({ length: CLIENTS }, () => 'never')
  readonly statuses: (0 | 1)[] = Array.from({ length: CLIENTS }, () => 1)

  report(key: string, isOpen: boolean, now: number): void {
    const known = this.dials.get(key)?.state
    const state = known === 'ended' ? 'ended' : isOpen ? 'open' : 'ended'
    this.dials.set(key, { state, seenAt: now })
    this.evaluate(clientOf(key))
  }

  lose(isLost: (key: string, seenAt: number) => boolean): void {
    const keys = [...this.dials].filter(([key, { state, seenAt }]) => state === 'open' && isLost(key, seenAt))
    for (const [key, dial] of keys) this.dials.set(key, { ...dial, state: 'lost' })
    for (const client of new Set(keys.map(([key]) => clientOf(key)))) this.evaluate(client)
  }

  private evaluate(client: number): void {
    if (this.statuses[client] === 0) return
    const own = [...this.dials].filter(([key]) => clientOf(key) === client)
    const dials = own.map(([, { state }]) => ({ isOpen: state === 'open' }))
    this.states[client] = stateOfDials(this.states[client]!, dials)
  }
}

const keyOf = (server: number, client: number, dial: number) => `${server}${client}${dial}`
const clientOf = (key: string) => Number(key[1])

const selectStates = async ({ clients }: DialNetwork) => {
  const rows = await run(`select * from router_states order by router_id`)
  return clients.map(({ id }) => rows.find((row) => row['router_id'] === id))
}

const sinceOf = (row: Awaited<ReturnType<typeof selectStates>>[number]) =>
  (row?.['presence_since'] ?? null) as number | null

const server = fc.nat(SERVERS - 1)
const client = fc.nat(CLIENTS - 1)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('report' as const),
      server,
      reports: fc.array(fc.record({ client, dial: fc.nat(DIALS - 1), isOpen: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('away' as const), server }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('lost' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('status' as const), client, status: fc.constantFrom(0 as const, 1) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('notified' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
/** Two hubs do not have the same clock. */
const clock = fc.integer({ min: -500, max: DIAL.lostMs / 2 })

async function perform(network: DialNetwork, model: Model, event: Step, now: number): Promise<void> {
  const { accountId, number, servers, clients } = network
  switch (event.what) {
    case 'report': {
      const { hub } = servers[event.server]!
      const rows = new Map<string, DialRow>()
      for (const { client: n, dial, isOpen } of event.reports) {
        const key = keyOf(event.server, n, dial)
        const times = { startAt: now - 60_000, endAt: isOpen ? null : now - 1_000 }
        const member = { number, name: clients[n]!.name, mode: 'p2p' as const, remote: '', vpnIp: '100.64.0.9' }
        rows.set(key, { key, ...member, ...times, rx: 1, tx: 1, reason: '' })
      }
      await saveDials(db, hub, [...rows.values()], 100, now)
      for (const [key, { endAt }] of rows) model.report(key, endAt === null, now)
      return
    }
    case 'away': {
      const ending = dialsAt(sql`${servers[event.server]!.id}`)
      const { presence, dials } = endDials(db, { ending, reason: 'away' }, now)
      await db.batch([presence, dials])
      return model.lose((key) => key.startsWith(String(event.server)))
    }
    case 'lost':
      await endLostDials({ db, now, hubOutbox: [] })
      return model.lose((_, seenAt) => seenAt < now - DIAL.lostMs)
    case 'status': {
      const { id } = clients[event.client]!
      if (model.statuses[event.client] === event.status) return
      const row = (await selectStates(network))[event.client]
      const lastSeenAt = (row?.['last_seen_at'] ?? null) as number | null
      const state = stateOfStatus(event.status, { lastSeenAt, now })
      await db.batch([
        updateRouter(db, { accountId, id }, { status: event.status }),
        updateSoftwarePresence(db, accountId, id, state),
      ])
      model.statuses[event.client] = event.status
      model.states[event.client] = state.presence
      return
    }
    case 'notified':
      return void (await run(`update router_states set notified_presence = null`))
  }
}

describe('presence of software members', () => {
  it('follows their dials over any sequence of reports, repeats, lost centres and states of the account', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, clock), { minLength: 1, maxLength: 14 }), async (events) => {
        await run(`delete from dial_logs`)
        await run(`delete from router_states`)
        const [network, model] = [await createDialNetwork(), new Model()]
        let now = NOW
        let notified: PresenceState[] = [...model.states]
        let before = await selectStates(network)
        for (const [event, passedMs] of events) {
          now += passedMs
          const old = [...model.states]
          await perform(network, model, event, now)
          if (event.what === 'notified') notified = [...model.states]
          const rows = await selectStates(network)
          const seen = rows.map((row, n) => {
            const [since, known] = [sinceOf(row), sinceOf(before[n])]
            const state = row?.['presence'] ?? 'never'
            const isLater = since === null ? known !== null : since > (known ?? 0)
            return { state, isLater, notified: row?.['notified_presence'] ?? state }
          })
          expect(seen).toEqual(
            model.states.map((state, n) => ({ state, isLater: state !== old[n], notified: notified[n] })),
          )
          before = rows
        }
      }),
      { numRuns: repetitions(120) },
    )
  })

  it.each([
    ['never', [], 'never'],
    ['never', [true], 'online'],
    ['never', [false], 'offline'],
    ['offline', [false, true], 'online'],
    ['online', [true, false], 'online'],
    ['online', [false, false], 'offline'],
    ['disabled', [true], 'disabled'],
  ] as const)('is, from %s with dials open %j, %s', (before, open, after) => {
    const dials = open.map((isOpen) => ({ isOpen }))
    expect(stateOfDials(before, dials)).toBe(after)
  })

  it('is not written by a report that changes no state', async () => {
    const network = await createDialNetwork()
    const [{ hub }, { name, id }] = [network.servers[0]!, network.clients[0]!]
    const row = { key: 'a', number: network.number, name, mode: 'p2p' as const, remote: '', vpnIp: '100.64.0.9' }
    const times = { startAt: NOW, endAt: null, rx: 0, tx: 0, reason: '' }
    await saveDials(db, hub, [{ ...row, ...times }], 9, NOW)
    await run(`update router_states set notified_presence = null where router_id = ?`, [id])
    const { notices } = await saveDials(db, hub, [{ ...row, ...times, rx: 9 }], 9, NOW + 300_000)
    expect(notices).toEqual([])
    const [state] = await selectStates(network)
    expect(state).toMatchObject({ presence: 'online', presence_since: NOW, last_seen_at: NOW, notified_presence: null })
  })
})
