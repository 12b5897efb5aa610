/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  LoginLogPage: () => import('./login-log-page.tsx').then((m) => m.LoginLogPage),
  OnlineLogPage: () => import('./online-log-page.tsx').then((m) => m.OnlineLogPage),
  ConnectLogPage: () => import('./connect-log-page.tsx').then((m) => m.ConnectLogPage),
  AuditLogPage: () => import('./audit-log-page.tsx').then((m) => m.AuditLogPage),
} as const
