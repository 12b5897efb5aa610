import { beforeEach, describe, expect, it, vi } from 'vitest'
import { verifyApi } from '#contract/verify/index.ts'
import { createSession } from './fixtures.ts'
import { failing, fakeApi } from './fake-api.ts'
import { networkApi } from '#contract/network/index.ts'

/** A page of its own for each test: the session lives in modules. */
async function openPage(handlers: Parameters<typeof fakeApi>[0]) {
  const api = fakeApi({ 'login/refresh': { data: createSession() }, ...handlers })
  vi.resetModules()
  const { call, ApiError } = await import('#lib/call/call.ts')
  const { toastStore } = await import('#lib/toast/toast.ts')
  const { navigation } = await import('#lib/navigation.ts')
  const moves = {
    back: vi.spyOn(navigation, 'back').mockImplementation(() => {}),
    go: vi.spyOn(navigation, 'assign').mockImplementation(() => {}),
  }
  const session = await import('#lib/session/session.ts')
  await session.knownSession()
  /** A refusal is shown a task later, unless a form has marked it by then. */
  const toasts = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return toastStore.get().map(({ tone, text }) => `${tone} ${text}`)
  }
  return { api, call, ApiError, moves, toasts }
}

const target = { network_number: 'N1' }
beforeEach(() => void sessionStorage.clear())

describe('one call', () => {
  it('sends the token, the query without what is absent, and unwraps the reply', async () => {
    const { api, call } = await openPage({ 'network/lists': { data: [{ network_number: 'N1' }], count: 7, msg: 'x' } })
    const reply = await call(networkApi.lists, { page: 2, search: undefined })
    expect(reply).toEqual({ data: [{ network_number: 'N1' }], count: 7, msg: 'x' })
    expect(api.last('network/lists')).toMatchObject({ method: 'GET', input: { page: '2' }, token: 'Bearer access-1' })
  })

  it('keeps the token from public endpoints', async () => {
    const { api, call } = await openPage({ 'verify/code': { data: { content: '', uniqid: 'u' } } })
    await call(verifyApi.code, { purpose: 'login' })
    expect(api.last('verify/code')?.token).toBeNull()
  })
})

describe('reactions (account 8)', () => {
  it.each([
    [401, '请先验证手机', ['error 请先验证手机'], 0],
    [403, '没有操作权限', ['error 没有操作权限'], 0],
    [422, '名称过长', ['error 名称过长'], 0],
    [423, '请先设置', [], 0],
    [429, '操作过于频繁', ['error 操作过于频繁'], 0],
    [500, '系统异常,请稍候尝试!', ['error 系统异常,请稍候尝试!'], 0],
    [204, '组网不存在', ['error 组网不存在'], 1],
    [299, '', ['error 获取数据异常，请稍候尝试'], 0],
  ])('code %i "%s"', async (code, msg, shown, back) => {
    const { call, toasts, moves } = await openPage({ 'network/delete': { code, msg } })
    await expect(call(networkApi.delete, target)).rejects.toMatchObject({ name: 'ApiError', code })
    expect(await toasts()).toEqual(shown)
    expect(moves.back).toHaveBeenCalledTimes(back)
  })

  it('hands over field, wait and request id', async () => {
    const { call } = await openPage({
      'network/name': { code: 429, msg: 'x', data: { field: 'network_name', retry_after: 9 }, request_id: 'r-1' },
    })
    await expect(call(networkApi.name, { ...target, network_name: 'a' })).rejects.toMatchObject({
      field: 'network_name',
      retryAfter: 9,
      requestId: 'r-1',
    })
  })

  it('hands over what the refusal carries beside data', async () => {
    const refused = { code: 423, msg: '请先验证域名', file_name: 'netloom.txt', request_id: 'r-1' }
    const { call } = await openPage({ 'network/info': () => Response.json(refused) })
    await expect(call(networkApi.info, target)).rejects.toMatchObject({ extra: { file_name: 'netloom.txt' } })
  })

  it('hands over the key of the refusal', async () => {
    const { call } = await openPage({ 'network/edit': { code: 422, msg: 'x', reason: 'NETWORK_CHANGED' } })
    const input = { ...target, network_name: 'a', center: ['r'], point: [] }
    await expect(call(networkApi.edit, input)).rejects.toMatchObject({ reason: 'NETWORK_CHANGED' })
  })

  it('stays on the page where the caller takes 204 itself', async () => {
    const { call, toasts, moves } = await openPage({ 'network/info': { code: 204, msg: '不存在' } })
    await expect(call(networkApi.info, target, { onMissing: 'stay' })).rejects.toMatchObject({ code: 204 })
    expect(await toasts()).toEqual(['error 不存在'])
    expect(moves.back).not.toHaveBeenCalled()
  })

  it('shows no toast and does not navigate with `quiet`', async () => {
    const { call, toasts, moves } = await openPage({ 'network/info': { code: 204, msg: '不存在' } })
    await expect(call(networkApi.info, target, { quiet: true })).rejects.toMatchObject({ code: 204 })
    expect([await toasts(), moves.back.mock.calls]).toEqual([[], []])
  })

  it.each([
    ['no network', new TypeError('Failed to fetch')],
    ['a time-out', new DOMException('signal timed out', 'TimeoutError')],
  ])('says 系统响应超时 on %s', async (_, failure) => {
    const { call, toasts } = await openPage({ 'network/config': failing(failure) })
    await expect(call(networkApi.config, {})).rejects.toMatchObject({ code: 0 })
    expect(await toasts()).toEqual(['error 系统响应超时,请稍候尝试'])
  })

  it("reports a proxy's error page by its HTTP status", async () => {
    const { call, toasts } = await openPage({
      'network/config': () =>
        new Response('<html>Bad gateway</html>', { status: 502, headers: { 'x-request-id': 'r-2' } }),
    })
    await expect(call(networkApi.config, {})).rejects.toMatchObject({ code: 502, requestId: 'r-2' })
    expect(await toasts()).toEqual(['error 获取数据异常，请稍候尝试'])
  })

  it('gives up after the time-out of the call', async () => {
    const { call } = await openPage({})
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    await expect(call(networkApi.config, {}, { timeoutMs: 20 })).rejects.toMatchObject({ code: 0 })
  })
})

