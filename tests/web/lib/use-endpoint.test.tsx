import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { SWRConfig } from 'swr'
import { afterEach, describe, expect, it } from 'vitest'
import { routerApi } from '../../../worker/contract/router.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { adoptSession } from '../../../web/lib/session.ts'
import { dismissToast, toastStore } from '../../../web/lib/toast.ts'
import { type CommandOptions, useCommand, useQuery } from '../../../web/lib/use-endpoint.ts'
import { createSession } from './fixtures.ts'
import { fakeApi } from './fake-api.ts'

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
})
