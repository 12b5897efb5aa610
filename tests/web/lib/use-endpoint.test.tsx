import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { SWRConfig } from 'swr'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { adoptSession } from '#lib/session/session.ts'
import { dismissToast, toastStore } from '#lib/toast/toast.ts'
import { keepBookmark } from '#lib/call/bookmark.ts'
import { type CommandOptions, useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'
import { createSession } from './fixtures.ts'
import { failing, fakeApi } from './fake-api.ts'
import { BOOKMARK_HEADER } from '#contract/kernel/bookmark.ts'
import { messageApi } from '#contract/message/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

const target = { router_name: 'NL-1' }

function Page({ options }: { readonly options?: CommandOptions }) {
  const networks = useQuery(networkApi.lists, { page: 1 })
  const quota = useQuery(networkApi.config, {})
  const remove = useCommand(routerApi.delete, [], options)
  return (
    <button onClick={() => void remove.trigger(target).catch(() => null)}>
      {networks.error?.reason ?? `${networks.data?.count} ${quota.data === undefined ? '' : 'ready'}`}
    </button>
  )
}

async function open(handlers: Parameters<typeof fakeApi>[0] = {}, options?: CommandOptions) {
  const api = fakeApi({
    'network/lists': { data: [], count: 3 },
    'network/config': { data: {} },
    'router/delete': { msg: '删除成功' },
    'account/info': {},
    ...handlers,
  })
  adoptSession(createSession())
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <Page {...(options && { options })} />
    </SWRConfig>,
  )
  return api
}
async function press() {
  const button = await screen.findByText('3 ready')
  await act(async () => button.click())
}
const toasts = () => toastStore.get().map(({ text }) => text)
const times = (api: ReturnType<typeof fakeApi>, path: string) => api.paths().filter((asked) => asked === path).length

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  for (const { id } of toastStore.get()) dismissToast(id)
})

describe('a command', () => {
  it('shows the server’s sentence and reads again what the contract calls stale', async () => {
    const api = await open()
    await press()
    await waitFor(() => expect([times(api, 'network/lists'), times(api, 'network/config')]).toEqual([2, 2]))
    expect(toasts()).toEqual(['删除成功'])
  })
  it('shows the page’s own sentence, or none', async () => {
    await open({}, { done: '成员已删除' })
    await press()
    await waitFor(() => expect(toasts()).toEqual(['成员已删除']))
    cleanup()
    const api = await open({}, { done: null })
    await press()
    await waitFor(() => expect(times(api, 'network/lists')).toBe(2))
    expect(toasts()).toEqual(['成员已删除'])
  })
  it('reads nothing again after a refusal', async () => {
    const api = await open({ 'router/delete': { code: 204, msg: 'x', reason: 'ROUTER_NOT_FOUND' } }, { quiet: true })
    await press()
    await waitFor(() => expect(times(api, 'router/delete')).toBe(1))
    expect([times(api, 'network/lists'), toasts()]).toEqual([1, []])
  })
})

describe('a query', () => {
  it('leaves its refusal to the page', async () => {
    await open({ 'network/lists': { code: 204, msg: '组网不存在或已被删除', reason: 'NETWORK_NOT_FOUND' } })
    await screen.findByText('NETWORK_NOT_FOUND')
    expect(toasts()).toEqual([])
  })
  it.each([
    ['no answer', failing(new TypeError('Failed to fetch'))],
    ['a fault', { code: 500, msg: '系统异常,请稍候尝试!' }],
    ['a page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ])('that got %s is tried again by itself, at longer intervals, until it gets through', async (_, failure) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.spyOn(Math, 'random').mockReturnValue(0.5) // no jitter
    const api = await open({ 'network/lists': failure })
    const read: number[] = []
    for (let second = 0; second < 80; second += 5) {
      await act(() => vi.advanceTimersByTimeAsync(5_000))
      read.push(times(api, 'network/lists'))
    }
    expect([read[1], read[5], read[13]]).toEqual([2, 3, 4]) // 10, 20 and 40 s after the one before
    api.set('network/lists', { data: [], count: 3 })
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(screen.getByText('3 ready')).toBeDefined()
  })
  it('that an overloaded service refused is tried again after the wait that it asks for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.spyOn(Math, 'random').mockReturnValue(0.5) // no jitter
    const api = await open({
      'network/lists': { code: 503, msg: 'x', reason: 'OVERLOADED', data: { retry_after: 25 } },
    })
    await act(() => vi.advanceTimersByTimeAsync(24_000))
    expect(times(api, 'network/lists')).toBe(1)
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(times(api, 'network/lists')).toBe(2)
  })
  it('that was refused is not tried again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const api = await open({ 'network/lists': { code: 204, msg: 'x', reason: 'NETWORK_NOT_FOUND' } })
    await act(() => vi.advanceTimersByTimeAsync(300_000))
    expect(times(api, 'network/lists')).toBe(1)
  })
  it('goes on polling after a poll that failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const api = fakeApi({ 'network/config': { data: {} } })
    const Polled = () => (
      <p>{useQuery(networkApi.config, {}, { pollMs: 10_000 }).error === undefined ? 'well' : 'failed'}</p>
    )
    render(
      <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
        <Polled />
      </SWRConfig>,
    )
    await act(() => vi.advanceTimersByTimeAsync(0))
    api.set('network/config', failing(new TypeError('Failed to fetch')))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(screen.getByText('failed')).toBeDefined()
    api.set('network/config', { data: {} })
    await act(() => vi.advanceTimersByTimeAsync(15_000))
    expect(screen.getByText('well')).toBeDefined()
    const before = times(api, 'network/config')
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(times(api, 'network/config')).toBeGreaterThanOrEqual(before + 2)
  })
})

