import type { ComponentType } from 'react'
import type { Access } from '#contract/kernel/permissions.ts'

/* Table of all pages: path, title, layout, access and chunk. */

/** `public`: sign-in and the like; `second`: a plain header; `console`: menu and header; `bare`: the page alone. */
export type LayoutName = 'public' | 'second' | 'console' | 'bare'

export interface PageEntry {
  readonly path: string
  readonly title: string
  readonly layout: LayoutName
  readonly access: Access
  readonly load: () => Promise<ComponentType>
  /** Starts the import of further chunks that the page will show at this address. */
  readonly preload?: (query: URLSearchParams) => Promise<void>
}

export const NOT_FOUND = '/404/index'
/** Page of all UI components in all states; its route exists in local environments only. */
export const KIT = '/__local/kit'

type Load = PageEntry['load']

function page(
  layout: LayoutName,
  access: Access,
  path: string,
  title: string,
  load: Load,
  more?: Pick<PageEntry, 'preload'>,
): PageEntry {
  return { path, title, layout, access, load, ...more }
}

const login: Load = () => import('#pages/login/login-page.tsx').then((m) => m.LoginPage)
const legal = () => import('#pages/legal/legal-pages.tsx')
const mailLinks = () => import('#pages/contacts/mail-link-pages.tsx')

/**
 * Loads a page behind the sign-in through a table in a chunk of its own (web/app/chunks): in the first load, the names of
 * all chunks would weigh more than the login page.
 */
const chunk =
  <N extends string>(
    loadChunks: () => Promise<{ readonly CHUNKS: Readonly<Record<N, () => Promise<ComponentType>>> }>,
    name: NoInfer<N>,
  ): Load =>
  () =>
    loadChunks().then(({ CHUNKS }) => CHUNKS[name]())
const dashboard = () => import('./chunks/dashboard.ts')
const account = () => import('./chunks/account.ts')
const network = () => import('./chunks/network.ts')
const router = () => import('./chunks/router.ts')
const administration = () => import('./chunks/administration.ts')
const preloadDetail: PageEntry['preload'] = (query) => network().then((m) => m.preloadDetail(query))

