import { UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { routerApi } from '#contract/router/index.ts'
import { OVERLOAD } from '#contract/kernel/limits.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { isAwayError, isOverload } from '#db/driver.ts'
import { spyOnBatch } from '#tests/support/database-spy.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { refusal, request } from '#tests/support/test-worker.ts'

const AWAY = [
  'D1_ERROR: database is locked: SQLITE_BUSY',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Failed to get session commit token: internal error; reference = a21af7it2046bp834vcsps40',
  'D1_ERROR: disk I/O error: SQLITE_IOERR',
  'D1_ERROR: database or disk is full: SQLITE_FULL',
  'TypeError: fetch failed',
  'LibsqlError: SERVER_ERROR: Server returned HTTP status 503',
]
const WRONG = [
  'D1_ERROR: no such column: x: SQLITE_ERROR',
  'D1_ERROR: UNIQUE constraint failed: routers.name: SQLITE_CONSTRAINT',
  'D1_ERROR: too many SQL variables: SQLITE_ERROR',
]

describe('design 4 · calls while the database is away', () => {
  it('is recognised by its error; a wrong statement is a fault', async () => {
    const check = (isAway: boolean) => (text: string) => expect(isAwayError(new Error(text))).toBe(isAway)
    expect(await findOffenders(AWAY)(check(true))).toEqual([])
    expect(await findOffenders(WRONG)(check(false))).toEqual([])
  })

  it('has a status and a sentence of its own; a fault keeps its own', async () => {
    const main = await createMainAccount()
    const answer = async (text: string) => {
      spyOnBatch().mockRejectedValue(new Error(text))
      return main.call(routerApi.lists, {})
    }
    expect(await answer(AWAY[0]!)).toMatchObject({
      status: 503,
      ...refusal('DATABASE_AWAY'),
      msg: '数据暂时无法读写，请稍后重试',
    })
    expect(await answer(WRONG[0]!)).toMatchObject({ status: 500, ...refusal('FAULT') })
  })
  it('that is overloaded asks to wait, in a sentence of its own, and is not asked again', async () => {
    const main = await createMainAccount()
    const asked = spyOnBatch().mockRejectedValue(new Error(AWAY[1]))
    const answer = await main.call(routerApi.lists, {})
    const { retry_after: wait } = answer.data as unknown as { retry_after: number }
    expect(answer).toMatchObject({ status: 503, ...refusal('OVERLOADED', { retry_after: wait }) })
    expect(answer.headers.get('retry-after')).toBe(String(wait))
    expect([OVERLOAD.retryAfterS <= wait, wait < 2 * OVERLOAD.retryAfterS]).toEqual([true, true])
    expect(asked).toHaveBeenCalledOnce()
  })

  it('that is overloaded says so to a device as a close with the wait: it does not ask for the reason', async () => {
    spyOnBatch().mockRejectedValue(new Error(AWAY[1]))
    const token = new UnsecuredJWT({}).setIssuer('NL-1').encode()
    const headers = { authorization: `Bearer ${token}`, upgrade: 'websocket' }
    const { status, webSocket } = await request('/device/v1/connect', { headers })
    expect(status).toBe(101)
    const closed = new Promise((done) => webSocket!.addEventListener('close', done))
    webSocket!.accept()
    expect(await closed).toMatchObject({ code: CLOSE.restart, reason: expect.stringMatching(/^retry_after=\d+$/) })
  })

  it('has its overload found among the causes, of a hub by its mark', () => {
    expect(isOverload(new Error('x', { cause: new Error(AWAY[1]) }))).toBe(true)
    expect(isOverload(new Error('x', { cause: Object.assign(new Error('y'), { overloaded: true }) }))).toBe(true)
    expect(isOverload(new Error(AWAY[0]))).toBe(false)
  })
})
