import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { devices } from '#db/schema/routers.ts'
import { activationHash } from '#security/device-secrets.ts'
import { unique } from '#tests/support/fixtures.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

describe('design 1 · ops · devices', () => {
  it('get a code that is shown once and kept as a hash', async () => {
    const serial = `NL-${unique('').toUpperCase()}`
    const { data } = await call(opsApi.provisionDevice, { serial, model: 'NL-R220' })
    expect(data).toMatchObject({
      serial,
      activation_code: expect.stringMatching(/^([2-9A-HJKMNP-Z]{4}-){2}[2-9A-HJKMNP-Z]{4}$/),
    })
    const [row] = await db.select().from(devices).where(eq(devices.serial, serial))
    const typed = ` ${data.activation_code.toLowerCase().replaceAll('-', ' ')} `
    expect(row!.activationHash).toBe(await activationHash(env.HMAC_SECRET, serial.toLowerCase(), typed))
    expect(await call(opsApi.provisionDevice, { serial, model: 'x' })).toMatchObject(refusal('SERIAL_TAKEN'))
    expect((await call(opsApi.provisionDevice, { model: 'NL-R220' })).data.serial).toMatch(/^NL-[2-9A-Z]{10}$/)
  })

  it('lose their key and get a new code on a reset', async () => {
    const { data } = await call(opsApi.provisionDevice, { model: 'NL-R220' })
    await db.update(devices).set({ publicKey: '{}', keyAt: 1 }).where(eq(devices.serial, data.serial))
    const again = await call(opsApi.resetDevice, { serial: data.serial.toLowerCase() })
    expect(again.data.serial).toBe(data.serial)
    const [row] = await db.select().from(devices).where(eq(devices.serial, data.serial))
    expect(row).toMatchObject({ publicKey: null, keyAt: null })
    expect(row!.activationHash).toBe(await activationHash(env.HMAC_SECRET, data.serial, again.data.activation_code))
    expect(await call(opsApi.resetDevice, { serial: 'NL-UNKNOWN' })).toMatchObject(refusal('DEVICE_NOT_FOUND'))
  })
})
