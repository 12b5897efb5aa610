import { expect, it } from 'vitest'
import { type HubMember, type HubProjection, areCentersApplied } from '#durable/network-hub/projection.ts'
import { noConfig } from '#domain/router/presence.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const center = (over: Partial<HubMember> = {}): HubMember => ({
  router_hub: 'default.a',
  router_name: 'A',
  router_type: 1,
  member_type: 'center',
  presence: { state: 'online', since: 0, reason: '', last_seen: 0 },
  config: { ...noConfig, state: 'applied' },
  tunnels: { seenAt: '203.0.113.7', wan: '203.0.113.7' },
  compiled: 4,
  ...over,
})
const inState = (state: HubMember['config']['state']) => ({ config: { ...noConfig, state } })
const ofPresence = (state: HubMember['presence']['state']) => ({ presence: { ...center().presence, state } })

it('infra/docs/hubs.md · points wait for centres that are present and do not run the revision yet', async () => {
  const cases: readonly (readonly [string, Partial<HubMember> | null, boolean])[] = [
    ['runs it', {}, true],
    ['runs a later one', { compiled: 5 }, true],
    ['has not read it', { compiled: 3 }, false],
    ['has not reported any', { compiled: undefined } as unknown as Partial<HubMember>, false],
    ['is pushed', inState('pushing'), false],
    ['is queued', inState('queued'), false],
    ['has refused it', inState('failed'), true],
    ['has given up', inState('unsynced'), true],
    ['is offline', { ...ofPresence('offline'), compiled: 3 }, true],
    ['is disabled', { ...ofPresence('disabled'), compiled: 3 }, true],
    ['reconnects', { ...ofPresence('reconnecting'), compiled: 3 }, false],
    ['runs no tunnels', { tunnels: undefined, compiled: 3 } as unknown as Partial<HubMember>, true],
    ['is not in the rows yet', null, false],
  ]
  const offenders = await findOffenders(cases)((_, over, isApplied) => {
    const members = new Map(over === null ? [] : [['A', center(over)]])
    const projection: HubProjection = { members, links: new Map() }
    expect(areCentersApplied(projection, { centers: ['A'], revision: 4 })).toBe(isApplied)
    const both = { ...projection, members: new Map([...members, ['B', center()]]) }
    expect(areCentersApplied(both, { centers: ['B', 'A'], revision: 4 })).toBe(isApplied)
  })
  expect(offenders).toEqual([])
  expect(areCentersApplied({ members: new Map(), links: new Map() }, { centers: [], revision: 4 })).toBe(true)
})
