/**
 * Import functions of the pages of directory, sub-accounts, SaaS, bandwidth pools and logs, for the page table
 * (web/app/pages.ts).
 */
export const CHUNKS = {
  AuthSourceListPage: () => import('#pages/auth-source/auth-source-list-page.tsx').then((m) => m.AuthSourceListPage),
  LdapPage: () => import('#pages/ldap/overview/ldap-page.tsx').then((m) => m.LdapPage),
  LdapEditPage: () => import('#pages/ldap/edit/ldap-edit-page.tsx').then((m) => m.LdapEditPage),
  RamListPage: () => import('#pages/ram/ram-list-page.tsx').then((m) => m.RamListPage),
  RoleListPage: () => import('#pages/ram-role/role-list-page.tsx').then((m) => m.RoleListPage),
  SaasListPage: () => import('#pages/saas/saas-list-page.tsx').then((m) => m.SaasListPage),
  SaasDetailPage: () => import('#pages/saas/saas-detail-page.tsx').then((m) => m.SaasDetailPage),
  PoolListPage: () => import('#pages/bandwidth-pool/pool-list-page.tsx').then((m) => m.PoolListPage),
  PoolDetailPage: () => import('#pages/bandwidth-pool/pool-detail-page.tsx').then((m) => m.PoolDetailPage),
  LoginLogPage: () => import('#pages/logs/login-log-page.tsx').then((m) => m.LoginLogPage),
  OnlineLogPage: () => import('#pages/logs/online-log-page.tsx').then((m) => m.OnlineLogPage),
  ConnectLogPage: () => import('#pages/logs/connect-log-page.tsx').then((m) => m.ConnectLogPage),
  AuditLogPage: () => import('#pages/logs/audit-log-page.tsx').then((m) => m.AuditLogPage),
} as const