/** Every address of the console (account 2, network 2, directory 2), in the order of the documents. */
export const PAGES: readonly PageEntry[] = [
  page('public', 'public', '/login', '登录', login),
  page('public', 'public', '/login/index', '登录', login),
  page('public', 'public', '/register', '注册', () =>
    import('#pages/register/register-page.tsx').then((m) => m.RegisterPage),
  ),
  page('public', 'public', '/reset', '找回密码', () => import('#pages/reset/reset-page.tsx').then((m) => m.ResetPage)),
  page('second', 'public', '/clause', '服务条款', () => legal().then((m) => m.ClausePage)),
  page('second', 'public', '/privacy', '隐私政策', () => legal().then((m) => m.PrivacyPage)),
  page('second', 'public', '/licenses', '开源声明', () =>
    import('#pages/legal/licenses-page.tsx').then((m) => m.LicensesPage),
  ),
  page('second', 'public', '/handbook', '帮助手册', () =>
    import('#pages/handbook/handbook-page.tsx').then((m) => m.HandbookPage),
  ),
  page('second', 'public', '/download', '客户端下载', () =>
    import('#pages/download/download-page.tsx').then((m) => m.DownloadPage),
  ),
  page('second', 'public', '/validate/email', '邮箱验证', () => mailLinks().then((m) => m.ValidateEmailPage)),
  page('second', 'public', '/validate/unsubscribe', '退订告警通知', () => mailLinks().then((m) => m.UnsubscribePage)),
  page('second', 'public', '/validate/refuse', '验证邮件', () => mailLinks().then((m) => m.RefuseMailsPage)),

  page('console', 'session', '/dashboard', '概览', chunk(dashboard, 'DashboardPage')),
  page('console', 'main', '/account', '账号信息', chunk(account, 'AccountPage')),
  page('console', 'main', '/account/info', '编辑资料', chunk(account, 'ProfilePage')),
  page('console', 'session', '/account/message', '我的消息', chunk(account, 'MessageListPage')),
  page('console', 'session', '/account/contacts', '联系人', chunk(account, 'ContactsPage')),
  page('console', 'main', '/account/password', '修改密码', chunk(account, 'PasswordPage')),
  page('console', 'main', '/account/phone', '修改手机', chunk(account, 'PhonePage')),
  page('console', 'main', '/account/email', '修改邮箱', chunk(account, 'EmailPage')),
  page('console', 'session', '/account/security', '登录安全', chunk(account, 'SecurityPage')),
  page('console', 'session', '/account/service', '我的服务', chunk(account, 'ServiceListPage')),
  page('console', 'session', '/account/announcements', '平台公告', chunk(account, 'AnnouncementListPage')),
  page('console', 'session', '/account/announcements/detail', '公告详情', chunk(account, 'AnnouncementDetailPage')),
  page('console', 'session', '/ticket/lists', '客服工单', chunk(account, 'TicketListPage')),
  page('console', 'session', '/ticket/detail', '工单详情', chunk(account, 'TicketDetailPage')),
  page('console', 'session', '/ticket/create', '提交工单', chunk(account, 'TicketCreatePage')),
  page('console', 'monitor:view', '/monitor/setting', '监控告警', chunk(account, 'MonitorPage')),

  page('console', 'session', '/network/lists', '组网列表', chunk(network, 'NetworkListPage')),
  page('console', 'network:create', '/network/create', '创建组网', chunk(network, 'NetworkEditPage')),
  page('console', 'network:edit', '/network/edit', '管理成员', chunk(network, 'NetworkEditPage')),
  page('console', 'session', '/network/detail', '组网详情', chunk(network, 'NetworkDetailPage'), {
    preload: preloadDetail,
  }),
  page('console', 'session', '/network/ticket_lists', '组网工单', chunk(network, 'TicketListPage')),
  page('console', 'session', '/network/ticket_detail', '组网工单详情', chunk(network, 'TicketDetailPage')),
  page('bare', 'network:edit', '/network/ticket_create', '接入POP', chunk(network, 'TicketCreatePage')),
  page('console', 'network:edit', '/network/pop_edit', 'POP配置', chunk(network, 'PopEditPage')),
  page('console', 'session', '/network/fr_lists', 'POP资源', chunk(network, 'FrListPage')),
  page('console', 'session', '/router/lists', '成员列表', chunk(router, 'RouterListPage')),
  page('console', 'session', '/router/detail', '成员详情', chunk(router, 'RouterDetailPage')),

  page('console', 'main', '/router/ldap', 'LDAP接入', chunk(administration, 'LdapPage')),
  page('console', 'main', '/router/ldap_edit', 'LDAP配置', chunk(administration, 'LdapEditPage')),
  page('console', 'main', '/router/auth_source', '第三方认证源', chunk(administration, 'AuthSourceListPage')),
  page('console', 'main', '/ram/index', '子账号', chunk(administration, 'RamListPage')),
  page('console', 'main', '/ram/role', '角色', chunk(administration, 'RoleListPage')),
  page('console', 'session', '/saas/router', 'SaaS设备', chunk(administration, 'SaasListPage')),
  page('console', 'session', '/saas/detail', 'SaaS设备详情', chunk(administration, 'SaasDetailPage')),
  page('console', 'session:all', '/saas/bandwidth_pool', '带宽池', chunk(administration, 'PoolListPage')),
  page('console', 'session:all', '/saas/bandwidth_pool_detail', '带宽池详情', chunk(administration, 'PoolDetailPage')),
  page('console', 'main', '/logs/software_login', '登录记录', chunk(administration, 'LoginLogPage')),
  page('console', 'session', '/logs/online', '拨号记录', chunk(administration, 'OnlineLogPage')),
  page('console', 'session', '/logs/connect', '连接记录', chunk(administration, 'ConnectLogPage')),
  page('console', 'main', '/logs/audit', '操作审计', chunk(administration, 'AuditLogPage')),
  page('bare', 'session', NOT_FOUND, '页面不存在', () =>
    import('./error-pages/not-found-page.tsx').then((m) => m.NotFoundPage),
  ),
]

const ENTRY = new Map(PAGES.map((entry) => [entry.path, entry]))

/** An address that is not in the table requires a session, as the 404 page does. */
export function toAccess(path: string): Access {
  return path === KIT ? 'public' : (ENTRY.get(path)?.access ?? 'session')
}

export function pageLoader(path: string): Load | undefined {
  return ENTRY.get(path)?.load
}

export function pageTitle(path: string): string | undefined {
  return ENTRY.get(path)?.title
}

export function isKnown(path: string): boolean {
  return ENTRY.has(path)
}
