import { afterEach, describe, expect, it } from 'vitest'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import { DIALS_PER_FRAME, type DialReport } from '#contract/kernel/protocol.ts'
import { type Dial, DialReporter, readDials } from '#infra/agent/reports/dial-reporter.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { virtualDials } from '#infra/simulator/virtual-dials.ts'
import { closeAll } from './support/agents.ts'
import { network, routerDocument } from './support/documents.ts'
import { FakeClock } from './support/fake-clock.ts'

afterEach(closeAll)

const dial = (key: string, over: Partial<Dial> = {}): Dial => ({
  key,
  network_number: 'N1',
  name: 'li.na@qiming',
  remote: '203.0.113.9',
  beganAt: 1_750_000_000_000,
  endedAt: null,
  rx: 1,
  tx: 2,
  ...over,
})

function harness(store = memoryStore()) {
  const clock = new FakeClock()
  const frames: DialReport[][] = []
  const start = async () =>
    new DialReporter({ clock, store, send: (dials) => frames.push(dials) }, await readDials(store))
  return { clock, frames, store, start }
}
const keysOf = (frame: readonly DialReport[] | undefined) => frame?.map(({ key }) => key)

describe('reports of dials', () => {
  it('leave once connected, with ages instead of times', async () => {
    const { clock, frames, start } = harness()
    const reporter = await start()
    reporter.report(dial('a', { beganAt: clock.now() - 60_000, endedAt: clock.now() - 1_000 }))
    await clock.advance(60_000)
    expect(frames).toEqual([])
    reporter.connected()
    await clock.advance(0)
    expect(frames).toMatchObject([[{ key: 'a', began_ms: 120_000, ended_ms: 61_000, rx: 1, tx: 2 }]])
    expect(Object.keys(frames[0]![0]!)).not.toContain('beganAt')
  })

  it('are repeated until they are acknowledged, and not afterwards', async () => {
    const { clock, frames, start, store } = harness()
    const reporter = await start()
    reporter.connected()
    reporter.report(dial('a'))
    await clock.advance(DIAL.saveMs + DIAL.retryMs)
    expect(frames.map(keysOf)).toEqual([['a'], ['a']])
    reporter.acknowledged(['a'])
    await clock.advance(10 * DIAL.retryMs)
    expect(frames).toHaveLength(2)
    expect((await readDials(store)).pending).toEqual([])
  })

  it('a dial that moved on since its report is reported once more', async () => {
    const { clock, frames, start } = harness()
    const reporter = await start()
    reporter.connected()
    reporter.report(dial('a'))
    await clock.advance(DIAL.saveMs)
    reporter.report(dial('a', { rx: 9 }))
    reporter.acknowledged(['a'])
    await clock.advance(DIAL.saveMs)
    expect(frames.map((frame) => frame[0]!.rx)).toEqual([1, 9])
  })

  it('survive a cut connection and a restart', async () => {
    const { clock, frames, start } = harness()
    const first = await start()
    first.connected()
    first.report(dial('a'), dial('b'))
    await clock.advance(DIAL.saveMs)
    first.disconnected()
    first.report(dial('c'))
    const second = await start()
    second.connected()
    await clock.advance(0)
    expect(frames.map(keysOf)).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ])
  })

  it('reports of open dials are repeated after a reconnect, because the hub ended them while the device was away', async () => {
    const { clock, frames, start } = harness()
    const reporter = await start()
    reporter.connected()
    reporter.report(dial('open'), dial('over'))
    await clock.advance(DIAL.saveMs)
    reporter.acknowledged(['open', 'over'])
    reporter.report(dial('over', { endedAt: clock.now() }))
    await clock.advance(DIAL.saveMs)
    reporter.acknowledged(['over'])
    reporter.disconnected()
    reporter.connected()
    await clock.advance(DIAL.saveMs)
    expect(frames.map(keysOf)).toEqual([['open', 'over'], ['over'], ['open']])
  })

  it('go a frame at a time, and the newest are kept', async () => {
    const { clock, frames, start, store } = harness()
    const reporter = await start()
    reporter.report(...Array.from({ length: DIAL.keptMax + 50 }, (_, i) => dial(`k${i}`)))
    expect((await readDials(store)).pending.map(({ key }) => key)).toHaveLength(DIAL.keptMax)
    reporter.connected()
    const seen: string[] = []
    for (let i = 0; i < 20; i++) {
      await clock.advance(DIAL.saveMs)
      const keys = keysOf(frames.at(-1)) ?? []
      expect(keys.length).toBeLessThanOrEqual(DIALS_PER_FRAME)
      seen.push(...keys)
      reporter.acknowledged(keys)
    }
    expect(new Set(seen).size).toBe(DIAL.keptMax)
    expect(seen).not.toContain('k0')
  })

  it('a record that cannot be read counts as none', async () => {
    const store = memoryStore({ dials: [{ key: 7 }], 'open-dials': [dial('no time')] })
    expect(await readDials(store)).toEqual({ pending: [], open: [] })
  })

  it('a dial whose end nobody saw is closed at its last report; one that goes on is not', async () => {
    const { clock, frames, start } = harness()
    const first = await start()
    first.connected()
    first.report(dial('over'), dial('on'))
    await clock.advance(DIAL.saveMs)
    first.acknowledged(['over', 'on'])
    const seenAt = clock.now()
    first.disconnected()
    await clock.advance(60_000)
    const second = await start()
    second.connected()
    second.report(dial('on', { rx: 5 }))
    await clock.advance(DIAL.saveMs)
    second.acknowledged(['on'])
    await clock.advance(DIAL.settleMs)
    expect(frames.slice(1).map(keysOf)).toEqual([['on'], ['over']])
    const [ended] = frames.at(-1)!
    expect(ended).toMatchObject({ key: 'over', reason: '设备重启' })
    expect(clock.now() - ended!.ended_ms!).toBeCloseTo(seenAt + DIAL.saveMs, -4)
    second.acknowledged(['over'])
    const third = await start()
    third.connected()
    third.report(dial('on', { rx: 6 }))
    await clock.advance(2 * DIAL.settleMs)
    expect(new Set(frames.slice(3).flatMap(keysOf))).toEqual(new Set(['on']))
  })
})

