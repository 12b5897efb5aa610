import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { candidateApi } from '../network/plan/candidate-api.ts'
import { as, openAt, quietPage } from './open-at.tsx'

beforeEach(quietPage)

it('carries the name of the object, and gives it up with the page', async () => {
  const { router } = await openAt('/network/edit?network_number=NW1', as(), {
    'network/info': {
      data: {
        network_number: 'NW1',
        network_name: '总部互联',
        revision: 1,
        suspended_time: null,
        overlaps: [],
        member: [],
        network_config: { network_center_count: 2 },
      },
    },
    'network/config': { data: { network_router_count: 5, network_router_use: 0, network_center_count: 2 } },
    ...candidateApi({ router: [], app: [] }),
  })
  await waitFor(() => expect(document.title).toMatch(/^总部互联 - 管理成员 - /))
  await act(() => router.navigate('/account/message'))
  await screen.findByRole('heading', { name: '我的消息' })
  await waitFor(() => expect(document.title).toMatch(/^我的消息 - /))
})

it('is that of the serial number while a router is loading or cannot be read', async () => {
  await openAt('/router/detail?router_name=NL22S001', as(), { 'router/info': { code: 500, msg: '系统异常' } })
  await screen.findByRole('heading', { name: 'NL22S001' })
  await screen.findByText('系统异常')
  expect(screen.getByRole('navigation', { name: '当前位置' }).textContent).toBe('成员列表')
  await waitFor(() => expect(document.title).toMatch(/^NL22S001 - 成员详情 - /))
})

it.each([
  ['/network/detail?network_number=NW9', 'network/info', '组网'],
  ['/router/detail?router_name=NL22S009', 'router/info', '成员'],
  ['/saas/detail?router_name=NL22S009', 'saas/info', 'SaaS设备'],
])('%s has the name of the link that led there, while its data is not read', async (address, call, kind) => {
  const { router } = await openAt('/account/message', as(), { [call]: { code: 500, msg: '系统异常' } })
  await screen.findByRole('heading', { name: '我的消息' })
  const { withLinkedName } = await import('#lib/linked-name.ts')
  act(() => void router.navigate(address, { state: withLinkedName('华东生产网') }))
  await waitFor(() => expect(document.title).toMatch(/^华东生产网 - /))
  await screen.findByRole('heading', { level: 1, name: '华东生产网' })
  await waitFor(() => expect(document.title).toMatch(new RegExp(`^华东生产网 - ${kind}详情 - `)))
})

it('a page that is forbidden leads back', async () => {
  const { router } = await openAt('/ram/index', as({ ram: 1 }))
  expect((await screen.findByRole('button', { name: '返回' })).textContent).toBe('返回')
  expect(router.state.location.pathname).toBe('/ram/index')
})
