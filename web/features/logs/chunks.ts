/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  LoginLogPage: () => import('./pages/login-log-page.tsx').then((m) => m.LoginLogPage),
  OnlineLogPage: () => import('./pages/online-log-page.tsx').then((m) => m.OnlineLogPage),
  ConnectLogPage: () => import('./pages/connect-log-page.tsx').then((m) => m.ConnectLogPage),
  AuditLogPage: () => import('./pages/audit-log-page.tsx').then((m) => m.AuditLogPage),
} as const
