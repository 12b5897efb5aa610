import type { ComponentType } from 'react'
import type { Access } from '../../worker/contract/permissions.ts'

/** `public`: sign-in and the like; `second`: a plain header; `console`: menu and header; `bare`: the page alone. */
export type LayoutName = 'public' | 'second' | 'console' | 'bare'

export interface PageEntry {
  readonly path: string
  readonly title: string
  readonly layout: LayoutName
  readonly access: Access
  /** Imports the page's chunk; absent for a page that is not built yet. */
  readonly load?: () => Promise<ComponentType>
  /** Starts the import of further chunks that the page will show at this address. */
  readonly preload?: (query: URLSearchParams) => Promise<void>
}

export const NOT_FOUND = '/404/index'
/** Page of all UI components in all states; its route exists in local environments only. */
export const KIT = '/__local/kit'

type Load = PageEntry['load']
type More = Pick<PageEntry, 'preload'>

function page(layout: LayoutName, access: Access, path: string, title: string, load?: Load, more?: More): PageEntry {
  return { path, title, layout, access, ...(load && { load }), ...more }
}

const login: Load = () => import('../features/login/pages/login-page.tsx').then((m) => m.LoginPage)
const networkEdit: Load = () => import('../features/network/pages/network-edit-page.tsx').then((m) => m.NetworkEditPage)
const networkDetail: Load = () =>
  import('../features/network/pages/network-detail-page.tsx').then((m) => m.NetworkDetailPage)
const log =
  (name: 'login' | 'online' | 'connect' | 'audit'): Load =>
  () =>
    import('../features/logs/pages/log-pages.ts').then((m) => m.LOG_PAGES[name])
const preloadDetail: PageEntry['preload'] = (query) =>
  import('../features/network/preload-detail.ts').then((m) => m.preloadDetail(query))

