import { describe, expect, it } from 'vitest'
import { localSites } from '#domain/site/brand.ts'
import { createTestWorker, refusal, request } from '#tests/support/test-worker.ts'

const PATH = '/api/v1/site/config'
const ask = async (host: string, worker = { request }) => {
  const response = await worker.request(PATH, { headers: { host } })
  return { status: response.status, ...(await response.json<object>()) }
}

describe('design 6 · address of a request', () => {
  it.each(['a b', 'a/b', '[::1', '%00', 'localhost:999999', 'a@b'])(
    'is refused, not a fault, with Host %s',
    async (host) => {
      expect(await ask(host)).toMatchObject({ status: 400, ...refusal('ADDRESS_MALFORMED') })
    },
  )

  it.each(['localhost', '127.0.0.1:8787', '[::1]:8787', 'console.netloom.cn'])('%s is one', async (host) => {
    expect(await ask(host)).toMatchObject({ status: 200, code: 200 })
  })

  it.each([PATH, '/__local/outbox', '/login', '/device/v1/connect'])(
    'a local run answers to names of this machine only, unless it is opened to others: %s',
    async (path) => {
      const foreign = await request(`//rebound.example${path}`)
      expect([foreign.status, await foreign.json()]).toMatchObject([400, refusal('HOST_NOT_LOCAL')])
    },
  )

  it('a local run shows each carrier under its own name below localhost', async () => {
    const titles = await Promise.all(
      localSites().map(async ({ hostname }) => {
        const response = await request(`//${hostname}:8787${PATH}`)
        return (await response.json<{ data: { title: string } }>()).data.title
      }),
    )
    expect(titles).toEqual(localSites().map(({ title }) => title))
    const other = await request(`//evil.localhost${PATH}`)
    expect(await other.json()).toMatchObject(refusal('HOST_NOT_LOCAL'))
  })

  it('an open local run, and any other environment, answers to every name', async () => {
    for (const env of [{ OPEN_TO_OTHERS: '1' }, { ENVIRONMENT: 'production' as const }]) {
      const response = await createTestWorker({ env }).request(`//rebound.example${PATH}`)
      expect([response.status, await response.json()]).toMatchObject([200, { code: 200 }])
    }
  })
})