describe('a session that is gone (account 4)', () => {
  it.each([2001, 2002, 2003])('code %i: refreshes once and repeats the call', async (code) => {
    let tries = 0
    const { api, call, toasts } = await openPage({
      'network/config': () => (++tries === 1 ? { code, msg: 'x' } : { data: { ok: 1 } }),
    })
    api.set('login/refresh', { data: { ...createSession(), access_token: 'access-2' } })
    await expect(call(networkApi.config, {})).resolves.toMatchObject({ data: { ok: 1 } })
    expect(api.last('network/config')?.token).toBe('Bearer access-2')
    expect(await toasts()).toEqual([])
  })

  it('refreshes once for six calls that fail together', async () => {
    const { api, call } = await openPage({
      'network/config': ({ token }) => (token === 'Bearer access-2' ? {} : { code: 2001, msg: 'x' }),
    })
    api.set('login/refresh', { data: { ...createSession(), access_token: 'access-2' } })
    await Promise.all(Array.from({ length: 6 }, () => call(networkApi.config, {})))
    expect(api.paths().filter((path) => path === 'login/refresh')).toHaveLength(2) // page load, and this one
  })

  it('renews a token that is about to end before it is refused', async () => {
    const { api, call } = await openPage({ 'login/refresh': { data: createSession({}, 5) }, 'network/config': {} })
    api.set('login/refresh', { data: { ...createSession(), access_token: 'access-2' } })
    await call(networkApi.config, {})
    expect(api.last('network/config')?.token).toBe('Bearer access-2')
  })

  it('navigates to the sign-in page, once, with a flash message', async () => {
    const { api, call, moves, toasts } = await openPage({ 'network/config': { code: 2001, msg: 'x' } })
    api.set('login/refresh', { code: 2003, msg: 'x' })
    await Promise.allSettled([call(networkApi.config, {}), call(networkApi.config, {})])
    expect(moves.go.mock.calls).toEqual([['/login?redirect=%2F']])
    expect(await toasts()).toEqual([])
    const { showFlashToast } = await import('#lib/toast/toast.ts')
    showFlashToast()
    expect(await toasts()).toEqual(['error 登录已过期，请重新登录!'])
  })

  it('gives up when the renewed token is refused as well', async () => {
    const { api, call, moves } = await openPage({ 'network/config': { code: 2002, msg: 'x' } })
    await expect(call(networkApi.config, {})).rejects.toMatchObject({ code: 2002 })
    expect(api.paths().filter((path) => path === 'network/config')).toHaveLength(2)
    expect(moves.go).toHaveBeenCalledTimes(1)
  })

  it('does not sign out because the refresh got no answer', async () => {
    const { api, call, moves, toasts } = await openPage({ 'network/config': { code: 2001, msg: 'x' } })
    api.set('login/refresh', failing(new TypeError('Failed to fetch')))
    await expect(call(networkApi.config, {})).rejects.toMatchObject({ code: 0 })
    expect(moves.go).not.toHaveBeenCalled()
    expect(await toasts()).toEqual(['error 系统响应超时,请稍候尝试'])
  })

  it('says what a busy service said to the refresh', async () => {
    const { api, call, moves } = await openPage({ 'network/config': { code: 2001, msg: 'x' } })
    api.set('login/refresh', { code: 503, msg: '当前访问量过大', reason: 'OVERLOADED', data: { retry_after: 20 } })
    const refused = { code: 503, reason: 'OVERLOADED', retryAfter: 20 }
    await expect(call(networkApi.config, {}, { quiet: true })).rejects.toMatchObject(refused)
    await expect(call(networkApi.config, {}, { quiet: true })).rejects.toMatchObject(refused)
    expect(api.paths().filter((path) => path === 'login/refresh')).toHaveLength(2) // page load, and one
    expect(moves.go).not.toHaveBeenCalled()
  })

  it('does not refresh after a refusal of a public call', async () => {
    const open = { ...verifyApi.code, path: 'verify/code' }
    const { api, call, moves, toasts } = await openPage({ 'verify/code': { code: 2003, msg: '授权链接无效' } })
    await expect(call(open, {})).rejects.toMatchObject({ code: 2003 })
    expect(moves.go).not.toHaveBeenCalled()
    expect(await toasts()).toEqual(['error 授权链接无效'])
    expect(api.paths().filter((path) => path === 'login/refresh')).toHaveLength(1)
  })
})

