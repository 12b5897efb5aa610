import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import type { AlertChannels } from '#durable/account-hub/alerts/alert-channels.ts'
import { RULE_DEFAULTS } from '#contract/monitor/alert.ts'
import type { StateMove } from '#contract/kernel/hubs.ts'
import { noConfig } from '#domain/router/presence.ts'
import type { Delivery } from '#domain/monitor/delivery.ts'
import type { SendResult } from '#domain/monitor/lane.ts'
import { newHubName } from '#security/hub-name.ts'
import { repetitions } from '#tests/support/depth.ts'
import { createRandom } from '#tests/support/random.ts'
import { insertHardwareRouters, unique } from '#tests/support/rows.ts'
import { MINUTE, useMonitoredNetwork } from './monitored-network.ts'
import { later } from './support.ts'

const TRANSITIONS = repetitions(10_000)
const MEMBERS = 40
const { network, stub, selectMessages, saveSettings, sweepNothing, sendBy, passAlarms } = useMonitoredNetwork(0)

interface Absence {
  readonly name: string
  readonly from: number
  readonly to: number
}

it(
  `${TRANSITIONS} random transitions through a hub that is evicted and aborted, to receivers that fail and are slow`,
  { timeout: 180_000 },
  async () => {
    const { next: random } = createRandom(20)
    const members = Array.from({ length: MEMBERS }, (_, i) => ({ name: unique(`NL${i}-`), hub: newHubName('default') }))
    await insertHardwareRouters(
      network.accountId,
      members.map(({ name }) => name),
    )
    await saveSettings({ webhookConfirm: 1 })

    const received: Pick<Delivery, 'id' | 'alertId' | 'kind' | 'title' | 'tries'>[] = []
    /** Those that never answer: the hub is away before they do. */
    let isSlow = false
    const receive = async (one: Delivery): Promise<SendResult> => {
      received.push(one)
      if (isSlow) return new Promise<never>(() => {})
      const chance = random()
      if (chance < 0.05) throw new Error('Network connection lost.')
      return chance < 0.2
        ? { kind: 'retry', code: '500', words: 'busy', afterMs: 0 }
        : { kind: 'ok', code: '0', words: '' }
    }
    const { site } = await runInDurableObject(stub(), (hub) => hub['monitor']['channels'])
    const channels: AlertChannels = {
      mail: receive,
      webhook: receive,
      async site(accountId, deliveries) {
        await site(accountId, deliveries)
        if (random() < 0.2) throw new Error('Network connection lost.') // behind the commit
      },
    }
    const wake = async () => {
      await sendBy(channels)
      await sweepNothing()
    }
    const crash = async () => {
      isSlow = random() < 0.5
      await runDurableObjectAlarm(stub())
      await runInDurableObject(stub(), (_, state) => state.abort('crash')).catch(() => {})
      isSlow = false
      await wake()
    }
    await wake()

    const since = new Map<string, number>()
    const absences: Absence[] = []
    /** A member's next changes, in one report as its outbox brings them. */
    const report = async ({ name, hub }: (typeof members)[number], count: number) => {
      const moves: StateMove[] = []
      for (let i = 0; i < count; i++) {
        const from = since.get(name)
        later(1 + Math.floor(random() * 2_000))
        const at = Date.now()
        moves.push(
          from === undefined
            ? { from: 'online', to: 'offline', at, reason: '' }
            : { from: 'offline', to: 'online', at, reason: '' },
        )
        if (from === undefined) since.set(name, at)
        else {
          since.delete(name)
          absences.push({ name, from, to: at })
        }
      }
      const { to: state, at } = moves.at(-1)!
      await stub().routerChanged({
        routerHub: hub,
        routerName: name,
        moves,
        missing: [],
        unsupported: [],
        seenIn: [network.number],
        presence: { state, since: at, last_seen: at, reason: '' },
        config: noConfig,
      })
    }
    for (let done = 0; done < TRANSITIONS;) {
      const count = 1 + Math.floor(random() * 16)
      await report(members[Math.floor(random() * MEMBERS)]!, count)
      done += count
      const chance = random()
      if (chance < 0.06) await passAlarms(random() * 6 * MINUTE)
      else if (chance < 0.1) later(random() * 10 * MINUTE) // its alarm is late
      else if (chance < 0.12) await evictDurableObject(stub()).then(wake)
      else if (chance < 0.14) await crash()
    }
    for (const member of members) if (since.has(member.name)) await report(member, 1)
    await passAlarms(60 * MINUTE)

    const rows = await runInDurableObject(stub(), (_, { storage }) => {
      const read = <T>(sql: string) =>
        storage.sql
          .exec<{ body: string }>(sql)
          .toArray()
          .map(({ body }) => JSON.parse(body) as T)
      return {
        records: [
          ...read<Absent>("SELECT body FROM alerts WHERE rule = 'router_offline'"),
          ...read<Absent>('SELECT body FROM alert_children'),
        ],
        deliveries: read<Delivery>('SELECT body FROM deliveries'),
      }
    })
    const byName = Map.groupBy(rows.records, ({ object }) => object)
    const needMs = RULE_DEFAULTS.router_offline.delayMinutes * MINUTE
    const missing = absences.filter(
      ({ name, from, to }) =>
        to - from >= needMs &&
        !(byName.get(name) ?? []).some((one) => one.startedAt <= from && (one.endedAt ?? Infinity) >= from),
    )
    expect(missing).toEqual([])
    expect(absences.filter(({ from, to }) => to - from >= needMs).length).toBeGreaterThan(TRANSITIONS / 100)

    // Every delivery is done, and reached its receiver by itself or within a digest.
    expect(new Set(rows.deliveries.map(({ state }) => state))).toEqual(new Set(['sent', 'merged']))
    const ids = new Set(received.map(({ id }) => id))
    expect(
      rows.deliveries.filter(({ channel, state, id }) => channel !== 'site' && state === 'sent' && !ids.has(id)),
    ).toEqual([])

    // One site message of each beginning and each end.
    const messages = await selectMessages()
    const onSite = rows.deliveries.filter(({ channel, state }) => channel === 'site' && state === 'sent')
    expect(messages.map(({ eventId }) => eventId).toSorted()).toEqual(onSite.map(({ id }) => id).toSorted())
    const keys = onSite.map(({ alertId, kind }) => `${alertId} ${kind}`)
    expect(new Set(keys).size).toBe(keys.length)

    // A repeat carries the same id and the same text.
    const tries = Map.groupBy(received, ({ id }) => id)
    expect([...tries.values()].filter((same) => new Set(same.map(({ title }) => title)).size > 1)).toEqual([])
    expect([...tries.values()].filter((same) => same.length > 1).length).toBeGreaterThan(TRANSITIONS / 1_000)
  },
)

interface Absent {
  readonly object: string
  readonly startedAt: number
  readonly endedAt: number | null
}
