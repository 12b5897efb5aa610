import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networks } from '#db/schema/networks.ts'
import { sealNetworkSecrets } from '#jobs/sealed-secrets.ts'
import { type StoredSecret, openNetworkSecret } from '#security/network-secret.ts'
import { createFleet, createNetwork } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'
import { readRouter } from '#durable/router-hub/database.ts'

const rowOf = async (number: string) => (await db.select().from(networks).where(eq(networks.number, number)))[0]!
const run = (sealKeys = env.SEAL_KEYS) => sealNetworkSecrets({ db, sealKeys, runId: 'run' })
const open = (row: StoredSecret, sealKeys = env.SEAL_KEYS) => openNetworkSecret(sealKeys, row)
const keysOf = async (hub: string) => JSON.stringify((await readRouter(env, hub))?.document).match(/"key":"[0-9a-f]+"/g)

describe('design 5 · secret of a network', () => {
  it('is sealed from the beginning; nothing readable in the row opens it', async () => {
    const { main, routers } = await createFleet()
    const [center, point] = routers
    const row = await rowOf(await createNetwork(main, [center!, point!]))
    expect(row.secretSealed).toMatch(/^v1\./)
    const secret = await open(row)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(secret)
    await expect(open({ ...row, number: 'N2' })).rejects.toThrow('networks.secret_sealed')
  })

  it('of an earlier release is sealed by the cron, and the documents stay the same', async () => {
    const { main, routers } = await createFleet()
    const [center, point] = routers
    const number = await createNetwork(main, [center!, point!])
    await db
      .update(networks)
      .set({ secret: 'ab'.repeat(32), secretSealed: '' })
      .where(eq(networks.number, number))
    const before = await rowOf(number)
    const keys = await keysOf(center!.hub)
    expect(keys).not.toBeNull()
    await run()
    const after = await rowOf(number)
    expect(await open(after)).toBe(before.secret)
    expect(JSON.stringify(after)).not.toContain(before.secret)
    expect(await keysOf(center!.hub)).toEqual(keys)
    await run()
    expect(await rowOf(number)).toEqual(after)
  })

  it('is sealed again under a new first key, and one whose key is gone stays', async () => {
    const { main, routers } = await createFleet()
    const number = await createNetwork(main, [routers[0]!, routers[1]!])
    const before = await rowOf(number)
    const newKey = `k9:${'9'.repeat(64)}`
    const rotated = `${newKey},${env.SEAL_KEYS}`
    await run(rotated)
    const after = await rowOf(number)
    expect(after.secretSealed).toMatch(/^v1\.k9\./)
    expect(await open(after, rotated)).toBe(await open(before))
    await run(`k8:${'8'.repeat(64)}`)
    expect(await rowOf(number)).toEqual(after)
    await run(`${env.SEAL_KEYS},${newKey}`)
    expect(await open(await rowOf(number))).toBe(await open(before))
  })
})
