import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { isPassed, readCounters, runSelfTest, toReport } from '#infra/local/self-test.ts'

// A server that answers calls and opens no socket: the checks of a version that is called by name.

const server = { close: async () => {} }
afterEach(() => server.close())

async function serve(answer: RequestListener): Promise<string> {
  const listening = createServer(answer)
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  server.close = () => new Promise((resolve) => listening.close(() => resolve()))
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

const faultsOf = async (origin: string, version = 'v2') => {
  const result = await runSelfTest(origin, 't', { worker: 'netloom-production', version })
  expect(isPassed(result)).toBe(false)
  expect(toReport(result)).toContain('socket   the socket closed with 1006')
  return Object.fromEntries(result.checks.map(({ name, fault }) => [name, fault]))
}

it('calls a version by its name, and fails where another one answers', async () => {
  const asked = new Set<unknown>()
  const origin = await serve(({ url, headers }, response) => {
    asked.add(headers['cloudflare-workers-version-overrides'])
    if (url?.startsWith('/ops'))
      return response.end(
        JSON.stringify({ code: 200, data: { release: 'v1', hub_release: 'v1', guard: null, hub: null } }),
      )
    if (url === '/') return response.end('<script type="module" crossorigin src="/assets/main-1.js"></script>')
    return response.setHeader('content-type', 'text/javascript').end('1')
  })
  expect(await faultsOf(origin)).toMatchObject({
    release: 'version v1 answered for it',
    guard: null,
    hub: null,
    page: null,
  })
  expect(await faultsOf(origin, 'v1')).toMatchObject({ release: null })
  expect([...asked]).toEqual(['netloom-production="v2"', 'netloom-production="v1"'])
})

it('names a page without its script, and an answer that is none', async () => {
  const origin = await serve(({ url }, response) => response.writeHead(url === '/' ? 200 : 502).end('<html>'))
  expect(await faultsOf(origin)).toMatchObject({
    guard: 'the Worker answered 502 <html>',
    page: 'the page answered 200 and names no script',
  })
})

it('names a script that does not come', async () => {
  const origin = await serve(({ url }, response) =>
    url === '/' ? response.end('<script src="/assets/main-1.js">') : response.writeHead(404).end(),
  )
  expect(await faultsOf(origin)).toMatchObject({ page: '/assets/main-1.js answered 404 with 0 characters' })
})

it('says that a Worker of an earlier release knows no self-test', async () => {
  const origin = await serve(({ url }, response) =>
    url === '/' ? response.end() : response.writeHead(404).end('{"code":404,"msg":"接口不存在"}'),
  )
  expect(await faultsOf(origin)).toMatchObject({ guard: expect.stringContaining('it is of an earlier release') })
})

it('reads the counters of a time from the version that it names', async () => {
  const counters = { release: 'v2', calls: 3, faults: 1, refusals: 0, overloads: 0 }
  const asked: unknown[] = []
  let state = 'kept'
  const origin = await serve(({ url, headers }, response) => {
    asked.push([url, headers['cloudflare-workers-version-overrides'], headers.authorization])
    response.end(JSON.stringify({ code: 200, msg: '', data: { counters: state, releases: [counters] } }))
  })
  const read = () => readCounters(origin, 't', { worker: 'netloom', version: 'v2' }, { spanS: 120, agoS: 0 })
  expect(await read()).toEqual([counters])
  expect(asked).toEqual([['/ops/v1/status?span_s=120&ago_s=0', 'netloom="v2"', 'Bearer t']])
  state = 'unbound'
  expect(await read()).toBeNull()
  state = 'away'
  await expect(read()).rejects.toThrow('the StatusHub does not answer')
})
