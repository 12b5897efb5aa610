import type { UserInfo } from '#contract/account/user-info.ts'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { toGrants } from '#lib/session/session.ts'
import { toAccess } from '#app/pages.ts'
import { publicPaths } from '#lib/public-paths.ts'

/* Groups and entries of the side menu, filtered by host and by the rights of a user (account 2, directory 2). */

export interface MenuEntry {
  readonly path: string
  readonly label: string
  readonly newTab?: boolean
}

export const MENU_GROUPS = [
  'overview',
  'user',
  'network',
  'saas',
  'member',
  'monitor',
  'audit',
  'access',
  'service',
] as const
export type MenuGroupKey = (typeof MENU_GROUPS)[number]

export interface MenuGroup {
  readonly key: MenuGroupKey
  readonly label: string
  readonly entries: readonly MenuEntry[]
}

const AUTH_SOURCE = '/router/auth_source'

const MENU: readonly MenuGroup[] = [
  { key: 'overview', label: '概览', entries: [{ path: '/dashboard', label: '概览' }] },
  {
    key: 'user',
    label: '用户中心',
    entries: [
      { path: '/account', label: '账号信息' },
      { path: '/account/contacts', label: '联系人' },
      { path: '/account/message', label: '我的消息' },
      { path: '/account/service', label: '我的服务' },
      { path: '/account/announcements', label: '平台公告' },
    ],
  },
  {
    key: 'network',
    label: '智能组网',
    entries: [
      { path: '/network/lists', label: '组网列表' },
      { path: '/network/fr_lists', label: 'POP资源' },
    ],
  },
  {
    key: 'saas',
    label: 'SaaS加速',
    entries: [
      { path: '/saas/router', label: 'SaaS设备' },
      { path: '/saas/bandwidth_pool', label: '带宽池' },
    ],
  },
  {
    key: 'member',
    label: '成员管理',
    entries: [
      { path: '/router/lists', label: '成员列表' },
      { path: '/router/ldap', label: 'LDAP接入' },
      { path: AUTH_SOURCE, label: '第三方认证源' },
    ],
  },
  { key: 'monitor', label: '监控告警', entries: [{ path: '/monitor/setting', label: '监控告警' }] },
  {
    key: 'audit',
    label: '安全审计',
    entries: [
      { path: '/logs/software_login', label: '登录记录' },
      { path: '/logs/online', label: '拨号记录' },
      { path: '/logs/connect', label: '连接记录' },
      { path: '/logs/audit', label: '操作审计' },
    ],
  },
  {
    key: 'access',
    label: '访问控制',
    entries: [
      { path: '/ram/index', label: '子账号' },
      { path: '/ram/role', label: '角色' },
    ],
  },
  {
    key: 'service',
    label: '售后服务',
    entries: [
      { path: '/ticket/lists', label: '客服工单' },
      { path: publicPaths.handbook, label: '帮助手册', newTab: true },
    ],
  },
]

export function menuFor(user: UserInfo, hasHandbook: boolean): readonly MenuGroup[] {
  const grants = toGrants(user)
  const isShown = ({ path }: MenuEntry) => {
    if (path === publicPaths.handbook) return hasHandbook
    if (path === AUTH_SOURCE && user.config.software_auth_source !== 1) return false
    return isAllowed(toAccess(path), grants)
  }
  return MENU.map((group) => ({ ...group, entries: group.entries.filter(isShown) })).filter(
    ({ entries }) => entries.length > 0,
  )
}

/** A group with one entry of its own name is that entry. */
export function soleEntry({ label, entries }: MenuGroup): MenuEntry | undefined {
  const [only] = entries
  return entries.length === 1 && only?.label === label ? only : undefined
}

/** Menu entry of a page: the longest entry that is a prefix of its path, else the list that links to it. */
export function activeEntry(groups: readonly MenuGroup[], pathname: string): MenuEntry | undefined {
  const entries = groups.flatMap((group) => group.entries)
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
