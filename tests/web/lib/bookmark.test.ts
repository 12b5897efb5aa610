import { beforeEach, describe, expect, it, vi } from 'vitest'
import { BOOKMARK_HEADER } from '#contract/kernel/bookmark.ts'
import { networkApi } from '#contract/network/index.ts'
import { createSession } from './fixtures.ts'
import { type RecordedCall, fakeApi, noOtherTabs } from './fake-api.ts'

const bookmark = (n: number): string => `${n.toString(16).padStart(8, '0')}-00000000-00000000-${'0'.repeat(32)}`
const KEY = 'netloom.bookmark'

/** Answer with a bookmark. */
const at = (n: number, body: object = {}) =>
  Response.json({ code: 200, msg: '', data: null, ...body }, { headers: { [BOOKMARK_HEADER]: bookmark(n) } })

/** A tab of its own: its session and bookmarks live in modules. */
async function openTab(handlers: Parameters<typeof fakeApi>[0] = {}, user = 'demo01') {
  const api = fakeApi({ 'login/refresh': () => at(1, { data: createSession({ username: user }) }), ...handlers })
  vi.resetModules()
  const { call } = await import('#lib/call/call.ts')
  const session = await import('#lib/session/session.ts')
  await session.knownSession()
  return { api, call, sent: () => sentOf(api.last('network/select')) }
}
const sentOf = (call: RecordedCall | undefined) => call?.headers.get(BOOKMARK_HEADER) ?? null

beforeEach(() => {
  localStorage.clear()
  noOtherTabs()
})

describe('the bookmark of this browser', () => {
  it('goes with near reads only, and not with those that need the primary', async () => {
    const { api, call, sent } = await openTab({ 'network/select': { data: [] }, 'network/info': { data: {} } })
    await call(networkApi.select, {})
    expect(sent()).toBe(bookmark(1))
    await call(networkApi.select, {}, { reads: 'primary' })
    expect(sent()).toBeNull()
    await call(networkApi.info, { network_number: 'N1' })
    expect(sentOf(api.last('network/info'))).toBeNull()
  })

  it('moves with every write and never back', async () => {
    const { api, call, sent } = await openTab({
      'network/select': () => at(7, { data: [] }),
      'network/name': () => at(7),
    })
    await call(networkApi.name, { network_number: 'N1', network_name: 'x' })
    await call(networkApi.select, {})
    expect(sent()).toBe(bookmark(7))
    api.set('network/name', () => at(5)) // an answer that comes late
    await call(networkApi.name, { network_number: 'N1', network_name: 'y' })
    await call(networkApi.select, {})
    expect(sent()).toBe(bookmark(7))
  })

  it('also moves with a write that was refused, and stays where an answer has none or nonsense', async () => {
    const refused = () => at(9, { code: 422, msg: 'x', reason: 'NETWORK_CHANGED' })
    const { api, call, sent } = await openTab({ 'network/select': { data: [] }, 'network/name': refused })
    await call(networkApi.name, { network_number: 'N1', network_name: 'x' }, { quiet: true }).catch(() => null)
    api.set('network/name', () =>
      Response.json({ code: 200, msg: '', data: null }, { headers: { [BOOKMARK_HEADER]: 'ffffffff' } }),
    )
    await call(networkApi.name, { network_number: 'N1', network_name: 'x' })
    await call(networkApi.select, {})
    expect(sent()).toBe(bookmark(9))
  })

  it('is replaced where the database answers with an older one than was sent: it is another database', async () => {
    localStorage.setItem(KEY, `${bookmark(500)} 0 demo01`)
    const { call, sent } = await openTab({ 'network/select': () => at(20, { data: [] }) })
    await call(networkApi.select, {})
    expect(sent()).toBe(bookmark(500))
    await call(networkApi.select, {})
    expect(sent()).toBe(bookmark(20))
    expect(localStorage.getItem(KEY)).toBe(`${bookmark(20)} 0 demo01`)
  })
})

describe('all tabs of an account', () => {
  it('share the newest one: over storage', async () => {
    const first = await openTab({ 'network/name': () => at(8) })
    await first.call(networkApi.name, { network_number: 'N1', network_name: 'x' })
    const second = await openTab({ 'network/select': { data: [] } })
    await second.call(networkApi.select, {})
    expect(second.sent()).toBe(bookmark(8))
  })

  it('and over messages, where storage is blocked', async () => {
    vi.unstubAllGlobals()
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('blocked')
    })
    const tab = await openTab({ 'network/select': { data: [] }, 'network/name': () => at(13) })
    const other = new BroadcastChannel(KEY)
    other.postMessage({ owner: '0 demo02', bookmark: bookmark(99) }) // of somebody else in this browser
    other.postMessage({ owner: '0 demo01', bookmark: bookmark(12) })
    await vi.waitFor(async () => {
      await tab.call(networkApi.select, {})
      expect(tab.sent()).toBe(bookmark(12))
    })
    const heard = new Promise((resolve) => (other.onmessage = ({ data }) => resolve(data)))
    await tab.call(networkApi.name, { network_number: 'N1', network_name: 'x' })
    expect(await heard).toMatchObject({ owner: '0 demo01', bookmark: bookmark(13) })
    other.close()
    vi.restoreAllMocks()
  })

  it('of another account start with their own', async () => {
    localStorage.setItem(KEY, `${bookmark(40)} 0 demo02`)
    const { call, sent } = await openTab({ 'network/select': { data: [] } })
    await call(networkApi.select, {})
    expect(sent()).toBe(bookmark(1))
  })
})
