import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { RESULT } from '#contract/kernel/result.ts'
import { createTestWorker, request } from '#tests/support/test-worker.ts'

const PATHS = ['/__local/history/routers', '/__local/history/account']
const AUTHORIZED = { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'content-type': 'application/json' }

describe('design 11 · POST /__local/history', () => {
  it.each(['staging', 'production', '', undefined] as const)('the call does not exist in %j', async (environment) => {
    const deployed = createTestWorker({ env: { ENVIRONMENT: environment as 'staging' } })
    for (const path of PATHS) {
      const response = await deployed.request(path, { method: 'POST', headers: AUTHORIZED, body: '{}' })
      const unknown = await deployed.request('/__local/whatever', { method: 'POST', headers: AUTHORIZED, body: '{}' })
      expect(response.status).toBe(404)
      const [body, other] = [await response.json<object>(), await unknown.json<object>()]
      expect({ ...body, request_id: '' }).toEqual({ ...other, request_id: '' })
    }
  })

  it('needs the token of the operator', async () => {
    for (const path of PATHS) {
      const headers = { 'content-type': 'application/json' }
      const response = await request(path, { method: 'POST', headers, body: '{}' })
      expect((await response.json<{ code: number }>()).code).not.toBe(RESULT.ok)
    }
  })
})
