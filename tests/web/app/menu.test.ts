import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { activeEntry, menuFor } from '#app/menu/menu.ts'
import { PAGES } from '#app/pages.ts'
import { createUser } from '../lib/fixtures.ts'

const paths = (...args: Parameters<typeof menuFor>) =>
  menuFor(...args).flatMap((group) => group.entries.map(({ path }) => path))

const main = createUser({ config: { software_auth_source: 1 } })
const sub = createUser({ ram: 1, flags: PERMISSIONS.filter((flag) => !flag.startsWith('monitor')) })

describe('menu by role (account 2, directory 2)', () => {
  it('shows the main account everything, in the order of the specification', () => {
    expect(paths(main, true)).toEqual([
      '/dashboard',
      '/account',
      '/account/contacts',
      '/account/message',
      '/account/service',
      '/account/announcements',
      '/network/lists',
      '/network/fr_lists',
      '/saas/router',
      '/saas/bandwidth_pool',
      '/router/lists',
      '/router/ldap',
      '/router/auth_source',
      '/monitor/setting',
      '/logs/software_login',
      '/logs/online',
      '/logs/connect',
      '/logs/audit',
      '/ram/index',
      '/ram/role',
      '/ticket/lists',
      '/handbook',
    ])
  })

  it('hides from a sub-account what belongs to the main account', () => {
    const shown = paths(sub, true)
    for (const hidden of [
      '/account',
      '/logs/software_login',
      '/router/ldap',
      '/router/auth_source',
      '/ram/index',
      '/ram/role',
    ])
      expect(shown).not.toContain(hidden)
    for (const kept of ['/account/message', '/account/contacts', '/account/service', '/account/announcements'])
      expect(shown).toContain(kept)
  })

  it('shows monitoring only with the permission', () => {
    expect(paths(sub, true)).not.toContain('/monitor/setting')
    expect(paths(createUser({ ram: 1, flags: ['monitor:view'] }), true)).toContain('/monitor/setting')
  })

  it('drops the auth source unless the account has it, and the handbook unless the host has it', () => {
    expect(paths(createUser({}), true)).not.toContain('/router/auth_source')
    expect(paths(main, false)).not.toContain('/handbook')
  })

  it('links only to known routes', () => {
    const known = new Set(PAGES.map(({ path }) => path))
    for (const path of paths(main, true)) expect(known).toContain(path)
  })

  it.each([
    ['/network/lists', '/network/lists'],
    ['/network/detail', '/network/lists'],
    ['/account/announcements/detail', '/account/announcements'],
    ['/account/info', '/account'],
    ['/account/message', '/account/message'],
    ['/ticket/create', '/ticket/lists'],
    ['/404/index', undefined],
  ])('marks for %s the entry %s', (pathname, entry) => {
    expect(activeEntry(menuFor(main, true), pathname)?.path).toBe(entry)
  })
})

describe('saved views in the menu', () => {
  const views = [
    { id: 1, list: 'router', name: '华东离线', query: 'columns=&search=%E5%8D%8E%E4%B8%9C&state=offline' },
    { id: 2, list: 'network', name: '中断', query: 'columns=type' },
  ] as const
  const groups = menuFor(main, true, views)
  const active = (pathname: string, search: string) => activeEntry(groups, pathname, search)?.label

  it('stand below the list that they show, and only with it', () => {
    const labels = (key: string) => groups.find((group) => group.key === key)?.entries.map(({ label }) => label)
    expect(labels('member')?.[0]).toBe('成员列表')
    expect(labels('member')?.[1]).toBe('华东离线')
    expect(labels('network')?.[1]).toBe('中断')
  })

  it('are marked on each of their pages, and no longer once the filter differs', () => {
    expect(active('/router/lists', '?state=offline&search=%E5%8D%8E%E4%B8%9C&page=3')).toBe('华东离线')
    expect(active('/router/lists', '?state=online')).toBe('成员列表')
    expect(active('/network/lists', '?columns=type')).toBe('中断')
    expect(active('/network/lists', '')).toBe('组网列表')
  })
})
