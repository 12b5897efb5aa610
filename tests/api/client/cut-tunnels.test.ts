import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { createClient, clientLogin, readProfile } from '#tests/support/clients.ts'
import { compileDocument } from '#tests/support/documents.ts'
import {
  type TestRouter,
  createMainAccount,
  createMany,
  createNetwork,
  createRouter,
  networkRow,
  refreshed,
  toHubs,
  unique,
} from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { insertSoftwareRouters } from '#tests/support/rows.ts'
import { call, db, hubCalls } from '#tests/support/test-worker.ts'
import { createMemberFile } from '#tests/support/workbooks.ts'

/** Two software members that dial the centre and, by their area, the node; the account has an e-mail address. */
async function createDialled() {
  const sign = unique('s').slice(0, 12)
  const services = { network_member: 10, center: 2, software_member: 10 }
  const main = await createMainAccount({ sign, services, email: `${unique()}@example.com` })
  const [center, point] = await createMany(2, () => createRouter(main.accountId))
  const [member, other] = [await createClient(main, sign), await createClient(main, sign)]
  const network_number = await createNetwork(main, [center!, point!, asRouter(member), asRouter(other)])
  const pop = await createPop()
  const number = await createTicket(main, network_number, [pop], { [pop.id]: [member.name, other.name] })
  await call(opsApi.startNetworkTicket, { number })
  expect(await call(opsApi.completeNetworkTicket, { number })).toMatchObject({ code: 200 })
  const { data } = await clientLogin(member.name)
  return { main, center: center!, node: pop.node, member, other, network_number, token: data.access_token }
}
type Dialled = Awaited<ReturnType<typeof createDialled>>
const asRouter = ({ id, name }: { readonly id: number; readonly name: string }): TestRouter => ({ id, name, hub: '' })

/** Members that may dial, with the version of their credential: a device ends sessions by these. */
const mayDial = async ({ hub }: TestRouter) =>
  Object.fromEntries(
    (await compileDocument(hub)).networks
      .flatMap(({ servers }) => servers.flatMap((server) => server.accounts))
      .map(({ name, credential_version: version }) => [name, version]),
  )

const setAccount = ({ main }: Dialled, status: 0 | 1) =>
  call(opsApi.setAccountStatus, { account: main.username, status })

describe('network 6 · changes that end the tunnels of a software member', () => {
  it('all may dial before that, at the centre and at the node', async () => {
    const { center, node, member, other } = await createDialled()
    const all = { [member.name]: 0, [other.name]: 0 }
    expect([await mayDial(center), await mayDial(node)]).toEqual([all, all])
  })

  const ends: readonly (readonly [string, (dialled: Dialled) => PromiseLike<{ readonly code: number }>])[] = [
    ['is disabled', ({ main, member }) => main.call(routerApi.updateStatus, { router_name: member.name, status: 0 })],
    ['is deleted', ({ main, member }) => main.call(routerApi.delete, { router_name: member.name })],
    [
      'is removed from the network',
      ({ main, member, network_number }) =>
        main.call(networkApi.removeMember, { network_number, router_name: member.name }),
    ],
    [
      'is disabled by the operator',
      ({ main, member }) => call(opsApi.disableMember, { account: main.username, name: member.name }),
    ],
  ]
  it.each(ends)(
    'a member that %s leaves the documents of centre and node, which are pushed at once',
    async (_, end) => {
      const dialled = await createDialled()
      const since = hubCalls.length
      expect(await end(dialled)).toMatchObject({ code: 200 })
      expect(refreshed(since)).toEqual(toHubs(dialled.center, dialled.node))
      for (const device of [dialled.center, dialled.node])
        expect(await mayDial(device)).toEqual({ [dialled.other.name]: 0 })
    },
  )

  it('a new password gives the member a new version there, and nobody else', async () => {
    const { main, center, node, member, other, token } = await createDialled()
    const since = hubCalls.length
    const input = { router_name: member.name, password: 'Weilai2026' }
    expect(await main.call(routerApi.password, input)).toMatchObject({ code: 200, trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(center, node))
    for (const device of [center, node]) expect(await mayDial(device)).toEqual({ [member.name]: 1, [other.name]: 0 })
    expect((await readProfile(token)).code).toBe(2002)
  })

  it('with their account all lose them; they return with it, but their sign-ins do not', async () => {
    const dialled = await createDialled()
    const { center, node, member, other, token } = dialled
    const since = hubCalls.length
    await setAccount(dialled, 0)
    expect(refreshed(since)).toEqual(toHubs(center, node))
    expect([await mayDial(center), await mayDial(node)]).toEqual([{}, {}])
    await setAccount(dialled, 1)
    expect(await mayDial(center)).toEqual({ [member.name]: 0, [other.name]: 0 })
    expect((await readProfile(token)).code).toBe(2002)
  })

  it('other devices keep their documents', async () => {
    const { main, member } = await createDialled()
    const [far, near] = await createMany(2, () => createRouter(main.accountId))
    await createNetwork(main, [far!, near!], '别的网')
    const since = hubCalls.length
    await main.call(routerApi.password, { router_name: member.name, password: 'Weilai2026' })
    expect(refreshed(since)).not.toContain(far!.hub)
  })
})

describe('network 9 · a file that deletes 1,000 members', () => {
  it('pushes once to each centre, and writes a row of the outbox for each', async () => {
    const sign = unique('s').slice(0, 12)
    const main = await createMainAccount({ sign, services: { network_member: 2_000, center: 2 } })
    const [a, b] = await createMany(2, () => createRouter(main.accountId))
    const created = await main.call(networkApi.create, { network_name: '大网', center: [a!.name, b!.name], point: [] })
    const names = Array.from({ length: 1_000 }, (_, i) => `m${i}@${sign}`)
    await insertSoftwareRouters(main.accountId, names)
    const { id } = await networkRow(created.data.network_number)
    await db.run(sql`insert into ${networkMembers} (account_id, network_id, router_id, member_type, host, joined_at)
      select account_id, ${id}, id, 'point', row_number() over () + 10, 1 from routers where account_id = ${main.accountId} and router_type = 2`)
    const since = hubCalls.length
    const file = await createMemberFile([['账号'], ...names.map((name) => [name])])
    const reply = await main.call(routerApi.batchDeleteFile, { file })
    expect(reply).toMatchObject({ code: 200, trips: 2 })
    expect(await db.$count(routers, eq(routers.accountId, main.accountId))).toBe(2)
    expect(hubCalls.slice(since).map(({ kind, method }) => `${kind}.${method}`)).toEqual([
      'network.refresh',
      'router.refresh',
      'router.refresh',
    ])
    expect(refreshed(since)).toEqual(toHubs(a, b))
  })
})
