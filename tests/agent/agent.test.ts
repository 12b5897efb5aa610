import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { PROTOCOL_VERSION } from '#contract/kernel/hub-limits.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import { codeFile, heldCode } from '#infra/agent/hub/activation-code.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { createDeviceKey, publicPart } from '#infra/agent/hub/identity.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { SERIAL, atEnd, createAgent, closeAll, connected, createHub, startAgent } from './support/agents.ts'
import { network, routerDocument } from './support/documents.ts'
import { configFrame } from './support/fake-hub.ts'

afterEach(closeAll)

describe('the first connection', () => {
  it('registers a key with the activation code, then sends hello as its first frame', async () => {
    const hub = await createHub()
    const { agent } = await createAgent(hub)
    const device = await connected(hub)
    await expect.poll(() => agent.isUp).toBe(true)
    expect(hub.requests).toEqual(['/device/v1/enrol'])
    expect(device.frames[0]).toMatchObject({
      t: 'hello',
      protocol: PROTOCOL_VERSION,
      serial: SERIAL,
      applied: null,
      probe_port: 0,
      capabilities: ['report', 'remotes:names', 'driver:memory', ...DEVICE_SETTING_KEYS],
      interfaces: [{ role: 'wan' }, { role: 'lan', ip: '10.13.0.1', mask: 24 }],
    })
    await expect.poll(() => device.ofType('counters')).toHaveLength(1)
  })

  it('says at which addresses and names other members dial it', async () => {
    const hub = await createHub()
    await createAgent(hub, { endpoints: ['203.0.113.10', 'vpn.example.com'] })
    const device = await connected(hub)
    expect(device.ofType('hello')[0]?.endpoints).toEqual(['203.0.113.10', 'vpn.example.com'])
  })

  it('keeps its key: the second run needs no code', async () => {
    const hub = await createHub()
    const first = await createAgent(hub)
    await connected(hub)
    await first.agent.stop()
    await createAgent(hub, { store: first.store, activationCode: heldCode(null) })
    await connected(hub, 2)
    expect(hub.requests).toEqual(['/device/v1/enrol'])
  })

  it('forgets the code once it is registered, and takes a new one from its file after a reset', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'netloom-code-'))
    atEnd(() => rm(folder, { recursive: true }))
    const path = join(folder, 'code')
    await writeFile(path, 'CODE\n', { mode: 0o600 })
    const hub = await createHub()
    const { lines } = await createAgent(hub, { activationCode: codeFile(path, (line) => lines.push(line)) })
    const device = await connected(hub)
    await expect.poll(() => existsSync(path)).toBe(false)
    expect(lines).toContain(`the activation code is no longer needed: ${path} deleted`)

    hub.keys.clear() // the operator has reset the device
    device.socket.terminate()
    await expect.poll(() => lines.join('\n')).toContain('needs its new code: --code-file')
    await writeFile(path, 'CODE', { mode: 0o644 })
    await connected(hub, 2)
    await expect.poll(() => existsSync(path)).toBe(false)
    expect(lines).toContain(`others may read the code file ${path}`)
    expect(lines.join('\n')).not.toMatch(/\bCODE\b/)
  })

  it('keeps a code in memory no longer than it is needed', async () => {
    const code = heldCode('CODE')
    const hub = await createHub()
    const { agent } = await createAgent(hub, { activationCode: code })
    await expect.poll(() => agent.isUp).toBe(true)
    expect(await code.read()).toBeNull()
  })

  it('prints why it is refused and tries again', async () => {
    const hub = await createHub()
    const { lines } = await createAgent(hub, { activationCode: heldCode('WRONG') })
    await expect.poll(() => lines.join('\n')).toContain('序列号或激活码不正确')
    expect(lines.join('\n')).not.toContain('WRONG')
    await expect.poll(() => hub.requests.length).toBeGreaterThan(1)
  })

  it('prints the refusal of a connection, and connects once the cause is removed', async () => {
    const hub = await createHub()
    hub.refusal = { code: 423, msg: '设备尚未被账号绑定' }
    const { agent, lines } = await createAgent(hub)
    await expect.poll(() => lines.join('\n')).toContain('设备尚未被账号绑定')
    hub.refusal = null
    await expect.poll(() => agent.isUp).toBe(true)
  })

  it('survives the loss of the answer to its registration', async () => {
    const hub = await createHub()
    const first = await createAgent(hub)
    await connected(hub)
    await first.agent.stop()
    const identity = (await first.store.load('identity')) as object
    const store = memoryStore({ identity: { ...identity, enrolled: false } })
    const { lines } = await createAgent(hub, { store })
    await connected(hub, 2)
    expect(lines.join('\n')).toContain('设备密钥已登记')
  })

  it.each([-40, 40])('works with a clock that is %i years off', async (years) => {
    const hub = await createHub({ serverTime: () => Date.now() + years * 365 * 86_400_000 })
    const identity = await (async () => {
      const first = await createAgent(hub)
      await connected(hub)
      await first.agent.stop()
      return first.store.load('identity')
    })()
    const { agent } = await createAgent(hub, { store: memoryStore({ identity }) })
    await expect.poll(() => agent.isUp).toBe(true)
  })

  it('reports a wrong clock, not a reset key', async () => {
    const hub = await createHub({ serverTime: () => Date.now() + 86_400_000 })
    const store = memoryStore()
    const identity = { serial: 'NL-P', enrolled: true, key: await createDeviceKey() }
    await store.save('identity', identity)
    hub.keys.set('NL-P', publicPart(identity.key))
    const { agent, lines } = await createAgent(hub, { store, activationCode: heldCode(null) })
    await expect.poll(() => agent.isUp).toBe(true)
    expect(lines[0]).toMatch(/the clock of this device was 86[34]\d\d s off/)
  })

  it('tolerates a change of the wall clock at runtime', async () => {
    const hub = await createHub()
    let jumpMs = 0
    const clock = { ...systemClock, now: () => systemClock.now() + jumpMs }
    const { lines } = await createAgent(hub, { clock })
    const device = await connected(hub)
    await expect.poll(() => lines.at(-1)).toContain('connected')
    jumpMs = -86_400_000
    device.socket.terminate()
    await connected(hub, 2)
    expect(lines.filter((line) => line.includes('not connected'))).toEqual([])
  })

  it('refuses a state folder of another device', async () => {
    const hub = await createHub()
    const { store } = await createAgent(hub)
    await expect(startAgent(hub.url, { store, serial: 'NL-X' })).rejects.toThrow('NL-P')
  })
})

