import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { signIn } from '../../infra/demo/load.ts'
import { callEndpoint } from '../../infra/local/api.ts'
import { networkApi } from '../../worker/contract/network.ts'

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
  })
  children.push(child)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Ready in')
  return { child, url: (JSON.parse(readFileSync(join(data, 'running.json'), 'utf8')) as { url: string }).url }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

it('keeps everything over a restart', async () => {
  const first = await start()
  const api = async (url: string) => {
    const token = await signIn(url, 'demo02')
    return callEndpoint(url, '/api/v1', networkApi.lists, { page: 1 }, token)
  }
  const before = await api(first.url)
  expect(before).toHaveLength(1)
  await stop(first.child)
  expect(existsSync(join(data, 'running.json'))).toBe(false)
  const second = await start()
  expect(await api(second.url)).toEqual(before)
  await stop(second.child)
})

it('refuses a second start on the same data', async () => {
  const first = await start()
  const second = spawn(process.execPath, ['infra/start.ts', '--fresh', '--no-agents'], {
    env: { ...process.env, NETLOOM_DATA: data, PORT: '8841' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  children.push(second)
  let output = ''
  second.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(1)
  expect(output).toContain(`running on this data already: ${first.url}`)
  expect((await fetch(first.url)).status).toBe(200)
})
