import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signIn } from '../../infra/demo/load.ts'
import { callEndpoint } from '../../infra/local/api.ts'
import type { Endpoint, Input } from '../../worker/contract/endpoint.ts'
import { loginApi } from '../../worker/contract/login.ts'
import { networkApi } from '../../worker/contract/network.ts'
import { routerApi } from '../../worker/contract/router.ts'

/** A start builds the Worker and fills the data; other files of this suite keep both cores busy meanwhile. */
const READY_WITHIN_MS = 300_000
vi.setConfig({ testTimeout: 3 * READY_WITHIN_MS })

const data = mkdtempSync(join(tmpdir(), 'netloom-restart-'))
const children: ChildProcess[] = []
afterAll(async () => {
  await Promise.all(children.map(stop))
  rmSync(data, { recursive: true, force: true })
})

/** `npm start` on a folder of its own; the address it prints. */
async function start(): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, NETLOOM_DATA: data, PORT: '8840' }
  const child = spawn(process.execPath, ['infra/start.ts', '--no-agents'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // a process group of its own, which \`kill\` ends with workerd in it
  })
  children.push(child)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await vi.waitUntil(() => output.includes('Ready in'), { timeout: READY_WITHIN_MS })
  return { child, url: (JSON.parse(readFileSync(join(data, 'running.json'), 'utf8')) as { url: string }).url }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** kill -9 of all its processes at once. */
async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await ended
}

let running: Awaited<ReturnType<typeof start>>
beforeAll(async () => void (running = await start()), READY_WITHIN_MS)

it('refuses a second start on the same data', async () => {
  const second = spawn(process.execPath, ['infra/start.ts', '--fresh', '--no-agents'], {
    env: { ...process.env, NETLOOM_DATA: data, PORT: '8841' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  children.push(second)
  let output = ''
  second.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(1)
  expect(output).toContain(`running on this data already: ${running.url}`)
  expect((await fetch(running.url)).status).toBe(200)
})

it('keeps everything over a restart', async () => {
  const api = async (url: string) => {
    const token = await signIn(url, 'demo02')
    return callEndpoint(url, '/api/v1', networkApi.lists, { page: 1 }, token)
  }
  const before = await api(running.url)
  expect(before).toHaveLength(1)
  await stop(running.child)
  expect(existsSync(join(data, 'running.json'))).toBe(false)
  running = await start()
  expect(await api(running.url)).toEqual(before)
})

describe('hub notices whose delivery is cut off', () => {
  /** Of the stores' network: as many notices as it has routers, which takes a while. */
  const MANY = 20

  it.each([
    ['kill -9', 'NL22P001', 'sm', kill, MANY],
    ['an ordinary stop', 'NL22P002', 'default', stop, 0], // it may let them go on
  ] as const)('by %s reach their hubs after the next start', async (_, router_name, ncp_ciphers, end, lost) => {
    const api = await caller(running.url)
    const { network_number } = await api(networkApi.create, {
      network_name: '临时组网',
      center: ['NL80C001'],
      point: [router_name],
    })
    const [stores] = (await api(networkApi.lists, { search: '全国门店收银网' })) as { network_number: string }[]
    const other = await caller(running.url)
    await expect.poll(outbox).toEqual([])

    let isAnswered = false
    const writes = Promise.allSettled([
      api(networkApi.delete, { network_number }),
      api(routerApi.delete, { router_name }),
      other(loginApi.logout, {}),
      api(networkApi.ciphers, { network_number: stores?.network_number ?? '', ncp_ciphers }),
    ]).then(() => (isAnswered = true))
    let pending = outbox()
    for (; pending.length < MANY && !isAnswered; pending = outbox()) await new Promise(setImmediate)
    await end(running.child)
    await writes
    expect(pending.length).toBeGreaterThanOrEqual(MANY)
    expect(outbox().length).toBeGreaterThanOrEqual(lost)

    running = await start()
    await expect.poll(outbox).toEqual([])
    const after = await caller(running.url)
    for (const { network_number: number } of await after(networkApi.select, {})) {
      const { member } = await after(networkApi.info, { network_number: number })
      const { online } = await after(networkApi.status, { network_number: number })
      expect(Object.keys(online).toSorted()).toEqual(member.map((m) => m.router_name).toSorted())
    }
  })

  async function caller(url: string) {
    const token = await signIn(url, 'demo01')
    return <E extends Endpoint>(spec: E, input: Input<E>) => callEndpoint(url, '/api/v1', spec, input, token)
  }

  /** Kinds of the entries in the hub outbox on disk, read beside the process that runs on it. */
  function outbox(): string[] {
    const [file = ''] = globSync(join(data, 'state/d1/*/*.sqlite')).filter((name) => !name.endsWith('metadata.sqlite'))
    const db = new DatabaseSync(file, { readOnly: true })
    try {
      return db
        .prepare('select kind, op from hub_outbox order by id')
        .all()
        .map(({ kind, op }) => `${kind} ${op}`)
    } finally {
      db.close()
    }
  }
})
