import { accountTotpApi } from './account-totp.ts'
import { accountApi } from './account.ts'
import { addressApi } from './address.ts'
import { announcementsApi } from './announcements.ts'
import { authSourceApi } from './auth-source.ts'
import { bandwidthPoolApi } from './bandwidth-pool.ts'
import { clientAuthApi } from './client-auth.ts'
import { clientApi } from './client.ts'
import { contactsApi } from './contacts.ts'
import { countryApi } from './country.ts'
import { downloadApi } from './download.ts'
import { documentApi } from './document.ts'
import type { Endpoint } from './endpoint.ts'
import { fileApi } from './file.ts'
import { ldapApi } from './ldap.ts'
import { liveApi } from './live.ts'
import { loginTotpApi } from './login-totp.ts'
import { loginApi } from './login.ts'
import { logsApi } from './logs.ts'
import { messageApi } from './message.ts'
import { monitorApi } from './monitor.ts'
import { networkFrApi } from './network-fr.ts'
import { networkApi } from './network.ts'
import { opsApi } from './ops.ts'
import { overviewApi } from './overview.ts'
import { ramRoleApi } from './ram-role.ts'
import { ramApi } from './ram.ts'
import { routerApi } from './router.ts'
import { saasApi } from './saas.ts'
import { siteApi } from './site.ts'
import { ticketApi } from './ticket.ts'
import { webhookApi } from './webhook.ts'
import { verifyApi } from './verify.ts'

/** Every endpoint of /api/v1: what OpenAPI, the permission matrix and the mount test walk over. */
export const API: readonly Endpoint[] = [
  siteApi,
  loginApi,
  loginTotpApi,
  verifyApi,
  accountApi,
  accountTotpApi,
  overviewApi,
  ramApi,
  ramRoleApi,
  announcementsApi,
  messageApi,
  contactsApi,
  networkApi,
  networkFrApi,
  routerApi,
  saasApi,
  bandwidthPoolApi,
  addressApi,
  ldapApi,
  authSourceApi,
  liveApi,
  logsApi,
  monitorApi,
  webhookApi,
  ticketApi,
  clientApi,
  clientAuthApi,
  countryApi,
  documentApi,
  fileApi,
  downloadApi,
].flatMap((table) => Object.values<Endpoint>(table))

/** Every endpoint of /ops/v1. */
export const OPS: readonly Endpoint[] = Object.values<Endpoint>(opsApi)