describe('configuration', () => {
  it('is applied, confirmed by a pong sent after it, and repeated in hello and counters', async () => {
    const hub = await createHub()
    const { agent, store } = await createAgent(hub)
    const device = await connected(hub)
    const frame = configFrame(3, routerDocument(network('N1')))
    device.send(frame)
    await expect
      .poll(() => device.ofType('config_result').map((r) => r.state))
      .toEqual(['received', 'applied', 'confirmed'])
    expect(agent.applied).toEqual(frame.body)
    const applied = { version: 3, hash: frame.hash }
    device.send({ t: 'command', id: 'j', kind: 'report', params: {}, expires_at: Date.now() + 60_000 })
    await expect.poll(() => device.ofType('counters').at(-1)?.applied).toEqual(applied)

    await agent.stop()
    await createAgent(hub, { store })
    expect((await connected(hub, 2)).frames[0]).toMatchObject({ applied })
  })

  it('is refused when its hash does not match', async () => {
    const hub = await createHub()
    const { agent } = await createAgent(hub)
    const device = await connected(hub)
    device.send({ ...configFrame(1, routerDocument(network('N1'))), hash: 'f'.repeat(64) })
    await expect
      .poll(() => device.ofType('config_result'))
      .toMatchObject([{ state: 'failed', reason: expect.stringMatching(/^配置校验失败/) }])
    expect(agent.applied).toBeNull()
  })

  it('keeps unknown fields of a newer hub, because the hash covers them', async () => {
    const hub = await createHub()
    await createAgent(hub)
    const device = await connected(hub)
    const body = { ...routerDocument(), mtu: 1400 }
    device.socket.send(JSON.stringify(configFrame(1, body)))
    await expect.poll(() => device.ofType('config_result').at(-1)?.state).toBe('confirmed')
  })

  it('that the hub never confirms is reverted at the confirm timeout', async () => {
    const hub = await createHub({ heartbeatSeconds: 1 })
    const { agent } = await createAgent(hub)
    const device = await connected(hub)
    const good = configFrame(1, routerDocument(network('N1')))
    device.send(good)
    await expect.poll(() => device.ofType('config_result').at(-1)?.state).toBe('confirmed')
    device.isSilent = true
    device.send(configFrame(2, routerDocument(network('N2')), 1))
    await expect.poll(() => device.ofType('config_result').at(-1)).toMatchObject({ version: 2, state: 'reverted' })
    expect(agent.applied).toEqual(good.body)
  })
})

describe('commands', () => {
  const command = (id: string, over: object = {}) => ({
    t: 'command' as const,
    id,
    kind: 'report',
    params: {},
    expires_at: Date.now() + 60_000,
    ...over,
  })

  it('report everything at once; a repeated id gets the stored result and does nothing', async () => {
    const hub = await createHub()
    const { store, agent } = await createAgent(hub)
    const device = await connected(hub)
    device.send(command('a'))
    await expect.poll(() => device.ofType('job_result')).toMatchObject([{ id: 'a', state: 'done' }])
    expect(device.ofType('interfaces')).toHaveLength(1)
    await agent.stop()
    await createAgent(hub, { store })
    const again = await connected(hub, 2)
    again.send(command('a'))
    await expect.poll(() => again.ofType('job_result')).toMatchObject([{ id: 'a', state: 'done' }])
    expect(again.ofType('interfaces')).toHaveLength(0)
  })

  it('answer expired or unknown, in the order they came', async () => {
    const hub = await createHub()
    await createAgent(hub)
    const device = await connected(hub)
    device.send(command('late', { expires_at: Date.now() - 1_000 }))
    device.send(command('odd', { kind: 'constructor' }))
    device.send(command('good'))
    await expect
      .poll(() => device.ofType('job_result').map((r) => [r.id, r.state]))
      .toEqual([
        ['late', 'expired'],
        ['odd', 'failed'],
        ['good', 'done'],
      ])
  })
})
