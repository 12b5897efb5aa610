import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { popNodes, pops } from '#db/schema/pop.ts'
import { routerStates } from '#db/schema/routers.ts'
import {
  createFleet,
  createNetwork,
  createRouter,
  createMainAccount,
  refreshed,
  unique,
} from '#tests/support/fixtures.ts'
import { createPop } from '#tests/support/pop.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const popRow = async (id: number) => (await db.select().from(pops).where(eq(pops.id, id)))[0]

describe('design 1 · ops · POP areas', () => {
  it('are created, renamed and disabled; a name is taken once, whatever its case', async () => {
    const name = unique('pop-a')
    const made = await call(opsApi.createPop, { name })
    expect(made).toMatchObject({ code: 200 })
    const other = await createPop()
    expect(await call(opsApi.createPop, { name: name.toUpperCase() })).toMatchObject(refusal('POP_NAME_TAKEN'))
    const taken = await call(opsApi.editPop, { name, new_name: other.name })
    expect(taken).toMatchObject({ reason: 'POP_NAME_TAKEN', data: { field: 'new_name' } })
    const new_name = unique('pop-b')
    expect(await call(opsApi.editPop, { name, new_name })).toMatchObject({ code: 200 })
    expect(await call(opsApi.disablePop, { name: new_name })).toMatchObject({ code: 200 })
    expect(await popRow(made.data.pop_id)).toMatchObject({ name: new_name, status: 0 })
    expect(await call(opsApi.disablePop, { name: new_name, status: 1 })).toMatchObject({ code: 200 })
    expect(await popRow(made.data.pop_id)).toMatchObject({ status: 1 })
    expect(await call(opsApi.editPop, { name, new_name: name })).toMatchObject(refusal('POP_NOT_FOUND'))
  })

  it('get claimed devices as nodes, which can be moved and paused', async () => {
    const [a, b] = [await createPop({ withNode: false }), await createPop({ withNode: false })]
    const since = hubCalls.length
    const serial = a.node.name.toLowerCase()
    expect(await call(opsApi.popNode, { name: a.name, serial })).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual([a.node.hub])
    await call(opsApi.popNode, { name: b.name, serial, status: 0 })
    const rows = await db.select().from(popNodes).where(eq(popNodes.routerId, a.node.id))
    expect(rows).toMatchObject([{ popId: b.id, status: 0 }])
  })

  it('list their nodes with load, state and the networks that these refuse', async () => {
    const { name, node } = await createPop()
    const own = async () => (await call(opsApi.popNodes, {})).data.find(({ serial }) => serial === node.name)
    expect(await own()).toMatchObject({
      name,
      status: 1,
      networks: 0,
      networks_max: 50,
      presence: { state: 'never' },
      config: { state: 'none' },
      refused: [],
    })
    const refused = JSON.stringify([{ number: 'N1', reason: '端口21000已被占用' }])
    await db.insert(routerStates).values({ routerId: node.id, presence: 'online', configRefused: refused } as never)
    expect(await own()).toMatchObject({
      presence: { state: 'online' },
      refused: [{ network_number: 'N1', reason: '端口21000已被占用' }],
    })
  })

  it('refuse as a node what is unclaimed, or a member of a network', async () => {
    const { name } = await createPop()
    const unclaimed = await call(opsApi.popNode, { name, serial: 'NL-NOBODY' })
    expect(unclaimed).toMatchObject(refusal('POP_NODE_UNKNOWN'))
    const { main, routers } = await createFleet()
    await createNetwork(main, routers.slice(0, 1))
    const member = await call(opsApi.popNode, { name, serial: routers[0]!.name })
    expect(member).toMatchObject(refusal('POP_NODE_IS_MEMBER'))
    const { accountId } = await createMainAccount()
    const router = await createRouter(accountId)
    const unknown = await call(opsApi.popNode, { name: unique('none'), serial: router.name })
    expect(unknown).toMatchObject(refusal('POP_NOT_FOUND'))
  })
})