describe('virtual dials', () => {
  interface Account {
    readonly name: string
    readonly credential_version?: number
  }
  const documentWith = (...accounts: Account[]) => {
    const server = {
      service: 'software' as const,
      port: 20_001,
      ip: '100.64.16.1',
      mask: 20,
      pool: null,
      accounts: accounts.map((account, id) => ({ id, ip: '100.64.16.9', credential_version: 0, ...account })),
      routes: [],
      rate_mbps: null,
    }
    return routerDocument({ ...network('N1'), servers: [server] })
  }
  async function openDials(...accounts: Account[]) {
    const clock = new FakeClock()
    const seen: Dial[] = []
    const source = virtualDials('NL-C', clock, () => 0.2)
    source.start((...dials) => seen.push(...dials))
    source.serve(documentWith(...accounts))
    await clock.advance(30_000)
    const ended = () => seen.filter(({ endedAt }) => endedAt !== null).map(({ name }) => name)
    return { clock, seen, source, ended }
  }

  it('of a member whose credential is newer end at once; the others go on', async () => {
    const others = { name: 'wang@qiming', credential_version: 3 }
    const { source, ended } = await openDials({ name: 'li.na@qiming' }, others)
    source.serve(documentWith({ name: 'li.na@qiming', credential_version: 0 }, others))
    expect(ended()).toEqual([])
    source.serve(documentWith({ name: 'li.na@qiming', credential_version: 1 }, others))
    expect(ended()).toEqual(['li.na@qiming'])
  })

  it('of a member end by command; their number is answered', async () => {
    const { source, ended } = await openDials({ name: 'li.na@qiming' }, { name: 'wang@qiming' })
    expect([
      source.end('N1', 'li.na@qiming', false, null),
      source.end('N1', 'li.na@qiming', false, null),
      source.end('N2', 'wang@qiming', false, null),
    ]).toEqual([1, 0, 0])
    expect(ended()).toEqual(['li.na@qiming'])
  })

  it('begin, grow and end with the accounts of the document', async () => {
    const { clock, seen, source } = await openDials({ name: 'li.na@qiming' })
    expect(seen).toMatchObject([{ network_number: 'N1', name: 'li.na@qiming', endedAt: null, rx: 0 }])
    await clock.advance(DIAL.updateMs * 2)
    expect(seen.at(-1)).toMatchObject({ key: seen[0]!.key, endedAt: null })
    expect(seen.at(-1)!.tx).toBeGreaterThan(0)
    source.serve(routerDocument(network('N1')))
    expect(seen.at(-1)).toMatchObject({ key: seen[0]!.key, endedAt: clock.now() })
    const count = seen.length
    await clock.advance(DIAL.updateMs * 4)
    expect(seen).toHaveLength(count)
  })
})