/** Every address of the console (account 2, network 2, directory 2), in the order of the documents. */
export const PAGES: readonly PageEntry[] = [
  page('public', 'public', '/login', '登录', login),
  page('public', 'public', '/login/index', '登录', login),
  page('public', 'public', '/register', '注册', () =>
    import('../features/register/pages/register-page.tsx').then((m) => m.RegisterPage),
  ),
  page('public', 'public', '/reset', '找回密码', () =>
    import('../features/reset/pages/reset-page.tsx').then((m) => m.ResetPage),
  ),
  page('second', 'public', '/clause', '服务条款', () =>
    import('../features/legal/pages/clause-page.tsx').then((m) => m.ClausePage),
  ),
  page('second', 'public', '/privacy', '隐私政策', () =>
    import('../features/legal/pages/privacy-page.tsx').then((m) => m.PrivacyPage),
  ),
  page('second', 'public', '/licenses', '开源声明', () =>
    import('../features/legal/pages/licenses-page.tsx').then((m) => m.LicensesPage),
  ),
  page('second', 'public', '/handbook', '帮助手册', () =>
    import('../features/handbook/pages/handbook-page.tsx').then((m) => m.HandbookPage),
  ),
  page('second', 'public', '/download', '客户端下载', () =>
    import('../features/download/pages/download-page.tsx').then((m) => m.DownloadPage),
  ),
  page('second', 'public', '/validate/email', '邮箱验证', () =>
    import('../features/contacts/pages/validate-email-page.tsx').then((m) => m.ValidateEmailPage),
  ),
  page('second', 'public', '/validate/unsubscribe', '退订告警通知', () =>
    import('../features/contacts/pages/unsubscribe-page.tsx').then((m) => m.UnsubscribePage),
  ),

  page('console', 'session', '/dashboard', '概览', () =>
    import('../features/dashboard/pages/dashboard-page.tsx').then((m) => m.DashboardPage),
  ),
  page('console', 'main', '/account', '账号信息', () =>
    import('../features/account/pages/account-page.tsx').then((m) => m.AccountPage),
  ),
  page('console', 'main', '/account/info', '编辑资料', () =>
    import('../features/account/pages/profile-page.tsx').then((m) => m.ProfilePage),
  ),
  page('console', 'session', '/account/message', '我的消息', () =>
    import('../features/message/pages/message-list-page.tsx').then((m) => m.MessageListPage),
  ),
  page('console', 'session', '/account/contacts', '联系人', () =>
    import('../features/contacts/pages/contacts-page.tsx').then((m) => m.ContactsPage),
  ),
  page('console', 'main', '/account/password', '修改密码', () =>
    import('../features/account/pages/password-page.tsx').then((m) => m.PasswordPage),
  ),
  page('console', 'main', '/account/phone', '修改手机', () =>
    import('../features/account/pages/phone-page.tsx').then((m) => m.PhonePage),
  ),
  page('console', 'main', '/account/email', '修改邮箱', () =>
    import('../features/account/pages/email-page.tsx').then((m) => m.EmailPage),
  ),
  page('console', 'session', '/account/security', '登录安全', () =>
    import('../features/account/pages/security-page.tsx').then((m) => m.SecurityPage),
  ),
  page('console', 'session', '/account/service', '我的服务', () =>
    import('../features/account/pages/service-list-page.tsx').then((m) => m.ServiceListPage),
  ),
  page('console', 'session', '/account/announcements', '平台公告', () =>
    import('../features/announcements/pages/announcement-list-page.tsx').then((m) => m.AnnouncementListPage),
  ),
  page('console', 'session', '/account/announcements/detail', '公告详情', () =>
    import('../features/announcements/pages/announcement-detail-page.tsx').then((m) => m.AnnouncementDetailPage),
  ),
  page('console', 'session', '/ticket/lists', '客服工单', () =>
    import('../features/ticket/pages/ticket-list-page.tsx').then((m) => m.TicketListPage),
  ),
  page('console', 'session', '/ticket/detail', '工单详情', () =>
    import('../features/ticket/pages/ticket-detail-page.tsx').then((m) => m.TicketDetailPage),
  ),
  page('console', 'session', '/ticket/create', '提交工单', () =>
    import('../features/ticket/pages/ticket-create-page.tsx').then((m) => m.TicketCreatePage),
  ),
  page('console', 'monitor:view', '/monitor/setting', '监控告警', () =>
    import('../features/monitor/pages/monitor-page.tsx').then((m) => m.MonitorPage),
  ),

  page('console', 'session', '/network/lists', '组网列表', () =>
    import('../features/network/pages/network-list-page.tsx').then((m) => m.NetworkListPage),
  ),
  page('console', 'network:create', '/network/create', '创建组网', networkEdit),
  page('console', 'network:edit', '/network/edit', '管理成员', networkEdit),
  page('console', 'session', '/network/detail', '组网详情', networkDetail, { preload: preloadDetail }),
  page('console', 'session', '/network/ticket_lists', '组网工单', () =>
    import('../features/network/pages/ticket-list-page.tsx').then((m) => m.TicketListPage),
  ),
  page('console', 'session', '/network/ticket_detail', '组网工单详情', () =>
    import('../features/network/pages/ticket-detail-page.tsx').then((m) => m.TicketDetailPage),
  ),
  page('bare', 'network:edit', '/network/ticket_create', '接入POP', () =>
    import('../features/network/pages/ticket-create-page.tsx').then((m) => m.TicketCreatePage),
  ),
  page('console', 'network:edit', '/network/pop_edit', 'POP配置', () =>
    import('../features/network/pages/pop-edit-page.tsx').then((m) => m.PopEditPage),
  ),
  page('console', 'session', '/network/fr_lists', 'POP资源', () =>
    import('../features/network/pages/fr-list-page.tsx').then((m) => m.FrListPage),
  ),
  page('console', 'session', '/router/lists', '成员列表', () =>
    import('../features/router/pages/router-list-page.tsx').then((m) => m.RouterListPage),
  ),
  page('console', 'session', '/router/detail', '成员详情', () =>
    import('../features/router/pages/router-detail-page.tsx').then((m) => m.RouterDetailPage),
  ),

  page('console', 'main', '/router/ldap', 'LDAP接入'),
  page('console', 'main', '/router/ldap_edit', 'LDAP配置'),
  page('console', 'main', '/router/auth_source', '第三方认证源'),
  page('console', 'main', '/ram/index', '子账号', () =>
    import('../features/ram/pages/ram-list-page.tsx').then((m) => m.RamListPage),
  ),
  page('console', 'main', '/ram/role', '角色', () =>
    import('../features/ram-role/pages/role-list-page.tsx').then((m) => m.RoleListPage),
  ),
  page('console', 'session', '/saas/router', 'SaaS设备', () =>
    import('../features/saas/pages/saas-list-page.tsx').then((m) => m.SaasListPage),
  ),
  page('console', 'session', '/saas/detail', 'SaaS设备详情', () =>
    import('../features/saas/pages/saas-detail-page.tsx').then((m) => m.SaasDetailPage),
  ),
  page('console', 'session:all', '/saas/bandwidth_pool', '带宽池', () =>
    import('../features/bandwidth-pool/pages/pool-list-page.tsx').then((m) => m.PoolListPage),
  ),
  page('console', 'session:all', '/saas/bandwidth_pool_detail', '带宽池详情', () =>
    import('../features/bandwidth-pool/pages/pool-detail-page.tsx').then((m) => m.PoolDetailPage),
  ),
  page('console', 'main', '/logs/software_login', '登录记录', log('login')),
  page('console', 'session', '/logs/online', '拨号记录', log('online')),
  page('console', 'session', '/logs/connect', '连接记录', log('connect')),
  page('console', 'main', '/logs/audit', '操作审计', log('audit')),
  page('bare', 'session', NOT_FOUND, '页面不存在', () =>
    import('./error-pages/not-found-page.tsx').then((m) => m.NotFoundPage),
  ),
]

const ENTRY = new Map(PAGES.map((entry) => [entry.path, entry]))

/** An address that is not in the table requires a session, as the 404 page does. */
export function toAccess(path: string): Access {
  return path === KIT ? 'public' : (ENTRY.get(path)?.access ?? 'session')
}

/** Imports the chunk of a page; undefined where there is none. */
export function pageLoader(path: string): Load {
  return ENTRY.get(path)?.load
}

export function pageTitle(path: string): string | undefined {
  return ENTRY.get(path)?.title
}

export function isKnown(path: string): boolean {
  return ENTRY.has(path)
}
