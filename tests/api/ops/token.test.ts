import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { OPS } from '#contract/api.ts'
import { opsApi } from '#contract/ops/index.ts'
import { OPERATOR_GUARD } from '#contract/ops/limits.ts'
import { attempts } from '#db/schema/accounts.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createTestWorker, call, db, refusal, request } from '#tests/support/test-worker.ts'

describe('design 1 · ops · operator token', () => {
  it('is asked for on every path of /ops/v1, known or not', async () => {
    const main = await createMainAccount()
    for (const path of [...OPS.map((spec) => spec.path), 'unknown']) {
      for (const authorization of [
        '',
        'Bearer ',
        'Bearer wrong',
        `Bearer ${env.OPERATOR_TOKEN}x`,
        env.OPERATOR_TOKEN,
        `Bearer ${main.token}`,
      ]) {
        const headers = { authorization, 'cf-connecting-ip': nextAddress() }
        const response = await request(`/ops/v1/${path}`, { method: 'POST', headers, body: '{}' })
        expect(await response.json()).toMatchObject(refusal('TOKEN_BAD'))
      }
    }
  })

  it('is asked for at OPS_HOST only: at any other host the paths are unknown, with a right token too', async () => {
    const { request: ask } = createTestWorker({ env: { ENVIRONMENT: 'staging', OPS_HOST: 'Ops.example.com' } })
    const answer = async (url: string) => {
      const headers = { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'cf-connecting-ip': nextAddress() }
      const response = await ask(url, { headers })
      const { request_id: _, ...body } = await response.json<{ request_id: string }>()
      return { status: response.status, ...body }
    }
    const unknown = await answer('//console.example.com/ops/v2/nothing')
    expect(unknown).toMatchObject({ status: 404, ...refusal('PATH_UNKNOWN') })
    expect(await answer('//console.example.com/ops/v1/sms/countries')).toEqual(unknown)
    expect(await answer('//ops.example.com/ops/v1/nothing')).toEqual(unknown)
    expect(await answer(`//ops.example.com/ops/v1/${opsApi.smsCountries.path}`)).toMatchObject({ code: 200 })
  })

  it('is always refused where none is configured', async () => {
    for (const token of ['', undefined, 'short']) {
      const open = createTestWorker({ env: { OPERATOR_TOKEN: token as string } })
      const headers = { authorization: `Bearer ${token ?? ''}`, 'cf-connecting-ip': nextAddress() }
      const response = await open.request('/ops/v1/account/create', { method: 'POST', headers, body: '{}' })
      expect(await response.json()).toMatchObject(refusal('TOKEN_BAD'))
    }
  })

  it('pauses an address after five wrong ones, also parallel ones, for the right one too', async () => {
    const [ip, account] = [nextAddress(), (await createMainAccount()).username]
    const ask = (token: string | undefined, from = ip) => call(opsApi.tokenLink, { account }, { token, ip: from })
    expect(await ask(undefined)).toMatchObject({ code: 200 })
    const tries = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(`wrong-${n}`)))
    expect(tries.filter(({ reason }) => reason === 'TOKEN_BAD')).toHaveLength(OPERATOR_GUARD.perAddress)
    for (const refused of [tries.find(({ reason }) => reason !== 'TOKEN_BAD'), await ask(undefined)])
      expect(refused).toMatchObject({ status: 429, reason: 'TOO_OFTEN', data: { retry_after: expect.any(Number) } })
    expect(await ask(undefined, nextAddress())).toMatchObject({ code: 200 })
    const [counter] = await db
      .select()
      .from(attempts)
      .where(eq(attempts.key, `operator:${ip}`))
    expect(counter!.count).toBe(OPERATOR_GUARD.perAddress)
  })

  it('pauses a /48 after twenty wrong ones, however many /64 they come from', async () => {
    const account = (await createMainAccount()).username
    const ask = (n: number, token?: string) => call(opsApi.tokenLink, { account }, { token, ip: `2001:db8:48:${n}::1` })
    const tries = []
    for (let n = 0; n < OPERATOR_GUARD.perWideAddress + 4; n++) tries.push((await ask(n, `wrong-${n}`)).reason)
    expect(tries.filter((reason) => reason === 'TOKEN_BAD')).toHaveLength(OPERATOR_GUARD.perWideAddress)
    expect(await ask(99)).toMatchObject({ status: 429, reason: 'TOO_OFTEN' })
    expect(await call(opsApi.tokenLink, { account }, { ip: '2001:db8:49:1::1' })).toMatchObject({ code: 200 })
  })

  it('a /64 that is paused spends nothing of its /48', async () => {
    const account = (await createMainAccount()).username
    const ask = (n: number, token?: string) => call(opsApi.tokenLink, { account }, { token, ip: `2001:db8:50:${n}::1` })
    for (let n = 0; n < OPERATOR_GUARD.perWideAddress + 4; n++) await ask(1, `wrong-${n}`)
    expect(await ask(2)).toMatchObject({ code: 200 })
  })

  it('is refused on paths of the console', async () => {
    expect(await call(accountApi.info, {}, env.OPERATOR_TOKEN)).toMatchObject(refusal('TOKEN_BAD'))
  })
})
