import { describe, expect, it } from 'vitest'
import { createNetwork, deleteNetwork, renameNetwork } from '#features/network/networks.ts'
import { editNetwork } from '#features/network/members/change-members.ts'
import { listNetworks, networkInfo } from '#features/network/read.ts'
import { listRouters, routerInfo } from '#features/router/read.ts'
import { createAccount, createRouters, run } from '#tests/support/libsql.ts'

const LIST = { page: 1, limit: 10, search: '', sort: 'created', order: 'desc' } as const

describe('use cases on libSQL', () => {
  it('create, list, edit, info, delete', async () => {
    const { id, ctx } = await createAccount(10)
    const [a = '', b = '', c = '', soft = ''] = await createRouters(id, 3, 1)
    const { network_number } = await createNetwork(ctx, {
      network_name: '总部',
      network_type: 1,
      center: [a],
      point: [b, soft],
    })
    expect(await listNetworks(ctx, { ...LIST, state: '', search: '总' })).toMatchObject({
      count: 1,
      data: [{ network_number, member_count: 3, online_count: 0, network_status: 1 }],
    })
    await editNetwork(ctx, { network_number, network_name: '分部', center: [a, c], point: [soft], revision: 1 })
    expect(await networkInfo(ctx, { network_number })).toMatchObject({
      network_name: '分部',
      revision: 2,
      member: [
        { router_name: a, member_type: 'center', vpn_ip: ['100.64.0.1'] },
        { router_name: c, member_type: 'center', vpn_ip: ['100.64.32.1'] },
        { router_name: soft, member_type: 'point', vpn_ip: [] },
      ],
    })
    await renameNetwork(ctx, { network_number, network_name: '总部' })
    expect(await routerInfo(ctx, { router_name: a })).toMatchObject({ network: [{ network_name: '总部' }] })
    expect(await listRouters(ctx, { ...LIST, type: 1, state: 'never' })).toMatchObject({
      count: 3,
    })
    await deleteNetwork(ctx, { network_number })
    const states = { suspended: 0, down: 0, partial: 0, unknown: 0, ok: 0, never: 0 }
    expect(await listNetworks(ctx, { ...LIST, state: '' })).toEqual({ data: [], count: 0, states })
    expect(ctx.hubOutbox.map(({ kind, op }) => `${kind}.${op}`)).toContain('network.remove')
    expect(await run('select action from audit_logs where account_id = ? order by id', [id])).toMatchObject(
      ['create', 'edit', 'name', 'delete'].map((action) => ({ action })),
    )
  })

  it('a refused guard stores nothing', async () => {
    const { id, ctx } = await createAccount(1)
    const [a = '', b = ''] = await createRouters(id, 2)
    const both = [a, b].map((name) =>
      createNetwork(ctx, { network_name: '并发', network_type: 1, center: [name], point: [] }),
    )
    const results = await Promise.allSettled(both)
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await run('select count(*) as n from networks where account_id = ?', [id])).toMatchObject([{ n: 1 }])
    expect(await run('select count(*) as n from audit_logs where account_id = ?', [id])).toMatchObject([{ n: 1 }])
  })
})
