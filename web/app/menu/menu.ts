import type { UserInfo } from '#contract/account/user-info.ts'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { toGrants } from '#lib/session/session.ts'
import { pageTitle, toAccess } from '#app/pages.ts'
import { paths } from '#lib/paths.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { isShown as isShownView, type SavedView } from '#ui/table/views/saved-views.ts'

/* Groups, entries and saved views of the side menu, filtered by host and by the rights of a user (account 2, directory 2). */

const AUTH_SOURCE = '/router/auth_source'

/** Paths of the pages of each group; an entry is called by the title of its page. */
const MENU = [
  { key: 'overview', label: '概览', pages: ['/dashboard'] },
  {
    key: 'user',
    label: '用户中心',
    pages: ['/account', '/account/contacts', '/account/message', '/account/service', '/account/announcements'],
  },
  { key: 'network', label: '智能组网', pages: ['/network/lists', '/network/fr_lists'] },
  { key: 'saas', label: 'SaaS加速', pages: ['/saas/router', '/saas/bandwidth_pool'] },
  { key: 'member', label: '成员管理', pages: ['/router/lists', '/router/ldap', AUTH_SOURCE] },
  { key: 'monitor', label: '监控告警', pages: ['/monitor/setting'] },
  { key: 'audit', label: '安全审计', pages: ['/logs/software_login', '/logs/online', '/logs/connect', '/logs/audit'] },
  { key: 'access', label: '访问控制', pages: ['/ram/index', '/ram/role'] },
  { key: 'service', label: '售后服务', pages: ['/ticket/lists', publicPaths.handbook] },
] as const

export const MENU_GROUPS = MENU.map(({ key }) => key)
export type MenuGroupKey = (typeof MENU)[number]['key']

export type MenuGroup = ReturnType<typeof menuFor>[number]
export type MenuEntry = MenuGroup['entries'][number]

/** `views`: saved views, each pinned below the list that it shows. */
export function menuFor(user: UserInfo, hasHandbook: boolean, views: readonly SavedView[] = []) {
  const grants = toGrants(user)
  const isShown = (path: string) => {
    if (path === publicPaths.handbook) return hasHandbook
    if (path === AUTH_SOURCE && user.config.software_auth_source !== 1) return false
    return isAllowed(toAccess(path), grants)
  }
  const toEntries = (path: string) => [
    { path, label: pageTitle(path) ?? '', newTab: path === publicPaths.handbook, view: null },
    ...views
      .filter(({ list }) => paths.savedView({ list, query: '' }) === path)
      .map((view) => ({ path: paths.savedView(view), label: view.name, newTab: false, view })),
  ]
  return MENU.map(({ pages, ...group }) => ({ ...group, entries: pages.filter(isShown).flatMap(toEntries) })).filter(
    ({ entries }) => entries.length > 0,
  )
}

/** A group with one entry of its own name is that entry. */
export function soleEntry({ label, entries }: MenuGroup): MenuEntry | undefined {
  const [only] = entries
  return entries.length === 1 && only?.label === label ? only : undefined
}

/** Menu entry of a page: its saved view, the longest entry that is a prefix of its path, or the list that links to it. */
export function activeEntry(groups: readonly MenuGroup[], pathname: string, search = ''): MenuEntry | undefined {
  const all = groups.flatMap((group) => group.entries)
  const pinned = all.find(
    ({ view }) =>
      view !== null && paths.savedView({ list: view.list, query: '' }) === pathname && isShownView(view, search),
  )
  if (pinned !== undefined) return pinned
  const entries = all.filter(({ view }) => view === null)
  const within = entries
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  return within ?? entries.find(({ path }) => path === PARENT[pathname])
}

/** Menu entries of pages that only a list links to. */
const PARENT: Readonly<Record<string, string>> = {
  '/network/create': '/network/lists',
  '/network/edit': '/network/lists',
  '/network/detail': '/network/lists',
  '/network/pop_edit': '/network/lists',
  '/network/ticket_lists': '/network/lists',
  '/network/ticket_detail': '/network/lists',
  '/router/detail': '/router/lists',
  '/router/ldap_edit': '/router/ldap',
  '/saas/detail': '/saas/router',
  '/saas/bandwidth_pool_detail': '/saas/bandwidth_pool',
  '/ticket/detail': '/ticket/lists',
  '/ticket/create': '/ticket/lists',
}
