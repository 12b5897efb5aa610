import { AuditLogPage } from './audit-log-page.tsx'
import { ConnectLogPage } from './connect-log-page.tsx'
import { LoginLogPage } from './login-log-page.tsx'
import { OnlineLogPage } from './online-log-page.tsx'

/** One chunk for all: each import of the page table costs the first load more than these pages differ. */
export const LOG_PAGES = {
  login: LoginLogPage,
  online: OnlineLogPage,
  connect: ConnectLogPage,
  audit: AuditLogPage,
} as const