describe('the database that a read asks', () => {
  const NOW = `00000001-00000000-00000000-${'0'.repeat(32)}`
  const answer = (body: object) => () =>
    Response.json({ code: 200, msg: '', data: null, ...body }, { headers: { [BOOKMARK_HEADER]: NOW } })
  function Networks({ isFresh = false }: { readonly isFresh?: boolean }) {
    const query = useQuery(networkApi.lists, { page: 1 }, { isFresh })
    const refresh = useRefresh([networkApi.lists])
    const remove = useCommand(routerApi.delete)
    return (
      <>
        <p>{query.data?.count ?? 'none'}</p>
        <button onClick={() => void query.mutate().catch(() => null)}>retry</button>
        <button onClick={refresh}>frame</button>
        <button onClick={() => void remove.trigger(target)}>delete</button>
      </>
    )
  }
  const click = (name: string) => act(async () => screen.getByText(name).click())
  async function openNetworks(isFresh = false) {
    const api = fakeApi({ 'network/lists': answer({ data: [], count: 3 }), 'router/delete': answer({ msg: 'x' }) })
    adoptSession(createSession())
    keepBookmark(NOW, undefined)
    render(
      <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
        <Networks isFresh={isFresh} />
      </SWRConfig>,
    )
    await screen.findByText('3')
    /** Of each read of the list: may a copy answer it? */
    const reads = () =>
      api.calls.filter(({ path }) => path === 'network/lists').map(({ headers }) => headers.has(BOOKMARK_HEADER))
    return { api, reads }
  }

  it('is a copy for a page that opens, and the primary for the start values of a form', async () => {
    expect((await openNetworks()).reads()).toEqual([true])
    cleanup()
    expect((await openNetworks(true)).reads()).toEqual([false])
  })
  it('is the primary after a live frame, a job or 重试, and a copy again later', async () => {
    const { reads } = await openNetworks()
    await click('retry') // 重试, and pages that follow frames
    await waitFor(() => expect(reads()).toEqual([true, false]))
    await click('frame') // lists that follow frames and jobs
    await waitFor(() => expect(reads()).toEqual([true, false, false]))
    await click('delete') // an own write, which moved the bookmark
    await waitFor(() => expect(reads()).toEqual([true, false, false, true]))
  })
  it('stays the primary until that read gets through', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { api, reads } = await openNetworks()
    api.set('network/lists', failing(new TypeError('Failed to fetch')))
    await click('retry')
    api.set('network/lists', answer({ data: [], count: 4 }))
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    await screen.findByText('4')
    expect(reads()).toEqual([true, false, false])
  })
})

describe('the toast of a batch', () => {
  const applied = (done: number, left: number) => ({ data: { done, left } })
  function Batch({ of }: { readonly of: typeof messageApi.deleteMessage }) {
    const run = useCommand(of)
    return <button onClick={() => void run.trigger({ message_id: [1] }).catch(() => null)}>删除</button>
  }

  it.each([
    [2, 0, 'done'],
    [1, 1, 'warn'],
    [0, 1, 'error'],
    [0, 0, 'warn'],
  ] as const)('of %i done and %i left is %s', async (done, left, tone) => {
    fakeApi({ 'message/delete_message': { ...applied(done, left), msg: 'x' } })
    adoptSession(createSession())
    render(<Batch of={messageApi.deleteMessage} />)
    await act(async () => screen.getByText('删除').click())
    await waitFor(() => expect(toastStore.get().map((toast) => [toast.text, toast.tone])).toEqual([['x', tone]]))
  })
})
