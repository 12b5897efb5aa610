import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { matchEntries, nextIndex, pageEntries } from '#app/palette/entries.ts'
import { menuFor } from '#app/menu/menu.ts'
import { toGrants } from '#lib/session/session.ts'
import { createUser } from '../lib/fixtures.ts'
import type { RecordedCall } from '../lib/fake-api.ts'
import { as, openAt, quietPage } from './open-at.tsx'

const user = userEvent.setup()
const presence = { state: 'online', reason: '', since: 1, last_seen: 1 }
const routers = [{ router_name: 'NL22S001', note: '上海徐汇店', presence }]
const networks = [{ network_number: 'NW1', network_name: '上海组网', member_count: 3 }]
const HANDLERS = {
  'saas/router': { data: [] },
  'network/lists': ({ input }: RecordedCall) => ({ data: input['search'] === '上海' ? networks : [], count: 1 }),
  'router/lists': ({ input }: RecordedCall) =>
    input['type'] === '1' && input['search'] === '上海' ? { data: routers, count: 7 } : { data: [], count: 0 },
}

async function open(over = {}) {
  const app = await openAt('/saas/router', as(over), HANDLERS)
  await screen.findByRole('heading', { name: 'SaaS设备' })
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: '搜索页面、组网、成员' })
  return { ...app, field }
}
const options = () => within(screen.getByRole('listbox')).queryAllByRole('option')
/** Of the palette: the page below it has one of its own. */
const state = () => within(screen.getByRole('dialog', { name: '搜索' })).getByRole('status')
const names = () => options().map((option) => option.firstChild?.textContent)

beforeEach(quietPage)

it('opens by Ctrl+K and by its button, with the focus in its field; Escape returns it', async () => {
  const { field } = await open()
  expect(document.activeElement).toBe(field)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('combobox')).toBeNull()
  const button = screen.getByRole('button', { name: '搜索页面、组网、成员' })
  await user.click(button)
  await screen.findByRole('combobox')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button))
})

it('its button is named by the words that it shows', async () => {
  await open()
  await user.keyboard('{Escape}')
  const button = screen.getByRole('button', { name: '搜索页面、组网、成员' })
  const shown = [...button.children].filter((part) => part.getAttribute('aria-hidden') !== 'true')
  expect(shown.map((part) => part.textContent)).toEqual(['搜索页面、组网、成员'])
  expect(button.getAttribute('aria-label')).toBeNull()
})

it('finds pages, networks and members; arrows and Enter lead there', async () => {
  const { field, router, api } = await open()
  await user.type(field, '上海')
  await waitFor(() => expect(names()).toEqual(['上海组网', '上海徐汇店', '全部 7 个硬件成员']))
  expect(state().textContent).toContain('3 个结果')
  expect(api.calls.filter(({ path }) => path === 'network/lists')).toHaveLength(1) // debounced
  expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual(['true', 'false', 'false'])
  await user.keyboard('{ArrowDown}')
  expect(field.getAttribute('aria-activedescendant')).toBe(options()[1]?.id)
  await user.keyboard('{Enter}')
  expect(screen.queryByRole('combobox')).toBeNull()
  await waitFor(() =>
    expect(router.state.navigation.location ?? router.state.location).toMatchObject({
      pathname: '/router/detail',
      search: '?router_name=NL22S001',
    }),
  )
})

it('a software member that is offline is grey, a device is red', async () => {
  const offline = { ...presence, state: 'offline' }
  const named = (type: unknown) => ({
    data: [{ router_name: type === '2' ? 'li@qiming' : 'NL1', note: '', presence: offline }],
  })
  const { field, api } = await open()
  api.set('router/lists', ({ input }: RecordedCall) => ({ ...named(input['type']), count: 1 }))
  await user.type(field, '北京')
  await waitFor(() => expect(names()).toEqual(['NL1', 'li@qiming']))
  const tones = options().map(
    (option) => /nl-tone-(\w+)/.exec(option.querySelector('.nl-status')?.className ?? '')?.[1],
  )
  expect(tones).toEqual(['bad', 'idle'])
})

it('says so where nothing is found, and where the search failed', async () => {
  const { field, api } = await open()
  await user.type(field, '没有这个')
  await waitFor(() => expect(state().textContent).toContain('没有符合的页面、组网或成员'))
  api.set('router/lists', { code: 500, msg: '系统繁忙' })
  await user.type(field, '呢')
  await waitFor(() => expect(state().textContent).toContain('搜索失败：系统繁忙'))
})

it('asks the server nothing before something is typed', async () => {
  const { api } = await open()
  expect(api.paths()).not.toContain('router/lists')
  expect(names()).toContain('创建组网')
})

describe('pages of a role', () => {
  const pagesOf = (over: Parameters<typeof createUser>[0]) => {
    const sub = createUser(over)
    return pageEntries(menuFor(sub, false), toGrants(sub)).map(({ label }) => label)
  }

  it('a sub-account finds what its menu has, and actions that it may take', () => {
    const limited = pagesOf({ ram: 1, flags: ['network:create'], networks: ['NW1'] })
    expect(limited).not.toContain('LDAP接入')
    expect(limited).not.toContain('编辑资料')
    expect(limited).not.toContain('创建组网') // limited to networks
    expect(limited).toContain('提交工单')
    expect(pagesOf({ ram: 1, flags: ['network:create'] })).toContain('创建组网')
  })

  it('matches every word in label or group, labels that begin with it first', () => {
    const admin = createUser()
    const pages = pageEntries(menuFor(admin, false), toGrants(admin))
    const found = (text: string) => matchEntries(pages, text).map(({ label }) => label)
    expect(found('ldap')).toEqual(['LDAP接入'])
    expect(found('成员').slice(0, 1)).toEqual(['成员列表'])
    expect(found('安全 连接')).toEqual(['连接记录'])
    expect(found('xyz')).toEqual([])
  })

  it.each([
    [0, 3, 'ArrowDown', 1],
    [2, 3, 'ArrowDown', 0],
    [0, 3, 'ArrowUp', 2],
    [0, 0, 'ArrowDown', 0],
  ])('from %i of %i by %s to %i', (at, count, key, next) => {
    expect(nextIndex(at, count, key)).toBe(next)
  })
})
