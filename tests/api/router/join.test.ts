import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { accounts, services } from '#db/schema/accounts.ts'
import { updateNetworkStatus } from '#features/network/sql/status.ts'
import { activationHash, newActivationCode } from '#security/device-secrets.ts'
import {
  type Caller,
  createFleet,
  createNetwork,
  createService,
  createSubAccount,
  memberRows,
  networkRow,
  selectAudits,
  unique,
} from '#tests/support/fixtures.ts'
import { insertDevice } from '#tests/support/rows.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

async function createBox() {
  const [serial, code] = [unique('NL-').toUpperCase(), newActivationCode()]
  const hash = await activationHash(env.HMAC_SECRET, serial, code)
  await insertDevice({ serial, activationHash: hash })
  return { router_type: 1 as const, username: serial, code }
}

/** An account with two networks, and a role limited to the first that may add members and nothing else. */
async function createBranch(memberQuota = 6) {
  const { main, routers, apps } = await createFleet({ memberQuota })
  await createService(main.accountId, 'software_member', 5)
  await db
    .update(accounts)
    .set({ sign: unique('s') })
    .where(eq(accounts.id, main.accountId))
  const own = await createNetwork(main, [routers[0]!, routers[1]!, apps[0]!], '分支网')
  const hidden = await createNetwork(main, [routers[2]!], '别的网')
  const sub = await createSubAccount(main, { flags: ['router:create'], networks: [own] })
  return { main, routers, own, hidden, sub }
}
const names = async (who: Caller) => (await who.call(routerApi.lists, {})).data.map(({ router_name }) => router_name)

describe('network 6 · a role limited to networks adds members straight into one of them', () => {
  it('a device joins as a point in the batch that claims it; the centre and the network hear of it', async () => {
    const { main, routers, own, sub } = await createBranch()
    const since = hubCalls.length
    const box = await createBox()
    const reply = await sub.call(routerApi.add, { ...box, network_number: own })
    expect(reply).toMatchObject({ code: 200, trips: 2, data: { router_name: box.username } })
    const rows = await memberRows(own)
    expect(rows.map(({ memberType, host }) => [memberType, host])).toEqual([
      ['center', 2],
      ['point', 3],
      ['point', 4094],
      ['point', 4],
    ])
    const { hub, revision } = await networkRow(own)
    expect(revision).toBe(2)
    const notified = hubCalls.slice(since).map(({ kind, hub: name }) => `${kind} ${name}`)
    expect(notified).toEqual(expect.arrayContaining([`network ${hub}`, `router ${routers[0]!.hub}`]))
    expect(notified).toHaveLength(3) // and the device's own
    expect(await names(sub)).toContain(box.username)
    const audits = await selectAudits(main.accountId)
    expect(audits.slice(-2).map(({ module, action, target }) => [module, action, target])).toEqual([
      ['router', 'add', box.username],
      ['network', 'add_member', own],
    ])
  })

  it('a software member takes a number from the other end', async () => {
    const { own, sub } = await createBranch()
    const form = { router_type: 2, username: unique('u'), password: 'Weilai26', network_number: own } as const
    expect(await sub.call(routerApi.add, form)).toMatchObject({ code: 200, trips: 2 })
    expect((await memberRows(own)).at(-1)).toMatchObject({ memberType: 'point', host: 4093 })
  })

  it('must name a network that it covers', async () => {
    const { own, hidden, sub } = await createBranch()
    const box = await createBox()
    expect(await sub.call(routerApi.add, box)).toMatchObject(refusal('NETWORK_CHOICE_REQUIRED'))
    for (const network_number of [hidden, '1000000000'])
      expect(await sub.call(routerApi.add, { ...box, network_number })).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await sub.call(routerApi.add, { ...box, network_number: own })).toMatchObject({ code: 200 })
  })

  it('a role for all networks needs the right to edit one', async () => {
    const { main, own } = await createBranch()
    const box = await createBox()
    const creator = await createSubAccount(main, { flags: ['router:create'] })
    expect(await creator.call(routerApi.add, { ...box, network_number: own })).toMatchObject(
      refusal('PERMISSION_DENIED'),
    )
    expect(await main.call(routerApi.add, { ...box, network_number: own })).toMatchObject({ code: 200 })
  })

  it('quota and suspension refuse the whole: nothing is claimed', async () => {
    const { main, own, sub } = await createBranch(4)
    const box = await createBox()
    const add = () => sub.call(routerApi.add, { ...box, network_number: own })
    expect(await add()).toMatchObject(refusal('MEMBER_LIMIT_REACHED', { limit: 4 }))
    await db.update(services).set({ quantity: 1 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatus(db, main.accountId, Date.now())
    expect(await add()).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await names(main)).not.toContain(box.username)
  })

  it('a member added meanwhile costs one more read, and both join', async () => {
    const { main, routers, own, sub } = await createBranch()
    const input = { network_number: own, router_name: routers[3]!.name, member_type: 'point' as const }
    const { call } = createTestWorker({ afterFirstTrip: () => main.call(networkApi.addMember, input) })
    const box = await createBox()
    const reply = await call(routerApi.add, { ...box, network_number: own }, sub.token)
    expect(reply).toMatchObject({ code: 200 })
    expect((await memberRows(own)).map(({ host }) => host).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 4094])
  })
})

describe('network 6 · a member that a limited role took out stays visible to it', () => {
  async function createEditor() {
    const branch = await createBranch()
    const sub = await createSubAccount(branch.main, { flags: PERMISSIONS, networks: [branch.own] })
    const point = branch.routers[1]!
    const target = { network_number: branch.own, router_name: point.name }
    return { ...branch, sub, point, target }
  }

  it('while it is in no network: it can be put back', async () => {
    const { main, sub, point, target, hidden } = await createEditor()
    const stranger = await createSubAccount(main, { flags: PERMISSIONS, networks: [hidden] })
    expect(await sub.call(networkApi.removeMember, target)).toMatchObject({ code: 200, trips: 2 })
    expect(await names(sub)).toContain(point.name)
    expect(await names(stranger)).not.toContain(point.name)
    expect((await sub.call(routerApi.member, {})).data.router).toContainEqual(
      expect.objectContaining({ router_name: point.name, networks: [] }),
    )
    expect(await sub.call(networkApi.addMember, { ...target, member_type: 'point' })).toMatchObject({ code: 200 })
  })

  it('not once it is in a network of others', async () => {
    const { main, sub, point, target, hidden } = await createEditor()
    await sub.call(networkApi.removeMember, target)
    await main.call(networkApi.addMember, { ...target, network_number: hidden, member_type: 'point' })
    expect(await names(sub)).not.toContain(point.name)
    await main.call(networkApi.removeMember, { ...target, network_number: hidden })
    expect(await names(sub)).not.toContain(point.name)
  })

  it('not what somebody else took out', async () => {
    const { main, sub, point, target } = await createEditor()
    await main.call(networkApi.removeMember, target)
    expect(await names(sub)).not.toContain(point.name)
  })
})
