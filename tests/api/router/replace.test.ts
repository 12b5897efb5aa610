import { env } from 'cloudflare:test'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ACTIVATION_GUARD } from '#contract/router/limits.ts'
import { saveMemberSettings } from '#features/network/sql/settings.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { memberSettings, pointLinks } from '#db/schema/networks.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { activationHash, newActivationCode } from '#security/device-secrets.ts'
import { compileDocument } from '#tests/support/documents.ts'
import {
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  memberRows,
  refreshed,
  selectAudits,
  unique,
} from '#tests/support/fixtures.ts'
import { createSites } from '#tests/support/sites.ts'
import { insertDevice } from '#tests/support/rows.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

async function createBox() {
  const username = unique('NL-').toUpperCase()
  const code = newActivationCode()
  await insertDevice({ serial: username, activationHash: await activationHash(env.HMAC_SECRET, username, code) })
  return { username, code }
}

const rowOf = async (id: number) => (await db.select().from(routers).where(eq(routers.id, id)))[0]!

describe('network 7 · router/replace', () => {
  it('gives note, networks, addresses, settings, static routes and point links to the new device', async () => {
    const { main, center, plant, shop, number } = await createSites()
    const key = { accountId: main.accountId, number }
    const route = { prefix: '10.20.0.0', mask: 16, via: '10.2.0.254' }
    await main.call(routerApi.staticRoutes, { router_name: plant.name, routes: [route] })
    const link_config = [{ router_name: shop.name, gateway: '172.31.1.0', mask: 30, static_port: null }]
    await main.call(networkApi.editPointLink, { network_number: number, router_name: plant.name, link_config })
    await saveMemberSettings(db, key, 'quagga', [{ routerId: plant.id, value: { enable: 1 } }], 1)
    const before = await memberRows(number)
    const old = await rowOf(plant.id)
    const box = await createBox()
    const since = hubCalls.length

    const reply = await main.call(routerApi.replace, { router_name: plant.name, ...box })
    expect(reply).toMatchObject({ code: 200, msg: '更换成功', data: { router_name: box.username }, trips: 2 })
    const now = await rowOf(plant.id)
    expect(now).toMatchObject({ name: box.username, note: '工厂', staticRoutes: old.staticRoutes })
    expect(now.deviceId).not.toBe(old.deviceId)
    expect(await memberRows(number)).toEqual(before)
    expect(await db.select().from(memberSettings).where(eq(memberSettings.routerId, plant.id))).toHaveLength(1)
    expect(await db.select().from(pointLinks).where(eq(pointLinks.serverId, plant.id))).toHaveLength(1)

    const { data: versions } = await main.call(networkApi.versions, { network_number: number })
    expect(versions[0]?.changes).toEqual([{ title: '更换设备', old: plant.name, new: box.username }])

    // A hub of its own; the old one takes everything off the old device.
    expect(now.hub).not.toBe(old.hub)
    const calls = hubCalls.slice(since).filter(({ kind }) => kind === 'router')
    expect(calls.filter(({ hub }) => hub === old.hub).map(({ method }) => method)).toEqual(['remove'])
    expect(refreshed(since)).toEqual([now.hub, center.hub, shop.hub].toSorted())
    expect(await db.select().from(hubOutbox).where(eq(hubOutbox.hub, old.hub))).toEqual([])
    const document = await compileDocument(now.hub)
    expect(document).toMatchObject({
      router_name: box.username,
      lans: [{ segment: '10.20.0.0/16', via: '10.2.0.254' }],
    })
    const peers = (await compileDocument(center.hub)).networks[0]?.links.map(({ peer }) => peer)
    expect(peers).toContain(box.username)
    expect(peers).not.toContain(plant.name)
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'replace',
      target: box.username,
      message: `更换成员“工厂”的设备：${plant.name} → ${box.username}`,
      before: JSON.stringify({ router_name: plant.name }),
    })
    expect(JSON.stringify(await selectAudits(main.accountId))).not.toContain(box.code)
  })

  it('the new device starts as one that never came; nothing of the old one is shown as its own', async () => {
    const { main, plant } = await createSites()
    const box = await createBox()
    await main.call(routerApi.replace, { router_name: plant.name, ...box })
    expect(await db.select().from(routerStates).where(eq(routerStates.routerId, plant.id))).toEqual([])
    expect((await main.call(routerApi.info, { router_name: box.username })).data).toMatchObject({
      presence: { state: 'never' },
      interfaces: [],
      network: [{ network_name: '测试网' }],
    })
    expect(await main.call(routerApi.info, { router_name: plant.name })).toMatchObject(refusal('ROUTER_NOT_FOUND'))
  })

  it('the old device is free: with its code another account claims it, under a hub that was never there', async () => {
    const { main, plant } = await createSites()
    const [first, second] = [await createBox(), await createBox()]
    await main.call(routerApi.replace, { router_name: plant.name, ...first })
    await main.call(routerApi.replace, { router_name: first.username, ...second })
    const stranger = await createMainAccount()
    const claim = { router_type: 1 as const, note: '', ...first }
    expect(await stranger.call(routerApi.add, claim)).toMatchObject({ code: 200 })
    const [row] = await db.select().from(routers).where(eq(routers.name, first.username))
    const seen = hubCalls.filter(({ method }) => method === 'remove').map(({ hub }) => hub)
    expect(row).toMatchObject({ accountId: stranger.accountId })
    expect(seen).not.toContain(row!.hub)
  })

  it('refuses the same device, one that is claimed, and a software member', async () => {
    const { main, plant, shop } = await createSites()
    const box = await createBox()
    const claimed = { router_type: 1 as const, note: '', ...box }
    await main.call(routerApi.add, claimed)
    const replace = (router_name: string) => main.call(routerApi.replace, { router_name, ...box })
    expect(await replace(plant.name)).toMatchObject(refusal('DEVICE_CLAIMED'))
    expect(await replace(box.username)).toMatchObject({ ...refusal('DEVICE_SAME'), trips: 1 })
    const app = await createSoftwareRouter(main.accountId)
    expect(await replace(app.name)).toMatchObject(refusal('HARDWARE_ONLY'))
    expect(await rowOf(plant.id)).toMatchObject({ name: plant.name, hub: plant.hub })
    expect(await rowOf(shop.id)).toMatchObject({ name: shop.name })
  })

  it('wrong codes count as those of a claim do: beyond five even the right one waits', async () => {
    const { main, plant } = await createSites()
    const box = await createBox()
    const replace = (code: string) => main.call(routerApi.replace, { router_name: plant.name, ...box, code })
    for (let i = 0; i < ACTIVATION_GUARD.failures; i++)
      expect(await replace('AAAA-AAAA-AAAA')).toMatchObject(refusal('DEVICE_UNKNOWN'))
    expect(await replace(box.code)).toMatchObject({ code: 429 })
    expect(await main.call(routerApi.add, { router_type: 1, note: '', ...box })).toMatchObject({ code: 429 })
  })

  it('of two replacements at the same time one wins, and for the other the member is gone', async () => {
    const { main, plant } = await createSites()
    const [first, second] = [await createBox(), await createBox()]
    const other = { router_name: plant.name, ...second }
    const { call } = createTestWorker({ afterFirstTrip: () => main.call(routerApi.replace, other) })
    const reply = await call(routerApi.replace, { router_name: plant.name, ...first }, main.token)
    expect(reply).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await rowOf(plant.id)).toMatchObject({ name: second.username })
  })

  it('network 6: needs both rights, in all networks of the member', async () => {
    const { main, plant, shop, number } = await createSites()
    const other = await createRouter(main.accountId)
    await createNetwork(main, [other, shop], '二区')
    const box = await createBox()
    const flags = ['router:edit', 'router:create'] as const
    const limited = await createSubAccount(main, { flags, networks: [number] })
    const by = (caller: typeof limited, router_name: string) => caller.call(routerApi.replace, { router_name, ...box })
    for (const flag of flags)
      expect(await by(await createSubAccount(main, { flags: [flag] }), plant.name)).toMatchObject(
        refusal('PERMISSION_DENIED'),
      )
    expect(await by(limited, shop.name)).toMatchObject(refusal('ROUTER_SHARED'))
    expect(await by(limited, other.name)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await by(limited, plant.name)).toMatchObject({ code: 200 })
    const stranger = await createMainAccount()
    expect(await by(stranger as typeof limited, shop.name)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    const mine = and(eq(routers.accountId, main.accountId), eq(routers.name, box.username))
    expect(await db.select().from(routers).where(mine)).toHaveLength(1)
  })

  it('of a router that is being added to a network leaves it out: its old hub would be refreshed', async () => {
    const { main, number } = await createSites()
    const spare = await createRouter(main.accountId)
    const box = await createBox()
    const { call } = createTestWorker({
      afterFirstTrip: () => main.call(routerApi.replace, { router_name: spare.name, ...box }),
    })
    const add = { network_number: number, router_name: spare.name, member_type: 'point' } as const
    expect(await call(networkApi.addMember, add, main.token)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    const again = await main.call(networkApi.addMember, { ...add, router_name: box.username })
    expect(again).toMatchObject({ code: 200 })
  })
})
