import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signIn } from '#infra/demo/load.ts'
import { callEndpoint } from '#infra/local/api.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { WRITE_BUDGET } from '#contract/kernel/limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { useOps } from './ops.ts'
import { useStoredState } from './stored-state.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

/** A start builds the Worker and fills the data; other files of this suite keep both cores busy meanwhile. */
const READY_WITHIN_MS = 300_000
vi.setConfig({ testTimeout: 3 * READY_WITHIN_MS })
/** A sweep calls hubs one portion after the other. */
const PATIENTLY = { timeout: 60_000, interval: 100 }

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
  const { outbox, documents, networks } = useStoredState(data)
  /** More than one write's request delivers itself: they wait in the account's hub, which calls one hub after the other. */
  const MANY = HUB_OUTBOX.directMax + 1
  const KINDS = [
    'account refresh',
    'network refresh',
    'network remove',
    'router refresh',
    'router remove',
    'router resend',
  ]

  it.each([
    ['kill -9', kill],
    ['an ordinary stop', stop],
  ])('of every kind, by %s, reach their hubs after the next start', async (_, end) => {
    const ops = useOps(running.url)
    const { username } = await ops.newAccount()
    const [center = '', ...points] = await claimDevices(running.url, username, 1 + 2 * MANY)
    const [kept, gone] = [points.slice(0, MANY), points.slice(MANY)]
    const api = caller(running.url, await ops.signIn(username))
    const create = async (network_name: string, point: string[]) =>
      (await api(networkApi.create, { network_name, center: [center], point })).network_number
    const stays = await create('保留组网', kept)
    const loses = await create('缩减组网', gone)
    const ends = await create('删除组网', kept)
    await expect.poll(outbox, PATIENTLY).toEqual([])
    await expect.poll(networks, PATIENTLY).toEqual(expect.arrayContaining([stays, loses, ends]))
    const before = documents()
    for (const name of kept) expect(before.get(name)).toContain(ends)

    await api(networkApi.ciphers, { network_number: stays, ncp_ciphers: 'sm' }) // keeps the account's hub busy
    await Promise.all([
      api(routerApi.batchResend, { router_name: kept }),
      api(routerApi.batchDelete, { router_name: gone }),
      api(networkApi.delete, { network_number: ends }),
    ])
    await end(running.child)
    expect([...new Set(outbox())].toSorted()).toEqual(KINDS)
    expect([...documents().keys()]).toEqual(expect.arrayContaining(gone))
    expect(networks()).toContain(ends)

    running = await start()
    await expect.poll(outbox, PATIENTLY).toEqual([])
    const after = documents()
    for (const name of [center, ...kept]) {
      expect(after.get(name)).toContain('"sm"')
      expect(after.get(name)).not.toContain(ends)
    }
    expect(gone.filter((name) => after.has(name))).toEqual([])
    expect(networks()).not.toContain(ends)
    const again = caller(running.url, await ops.signIn(username))
    const { online } = await again(networkApi.status, { network_number: loses })
    expect(Object.keys(online)).toEqual([center])
  })
})

const caller =
  (url: string, token: string) =>
  <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(url, '/api/v1', spec, input, token)

/** New devices, as members of the account; their names. */
async function claimDevices(url: string, username: string, count: number): Promise<string[]> {
  const ops = useOps(url)
  const term = { start_time: Date.now(), expired_time: Date.now() + 86_400_000 }
  const service = { kind: 'network_member', name: '智能组网标准版', quantity: 3 * count, ...term } as const
  await ops.call(opsApi.setService, { account: username, ...service })
  const names: string[] = []
  let api = caller(url, '')
  for (let i = 0; i < count; i++) {
    if (i % WRITE_BUDGET.limit === 0) api = caller(url, await ops.signIn(username))
    const { serial, activation_code: code } = await ops.call(opsApi.provisionDevice, { model: 'NL-R220' })
    await api(routerApi.add, { router_type: 1, username: serial, code })
    names.push(serial)
  }
  return names
}
