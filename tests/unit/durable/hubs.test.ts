import { describe, expect, it } from 'vitest'
import { withRequestId } from '#durable/fault-log.ts'
import { createHubs, isHubName } from '#durable/hubs.ts'
import { newHubName } from '#security/hub-name.ts'

const BITS = '0123456789abcdef'.repeat(2)

/** Fake namespaces that record how each object was addressed, and how it was called. */
function fakeEnv(vars: Partial<Env> = {}) {
  const addressed: unknown[] = []
  const calls: unknown[] = []
  const namespace = (jurisdiction: string | null) => ({
    getByName: (name: string, options?: unknown) => {
      addressed.push([name, options ?? null, jurisdiction])
      return { rpc: async (...args: unknown[]) => void calls.push(args) }
    },
    jurisdiction: (name: string) => namespace(name),
  })
  const env = { ROUTER_HUB: namespace(null), NETWORK_HUB: namespace(null), ACCOUNT_HUB: namespace(null) }
  return { env: { ENVIRONMENT: 'production', ...env, ...vars } as unknown as Env, addressed, calls }
}

const resolveHub = async (hub: string, vars: Partial<Env> = {}) => {
  const { env, addressed } = fakeEnv(vars)
  await createHubs(env).router(hub).refresh()
  return addressed
}

describe('the name of a hub', () => {
  it.each([`apac.${BITS}`, `default.${BITS}`, `eu.${BITS}`])('%s is one', (name) => expect(isHubName(name)).toBe(true))
  it.each(['router:12', '', `apac.${BITS.slice(1)}`, `.${BITS}`, BITS, undefined])('%s is none', (name) =>
    expect(isHubName(name)).toBe(false),
  )

  it.each([
    ['a location hint goes with the call', `weur.${BITS}`, {}, { locationHint: 'weur' }, null],
    ['a jurisdiction goes through its namespace', `eu.${BITS}`, {}, null, 'eu'],
    ['a jurisdiction is plain in local runs', `eu.${BITS}`, { ENVIRONMENT: 'local' as const }, null, null],
    ['the default is no preference', `default.${BITS}`, {}, null, null],
    ['the default is HUB_PLACE, a hint', `default.${BITS}`, { HUB_PLACE: 'apac' }, { locationHint: 'apac' }, null],
    ['the default is HUB_PLACE, a jurisdiction', `default.${BITS}`, { HUB_PLACE: 'eu' }, null, 'eu'],
    ['HUB_PLACE moves no hub that has a place', `oc.${BITS}`, { HUB_PLACE: 'eu' }, { locationHint: 'oc' }, null],
    ['an unknown place is no preference', `moon.${BITS}`, {}, null, null],
  ])('%s', async (_, hub, vars, options, jurisdiction) => {
    expect(await resolveHub(hub, vars)).toEqual([[hub, options, jurisdiction]])
  })

  it('is made at every place, also where HUB_PLACE is set to nothing', () => {
    for (const place of ['apac', 'eu', 'default', '']) expect(isHubName(newHubName(place))).toBe(true)
    expect(newHubName('')).toMatch(/^default\./)
    expect(() => newHubName('EU')).toThrow('no place of hubs')
  })

  it('of an earlier release is never called', async () => {
    await expect(resolveHub('router:12')).rejects.toThrow('not the name of a hub')
  })
})

describe('a call of a hub', () => {
  it('carries the id of the request, in a hub that of the call it is handling', async () => {
    const { env, calls } = fakeEnv()
    const hub = `default.${BITS}`
    await createHubs(env, 'request-1').router(hub).checkLease(true)
    await withRequestId('request-2', () => createHubs(env).account(hub).refresh())
    await createHubs(env).network(hub).status(1)
    expect(calls).toEqual([
      ['request-1', 'checkLease', [true]],
      ['request-2', 'refresh', []],
      [undefined, 'status', [1]],
    ])
  })
})
