// The page loads these lazily; no test waits for the import.
import '#pages/network/members/member-dialogs.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { PopEditPage } from '#pages/network/pop/pop-edit-page.tsx'
import { createRouter } from '#tests/web/router/fixtures.ts'
import { createImpact } from '../impact.ts'
import { editSetting, info, openMemberSettings } from '../open-network.tsx'
import { openPage } from '../open-page.tsx'
import { ALL, choose, openTwin, save, twin } from './open-twin.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('#tests/web/lib/fake-live.ts'))

const IMPACT = {
  'network/impact': {
    data: createImpact({
      routers: 9,
      routes: { lost: 1, gained: 0, moved: 0 },
      moved_routes: [
        {
          prefix: '10.77.6.0/24',
          router_name: 'p1',
          router_name_note: '门店',
          effect: 'lost',
          old_via: ['总部'],
          new_via: [],
        },
      ],
    }),
  },
}
const AREAS = { 'network_fr/ov': { data: [{ id: 1, name: '上海' }] } }
const FR = { network_fr: { network_fr_id: 7, shortname: '骨干', expire_day: 90 }, fr_name: '骨干接入' }

async function editOfMember(title: string) {
  await openMemberSettings('p1')
  await userEvent.click(await screen.findByRole('button', { name: `修改 ${title}` }))
}

it.each([
  [
    'the default route of a member',
    'network/default_route',
    async () => {
      const { api } = openTwin({}, IMPACT, ALL)
      await editOfMember('默认路由')
      await userEvent.click(await screen.findByRole('radio', { name: '接收' }))
      return api
    },
  ],
  [
    'main and secondary router',
    'network/edit_routing',
    async () => {
      const routing = { data: { type: 1, main_router: '', secondary_router: '', revision: 2 } }
      const { api } = openTwin({}, { ...IMPACT, 'network/routing': routing })
      await editSetting('路由方式')
      await userEvent.click(await screen.findByRole('radio', { name: '主备路由' }))
      await choose('主路由', 'c1')
      return api
    },
  ],
  [
    'static routes of a member',
    'router/static_routes',
    async () => {
      const route = { prefix: '10.9.0.0', mask: 16, via: '192.168.10.253' }
      const { api } = openTwin(
        {},
        { ...IMPACT, 'router/info': { data: createRouter('p1', { static_routes: [route] }) } },
      )
      await editOfMember('静态路由')
      await userEvent.click(await screen.findByRole('button', { name: '删除第 1 条静态路由' }))
      return api
    },
  ],
  [
    'the region of a member',
    'network/member_ov',
    async () => {
      const { api } = openTwin(FR, { ...IMPACT, ...AREAS })
      await editOfMember('POP区域')
      await choose('主区域', '上海')
      return api
    },
  ],
  [
    'regions of all members',
    'network/member_ov',
    async () => {
      const { api } = openPage(<PopEditPage />, '/network/pop_edit?network_number=N1', {
        'network/info': info(twin, { network_type: 3 }),
        ...IMPACT,
        ...AREAS,
      })
      await choose('p1 的主区域', '上海')
      return api
    },
  ],
] as const)('network 2 · a save of %s asks before it takes routes away', async (_, path, change) => {
  const api = await change()
  await save()
  const question = within(await screen.findByRole('alertdialog', { name: '保存后 1 个网段将不再互通，是否继续？' }))
  question.getByText('10.77.6.0/24（门店）不再互通')
  expect(question.queryByText(/其余允许/)).toBeNull()
  fireEvent.click(question.getByRole('button', { name: '返回修改' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(api.last(path)).toBeUndefined()
  api.set(path, { data: [], msg: '设置成功' })
  await save()
  fireEvent.click(await screen.findByRole('button', { name: '仍然保存' }))
  await waitFor(() => expect(api.last(path)).toBeDefined())
})
