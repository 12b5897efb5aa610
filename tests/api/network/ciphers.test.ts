import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '../../../worker/contract/network.ts'
import { networks } from '../../../worker/db/schema/networks.ts'
import {
  selectAudits,
  createFleet,
  createNetwork,
  createSubAccount,
  toHubs,
  networkRow,
  refreshed,
} from '../../support/fixtures.ts'
import { db, hubCalls, refusal } from '../../support/test-worker.ts'

async function createCiphersNetwork() {
  const { main, routers, apps } = await createFleet()
  const members = routers.slice(0, 3)
  const network_number = await createNetwork(main, [...members, apps[0]!])
  return { main, members, input: { network_number, ncp_ciphers: 'sm' as const }, since: hubCalls.length }
}

describe('network/ciphers', () => {
  it('moves the document of every hardware member, and the same again moves nothing', async () => {
    const { main, members, input, since } = await createCiphersNetwork()
    const { hub } = await networkRow(input.network_number)
    expect(await main.call(networkApi.ciphers, input)).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(...members))
    expect(hubCalls.slice(since)).toContainEqual({ kind: 'network', hub, method: 'refresh', args: [] })
    expect(await main.call(networkApi.info, input)).toMatchObject({ data: { ncp_ciphers: 'sm', revision: 2 } })
    const audits = await selectAudits(main.accountId)
    expect(audits.at(-1)).toMatchObject({
      action: 'ciphers',
      target: input.network_number,
      message: '组网“测试网”的加密算法改为“国密（SM4）”',
      before: '{"ncp_ciphers":"default"}',
      after: '{"ncp_ciphers":"sm"}',
    })
    const calls = hubCalls.length
    expect(await main.call(networkApi.ciphers, input)).toMatchObject({ code: 200, msg: '设置成功', trips: 1 })
    expect(hubCalls.slice(calls).filter(({ method }) => method === 'refresh')).toEqual([])
    expect(await selectAudits(main.accountId)).toHaveLength(audits.length)
  })

  it('is refused without the right, for a foreign network, in a suspended one and for unknown ciphers', async () => {
    const { main, input } = await createCiphersNetwork()
    const viewer = await createSubAccount(main, { flags: ['network:create', 'network:delete'] })
    expect(await viewer.call(networkApi.ciphers, input)).toMatchObject(refusal('PERMISSION_DENIED'))
    const limited = await createSubAccount(main, { flags: ['network:edit'], networks: ['1000000000'] })
    expect(await limited.call(networkApi.ciphers, input)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    const stranger = await createFleet({ hardware: 0, software: 0 })
    expect(await stranger.main.call(networkApi.ciphers, input)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    const unknown = { ...input, ncp_ciphers: 'aes' as 'sm' }
    expect(await main.call(networkApi.ciphers, unknown)).toMatchObject({ code: 422, data: { field: 'ncp_ciphers' } })
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, input.network_number))
    expect(await main.call(networkApi.ciphers, input)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await networkRow(input.network_number)).toMatchObject({ ciphers: 'default', revision: 1 })
  })

  it('a concurrent rename: both are saved, and every member is refreshed', async () => {
    const { main, input, members, since } = await createCiphersNetwork()
    const rename = { network_number: input.network_number, network_name: '新名' }
    const replies = await Promise.all([main.call(networkApi.ciphers, input), main.call(networkApi.name, rename)])
    expect(replies.map(({ code }) => code)).toEqual([200, 200])
    expect(await networkRow(input.network_number)).toMatchObject({ ciphers: 'sm', name: '新名', revision: 3 })
    expect(refreshed(since)).toEqual(toHubs(...members))
  })
})
