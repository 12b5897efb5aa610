import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { network, routerDocument } from './support/documents.ts'
import { FakeHub, configFrame } from './support/fake-hub.ts'

const NODE = join(process.cwd(), 'node_modules/.bin/node')
const SERIAL = 'NL-P'

let hub: FakeHub
let state: string
const children: ChildProcess[] = []

beforeEach(async () => {
  hub = await new FakeHub({ codes: { [SERIAL]: 'SECRET-CODE' } }).start()
  state = await mkdtemp(join(tmpdir(), 'netloom-agent-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await hub.stop()
  await rm(state, { recursive: true, force: true })
})

function run(...extra: string[]) {
  const args = ['--server', hub.url, '--serial', SERIAL, '--code-file', '-', '--state', state, ...extra]
  const child = spawn(NODE, ['infra/agent/main.ts', ...args], { stdio: 'pipe' })
  child.stdin.on('error', () => {}).write('SECRET-CODE\n') // and stays open, as a terminal does
  children.push(child)
  const output: string[] = []
  child.stdout.on('data', (data: Buffer) => output.push(data.toString()))
  child.stderr.on('data', (data: Buffer) => output.push(data.toString()))
  return { child, text: () => output.join('') }
}

async function connected(devices: number) {
  await expect.poll(() => hub.devices.length).toBe(devices)
  await expect.poll(() => hub.last.frames.length).toBeGreaterThan(0)
  return hub.last
}

describe('the agent as a process', () => {
  it('reports this machine, keeps its document over a SIGKILL, closes with 1000 and logs no secret', async () => {
    const first = run('--lan', 'lan0=10.13.0.0/24')
    const device = await connected(1)
    const [hello] = device.ofType('hello')
    expect(hello!.interfaces.map((i) => i.interface)).toContain('lan0')
    expect(hello!.probe_port).toBeGreaterThan(0)

    const frame = configFrame(1, routerDocument(network('N1')))
    device.send(frame)
    await expect.poll(() => device.ofType('config_result').at(-1)?.state).toBe('confirmed')
    expect(await readFile(`/proc/${first.child.pid}/cmdline`, 'utf8')).not.toContain('SECRET-CODE')
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    expect(await readFile(join(state, 'network/current/network-N1.txt'), 'utf8')).toContain('network N1')

    const second = run()
    const again = await connected(2)
    expect(again.ofType('hello')[0]).toMatchObject({
      applied: { version: 1, hash: frame.hash },
      probe_port: hello!.probe_port,
      boot_id: hello!.boot_id,
    })
    const closed = once(again.socket, 'close')
    second.child.kill('SIGTERM')
    expect(await once(second.child, 'exit')).toEqual([0, null])
    expect((await closed)[0]).toBe(1000)

    expect((await stat(join(state, 'identity.json'))).mode & 0o777).toBe(0o600)
    const { key } = JSON.parse(await readFile(join(state, 'identity.json'), 'utf8')) as { key: { d: string } }
    for (const text of [first.text(), second.text()]) {
      expect(text).toContain('connected (epoch')
      expect(text).not.toContain(key.d)
      expect(text).not.toContain('SECRET-CODE')
      expect(text).not.toContain('Bearer')
    }
  })

  it('killed during a trial, restarts with the confirmed document', async () => {
    const first = run()
    const device = await connected(1)
    const good = configFrame(1, routerDocument(network('N1')))
    device.send(good)
    await expect.poll(() => device.ofType('config_result').at(-1)?.state).toBe('confirmed')
    device.isSilent = true
    device.send(configFrame(2, routerDocument(network('N2'))))
    await expect.poll(() => device.ofType('config_result').at(-1)).toMatchObject({ version: 2, state: 'applied' })
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    run()
    expect((await connected(2)).ofType('hello')[0]!.applied).toEqual({ version: 1, hash: good.hash })
  })

  /** Soft and hard limit of a running process; `prlimit` is part of util-linux. */
  const limitFiles = (pid: number, files: number | string) =>
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`])

  it.skipIf(!existsSync('/usr/bin/prlimit'))('comes back after it had no file descriptors at a reconnect', async () => {
    const { child, text } = run()
    const device = await connected(1)
    await expect.poll(text).toContain('connected (epoch 1)')
    const soft = execFileSync('prlimit', ['--pid', String(child.pid), '--nofile', '--noheadings', '--output=SOFT'])
    limitFiles(child.pid!, 1)
    device.socket.terminate()
    await expect.poll(() => text().match(/not connected: .*next try/g)?.length ?? 0).toBeGreaterThan(1)
    expect(hub.devices).toHaveLength(1)
    limitFiles(child.pid!, soft.toString().trim())
    await connected(2)
    await expect.poll(text).toContain('connected (epoch 2)')
  })

  it('comes back after it stood still while the hub gave up on it', async () => {
    const { child, text } = run()
    const device = await connected(1)
    await expect.poll(text).toContain('connected (epoch 1)')
    child.kill('SIGSTOP')
    device.socket.close(CLOSE.silent, 'lease over')
    await expect.poll(() => readFile(`/proc/${child.pid}/stat`, 'utf8')).toMatch(/\) T /)
    child.kill('SIGCONT')
    await connected(2)
    await expect.poll(text).toContain('connected (epoch 2)')
  })

  it('refuses a state folder that another agent runs with, until that one has ended', async () => {
    const first = run()
    await connected(1)
    const second = run()
    expect(await once(second.child, 'exit')).toEqual([1, null])
    expect(second.text()).toContain(`another agent runs with the state folder ${state} (process ${first.child.pid})`)
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    run()
    await connected(2)
  })

  it.each([
    [['--server', 'ftp://x'], 'expected http'],
    [['--lan', 'nonsense'], '--lan nonsense'],
    [['--probe-port', '99999'], '--probe-port'],
    [['--what'], "Unknown option '--what'"],
    [['--code', 'SECRET-CODE'], "Unknown option '--code'"],
    [['--server', 'http://console.example.com'], 'http is refused but for this machine'],
  ])('explains %j', async (extra, expected) => {
    const { child, text } = run(...extra)
    expect(await once(child, 'exit')).toEqual([2, null])
    expect(text()).toContain(expected)
    expect(text()).toContain('--serial <serial>')
  })
})
