import { describe, expect, it } from 'vitest'
import type { OpenAlert } from '#contract/kernel/hubs.ts'
import { row } from '#domain/health/attention-facts.ts'
import { HANDLED_MS, findAlert, withHandler } from '#domain/health/handling.ts'

const NOW = 1_800_000_000_000
const facts = { name: '总部', cause: '离线', since: NOW - 60_000 }
const center = row('center_offline', { type: 'router', router_name: 'NL1' }, facts)
const alert = (over: Partial<OpenAlert> = {}): OpenAlert => ({
  id: 'a1',
  rule: 'router_offline',
  object: 'NL1',
  networks: ['N1'],
  ackBy: null,
  ackAt: null,
  ...over,
})
const handler = (at: number, trouble = center.id) => ({ trouble, name: 'li', at })
const handledOf = (of: typeof center, alerts: readonly OpenAlert[], handlers: readonly ReturnType<typeof handler>[]) =>
  withHandler(of, { alerts, handlers, now: NOW }).handled

describe('a row that somebody handles', () => {
  it('keeps its id while its kind changes, so that its handler stays', () => {
    const kinds = ['suspected', 'center_offline', 'member_offline', 'member_unreadable', 'network_down'] as const
    const ids = kinds.map((kind) => row(kind, { type: 'router', router_name: 'NL1' }, facts).id)
    expect(new Set(ids).size).toBe(1)
    expect(row('member_flapping', { type: 'router', router_name: 'NL1' }, facts).id).not.toBe(ids[0])
  })

  it('has the name and time of the acknowledgement of its alert, or else of its own handler', () => {
    const acknowledged = alert({ ackBy: 'wang', ackAt: NOW - 5_000 })
    expect(handledOf(center, [acknowledged], [handler(NOW - 9_000)])).toEqual({ by: 'wang', at: NOW - 5_000 })
    expect(handledOf(center, [alert()], [handler(NOW - 9_000)])).toEqual({ by: 'li', at: NOW - 9_000 })
    expect(handledOf(center, [], [handler(NOW - 9_000, 'outage NL2')])).toBeNull()
  })

  it('has none any more after a day, or if the trouble began again since', () => {
    const old = { ...center, since: NOW - 2 * HANDLED_MS }
    expect(handledOf(old, [], [handler(NOW - HANDLED_MS + 1)])).not.toBeNull()
    expect(handledOf(old, [], [handler(NOW - HANDLED_MS)])).toBeNull()
    expect(handledOf(center, [], [handler(NOW - 60_001)])).toBeNull()
    expect(handledOf({ ...center, since: null }, [], [handler(NOW - 60_001)])).not.toBeNull()
  })
})

describe('the alert of a row', () => {
  it('is about the same device and trouble, or about many at once', () => {
    expect(findAlert(center, [alert({ object: 'NL2' }), alert()])?.id).toBe('a1')
    expect(findAlert(center, [alert({ rule: 'flapping' })])).toBeUndefined()
    const fleet = row('fleet_offline', { type: 'members' }, facts)
    expect(findAlert(fleet, [alert(), alert({ id: 'many', object: '*' })])?.id).toBe('many')
    const together = alert({ id: 'both', object: 'NL2', centers: ['NL2', 'NL1'] })
    expect(findAlert(center, [together])?.id).toBe('both')
    expect(findAlert(fleet, [alert({ id: 'p', object: 'NL9' }), together])?.id).toBe('both')
    const site = row('site_offline', { type: 'members' }, { ...facts, object: '203.0.113.7' })
    expect(findAlert(site, [alert({ object: '*' }), alert({ id: 's', object: 'site/203.0.113.7' })])?.id).toBe('s')
    const failing = row('suspected', { type: 'network', network_number: 'N1' }, facts)
    expect(findAlert(failing, [alert(), alert({ id: 'n', object: 'network/N1' })])?.id).toBe('n')
    const config = row('config_unsynced', { type: 'router', router_name: 'NL1' }, facts)
    expect(findAlert(config, [alert(), alert({ id: 'c', rule: 'config_failed' })])?.id).toBe('c')
    const pop = row('pop_offline', { type: 'network', network_number: 'N1' }, facts)
    expect(findAlert(pop, [alert({ rule: 'pop_connect', object: 'N1/node' })])?.id).toBe('a1')
    const directory = row('directory_asking', { type: 'directory' }, facts)
    expect(findAlert(directory, [alert({ rule: 'directory_sync', object: 'stop' })])?.id).toBe('a1')
    const quota = row('quota_full', { type: 'quota' }, facts)
    expect(findAlert(quota, [alert()])).toBeUndefined()
  })
})
