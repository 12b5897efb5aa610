import { expect, it, vi } from 'vitest'
import { type DialSession, DialSessions } from '#infra/agent/drivers/linux/openvpn/dial-sessions.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'

const session = (id: string, over: Partial<DialSession> = {}): DialSession => ({
  id,
  network: 'N1',
  name: 'a@q',
  profile: null,
  version: 0,
  ...over,
})

it('sessions outlive the agent', async () => {
  const store = memoryStore()
  const before = await DialSessions.open(store, silentLog)
  before.add(session('S1', { profile: 7 }))
  before.add(session('S2'))
  before.forget('N1', 'a@q', 7)
  await vi.waitFor(async () => expect(await store.load('dial-sessions')).toEqual([session('S2')]))
  const after = await DialSessions.open(store, silentLog)
  expect([after.find('S1'), after.find('S2')]).toEqual([null, session('S2')])
})

it('what is no list of sessions counts as none', async () => {
  for (const kept of [null, {}, [{ id: 1 }], 'x']) {
    const sessions = await DialSessions.open(memoryStore({ 'dial-sessions': kept }), silentLog)
    expect(sessions.find('S1')).toBeNull()
  }
})

it('forgets those of one profile, or all of a member in a network', async () => {
  const sessions = await DialSessions.open(memoryStore(), silentLog)
  const all = [
    session('S1', { profile: 7 }),
    session('S2', { profile: 8 }),
    session('S3', { network: 'N2', profile: 7 }),
    session('S4', { name: 'b@q' }),
  ]
  const kept = () => all.filter(({ id }) => sessions.find(id) !== null).map(({ id }) => id)
  for (const each of all) sessions.add(each)
  sessions.forget('N1', 'a@q', 7)
  expect(kept()).toEqual(['S2', 'S3', 'S4'])
  sessions.forget('N1', 'a@q', null)
  expect(kept()).toEqual(['S3', 'S4'])
  expect([sessions.endings('N1', 'a@q'), sessions.endings('N2', 'a@q'), sessions.endings('N1', 'b@q')]).toEqual([
    2, 0, 0,
  ])
})

it('the one admitted last is the member’s, also after an earlier one was renewed', async () => {
  const sessions = await DialSessions.open(memoryStore(), silentLog)
  sessions.add(session('S1'))
  sessions.add(session('S2'))
  expect(sessions.last('N1', 'a@q')?.id).toBe('S2')
  sessions.add(session('S1'))
  expect(sessions.last('N1', 'a@q')?.id).toBe('S1')
  expect(sessions.last('N2', 'a@q')).toBeNull()
})

it('keeps the newest only, and a store that fails costs nothing but the record', async () => {
  const lines: string[] = []
  const store = { load: async () => null, save: () => Promise.reject(new Error('full')) }
  const sessions = await DialSessions.open(store, (line) => void lines.push(line))
  for (let n = 0; n <= 4_000; n++) sessions.add(session(`S${n}`))
  expect([sessions.find('S0'), sessions.find('S1')?.id]).toEqual([null, 'S1'])
  await vi.waitFor(() => expect(lines).not.toEqual([]))
})
