import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Agent } from '#infra/agent/agent.ts'
import { folderStore } from '#infra/agent/store.ts'
import { closeAll, connected, createAgent, createHub } from './support/agents.ts'
import type { FakeHub } from './support/fake-hub.ts'

afterEach(closeAll)

const openStore = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'netloom-'))
  return { folder, file: join(folder, 'ticket.json') }
}

/** Cuts the connection once it is welcomed, and waits for the next one. */
async function cutOff(hub: FakeHub, agent: Agent): Promise<void> {
  await expect.poll(() => agent.isUp).toBe(true)
  hub.last.socket.terminate()
  await connected(hub, hub.devices.length + 1)
}

describe('agent.md, Connection · return ticket', () => {
  it('of a welcome is sent with the next connections, until another one comes', async () => {
    const hub = await createHub()
    hub.ticket = 'a.b.c'
    const { agent } = await createAgent(hub)
    await connected(hub)
    hub.ticket = undefined
    await cutOff(hub, agent)
    hub.ticket = 'd.e.f'
    await cutOff(hub, agent)
    await cutOff(hub, agent)
    expect(hub.tickets).toEqual([undefined, 'a.b.c', 'a.b.c', 'd.e.f'])
  })

  it('goes with the question why a socket did not open, which then costs the service no call of its database', async () => {
    const hub = await createHub()
    hub.ticket = 'a.b.c'
    const { agent, lines } = await createAgent(hub)
    await expect.poll(() => agent.isUp).toBe(true)
    hub.refusal = { code: 403, msg: '设备已被停用' }
    hub.last.socket.terminate()
    await expect.poll(() => lines.join('\n')).toContain('设备已被停用')
    expect(hub.explanationTickets[0]).toBe('a.b.c')
  })

  it('is kept in the state folder for root alone, and outlives the agent', async () => {
    const hub = await createHub()
    const { folder, file } = await openStore()
    hub.ticket = 'a.b.c'
    const first = await createAgent(hub, { store: await folderStore(folder) })
    await connected(hub)
    await expect.poll(async () => readFile(file, 'utf8').catch(() => '')).toContain('a.b.c')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await first.agent.stop()
    await createAgent(hub, { store: await folderStore(folder) })
    await connected(hub, 2)
    expect(hub.tickets).toEqual([undefined, 'a.b.c'])
  })

  it.each(['{', '{"ticket":"two words"}', '{"ticket":"line\\nbreak"}', '[]'])(
    'that cannot be read is none: %s',
    async (text) => {
      const hub = await createHub()
      const { folder, file } = await openStore()
      await writeFile(file, text)
      await createAgent(hub, { store: await folderStore(folder) })
      await connected(hub)
      expect(hub.tickets).toEqual([undefined])
    },
  )

  it('that no header can carry is ignored, and the welcome counts', async () => {
    const hub = await createHub()
    const { agent } = await createAgent(hub)
    const device = await connected(hub)
    const welcome = { t: 'welcome', epoch: 2, server_time: Date.now(), heartbeat_s: 25, spread_s: 45, desired: null }
    for (const ticket of ['two\nlines', '', 5, null, 'x'.repeat(5_000)])
      device.socket.send(JSON.stringify({ ...welcome, ticket }))
    await cutOff(hub, agent)
    expect(hub.tickets).toEqual([undefined, undefined])
    await expect.poll(() => agent.isUp).toBe(true)
  })
})