describe('a refusal that names a field', () => {
  const refused = { code: 422, msg: '该名称已被使用', data: { field: 'network_name' } }
  const named = { ...target, network_name: 'a' }
  const flushTimers = () => new Promise((resolve) => setTimeout(resolve))

  it('is a toast where no form marks it', async () => {
    const { call, toasts } = await openPage({ 'network/name': refused })
    await expect(call(networkApi.name, named)).rejects.toMatchObject({ field: 'network_name' })
    await flushTimers()
    expect(await toasts()).toEqual(['error 该名称已被使用'])
  })

  it('shows no toast where a form shows the error', async () => {
    const { call, toasts } = await openPage({ 'network/name': refused })
    const { markHandled } = await import('#lib/call/call.ts')
    await call(networkApi.name, named).catch(markHandled)
    await flushTimers()
    expect(await toasts()).toEqual([])
  })
})

describe('a file as answer', () => {
  const spec = { ...networkApi.select, path: 'network/export', reply: 'file' } as const
  const saved: string[] = []
  beforeEach(() => {
    saved.length = 0
    URL.createObjectURL = () => 'blob:x'
    URL.revokeObjectURL = () => {}
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
  })

  it('is saved under the server’s name', async () => {
    const headers = { 'content-disposition': "attachment; filename*=UTF-8''%E6%88%90%E5%91%98.xlsx" }
    const { api } = await openPage({ 'network/export': () => new Response('x', { headers }) })
    const { download } = await import('#lib/call/call.ts')
    await download(spec, {})
    expect(saved).toEqual(['成员.xlsx'])
    expect(api.last('network/export')?.token).toBe('Bearer access-1')
  })

  it('may be a refusal instead', async () => {
    const { toasts } = await openPage({ 'network/export': { code: 422, msg: '数据为空，请重新筛选数据！' } })
    const { download } = await import('#lib/call/call.ts')
    await expect(download(spec, {})).rejects.toMatchObject({ code: 422 })
    expect([saved, await toasts()]).toEqual([[], ['error 数据为空，请重新筛选数据！']])
  })
})
