import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createSession } from './fixtures.ts'
import { failing, fakeApi, noOtherTabs } from './fake-api.ts'

async function openTab(handlers: Parameters<typeof fakeApi>[0]) {
  const api = fakeApi(handlers)
  vi.resetModules()
  const session = await import('#lib/session/session.ts')
  const { navigation } = await import('#lib/navigation.ts')
  const go = vi.spyOn(navigation, 'assign').mockImplementation(() => {})
  const reload = vi.spyOn(navigation, 'reload').mockImplementation(() => {})
  return { api, go, reload, ...session }
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('the session of a page', () => {
  it('is asked for once, however many ask', async () => {
    const tab = await openTab({ 'login/refresh': { data: createSession() } })
    const known = await Promise.all([tab.knownSession(), tab.knownSession(), tab.knownSession()])
    expect(known[0]).toMatchObject({ status: 'signed-in', user: { username: 'demo01' } })
    expect(tab.api.calls).toHaveLength(1)
  })

  it('is anonymous when the server says so, unknown after a network error', async () => {
    const refused = await openTab({ 'login/refresh': { code: 2003, msg: '请先登录' } })
    expect(await refused.knownSession()).toEqual({ status: 'anonymous' })
    const unanswered = await openTab({ 'login/refresh': failing(new TypeError('Failed to fetch')) })
    expect(await unanswered.knownSession()).toEqual({ status: 'unknown' })
    const broken = await openTab({ 'login/refresh': { code: 500, msg: '系统异常' } })
    expect(await broken.knownSession()).toEqual({ status: 'unknown' })
  })

  it('leaves no token where a script could find it', async () => {
    const tab = await openTab({ 'login/refresh': { data: createSession() } })
    await tab.knownSession()
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])).not.toContain('access-1')
  })

  it('signs out locally even when the server is unreachable', async () => {
    const tab = await openTab({
      'login/refresh': { data: createSession() },
      'login/logout': failing(new TypeError('Failed to fetch')),
    })
    await tab.knownSession()
    await tab.signOut()
    expect(tab.go).toHaveBeenCalledWith('/login')
    expect(await tab.accessToken()).toBeNull()
  })
})

describe('a busy service', () => {
  const BUSY = {
    code: 503,
    msg: '当前访问量过大，请25秒后重试',
    reason: 'OVERLOADED',
    data: { retry_after: 25 },
  } as const

  it('is not asked for the session again before the time that it named', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const tab = await openTab({ 'login/refresh': BUSY })
    expect(await tab.knownSession()).toEqual({ status: 'unknown' })
    expect(await tab.renewSession()).toBe('unreachable')
    expect(tab.renewalFailure()).toMatchObject({ reason: 'OVERLOADED', retryAfter: 25 })
    vi.setSystemTime(Date.now() + 24_999)
    expect(await tab.renewSession()).toBe('unreachable')
    expect(tab.api.calls).toHaveLength(1)
    vi.setSystemTime(Date.now() + 1)
    tab.api.set('login/refresh', { data: createSession() })
    expect(await tab.renewSession()).toBe('renewed')
    vi.useRealTimers()
  })

  it('is asked again at once after a lost answer', async () => {
    const tab = await openTab({ 'login/refresh': failing(new TypeError('Failed to fetch')) })
    expect([await tab.renewSession(), await tab.renewSession()]).toEqual(['unreachable', 'unreachable'])
    expect(tab.renewalFailure().code).toBe(0)
    expect(tab.api.calls).toHaveLength(2)
  })
})

describe('rights that change while the page is open', () => {
  const renewed = async (over: Parameters<typeof createSession>[0]) => {
    noOtherTabs()
    let asked = 0
    const tab = await openTab({ 'login/refresh': () => ({ data: createSession(asked++ === 0 ? { ram: 1 } : over) }) })
    await tab.knownSession()
    await tab.renewSession()
    return tab
  }

  it.each([
    ['fewer networks', { ram: 1 as const, networks: ['N1'] }],
    ['fewer flags', { ram: 1 as const, flags: [] }],
  ])('%s: the page is loaded anew, and says so', async (_, over) => {
    const tab = await renewed(over)
    expect(tab.reload).toHaveBeenCalledOnce()
    expect(sessionStorage.getItem('netloom.toast')).toContain('您的权限已变更，页面已重新载入')
  })

  it('a renewal without such a change does nothing', async () => {
    const tab = await renewed({ ram: 1, message_count: 3 })
    expect(tab.reload).not.toHaveBeenCalled()
  })
})

describe('two tabs', () => {
  it('refresh one after another, and none waits for ever', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    type Request = (name: string, options: unknown, work: () => Promise<unknown>) => Promise<unknown>
    const request = vi.fn<Request>((_name, _options, work) => held.then(work))
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks: { request } }))
    const tab = await openTab({ 'login/refresh': { data: createSession() } })
    const known = tab.knownSession()
    await Promise.resolve()
    expect(tab.api.calls).toHaveLength(0)
    release()
    expect(await known).toMatchObject({ status: 'signed-in' })
    request.mockRejectedValue(new DOMException('', 'TimeoutError'))
    const late = await openTab({ 'login/refresh': { data: createSession() } })
    expect(await late.knownSession()).toMatchObject({ status: 'signed-in' })
    vi.unstubAllGlobals()
  })

  it('are signed out together', async () => {
    const one = await openTab({ 'login/refresh': { data: createSession() }, 'login/logout': {} })
    await one.knownSession()
    const two = await openTab({ 'login/refresh': { data: createSession() }, 'login/logout': {} })
    await two.knownSession()
    await two.signOut()
    await expect.poll(() => one.go.mock.calls).toEqual([['/login']])
    expect(await one.accessToken()).toBeNull()
  })

  it('keep what a form holds when the other tab signs in again, before the reload', async () => {
    const one = await openTab({ 'login/refresh': { data: createSession() } })
    const { consumeDraft, registerDraft } = await import('#lib/session/drafts.ts')
    registerDraft('plan N1', () => ({ network_name: '总部' }))
    await one.knownSession()
    const two = await openTab({ 'login/refresh': { code: 2003, msg: 'x' } })
    await two.knownSession()
    two.adoptSession(createSession())
    await expect.poll(() => one.reload.mock.calls).toHaveLength(1)
    expect(consumeDraft('plan N1')).toEqual({ network_name: '总部' })
  })

  it('never mix two accounts: a new sign-in reloads the other', async () => {
    const one = await openTab({ 'login/refresh': { data: createSession() } })
    await one.knownSession()
    const two = await openTab({ 'login/refresh': { code: 2003, msg: 'x' } })
    await two.knownSession()
    two.adoptSession(createSession({ username: 'demo02' }))
    await expect.poll(() => one.reload.mock.calls).toHaveLength(1)
    expect(two.reload).not.toHaveBeenCalled()
  })
})
