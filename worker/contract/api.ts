import { addressApi } from './address/index.ts'
import { announcementsApi } from './announcements/index.ts'
import { authSourceApi } from './auth-source/index.ts'
import { bandwidthPoolApi } from './bandwidth-pool/index.ts'
import { clientApi } from './client/index.ts'
import { contactsApi } from './contacts/index.ts'
import { countryApi } from './country/index.ts'
import { downloadApi } from './download/index.ts'
import { documentApi } from './document/index.ts'
import type { Endpoint } from './kernel/endpoint.ts'
import { fileApi } from './file/index.ts'
import { logsApi } from './logs/index.ts'
import { messageApi } from './message/index.ts'
import { networkFrApi } from './network-fr/index.ts'
import { opsApi } from './ops/index.ts'
import { overviewApi } from './overview/index.ts'
import { ramRoleApi } from './ram-role/index.ts'
import { ramApi } from './ram/index.ts'
import { saasApi } from './saas/index.ts'
import { siteApi } from './site/index.ts'
import { ticketApi } from './ticket/index.ts'
import { webhookApi } from './webhook/index.ts'
import { verifyApi } from './verify/index.ts'
import { accountApi } from './account/index.ts'
import { ldapApi } from './ldap/index.ts'
import { loginApi } from './login/index.ts'
import { monitorApi } from './monitor/index.ts'
import { networkApi } from './network/index.ts'
import { routerApi } from './router/index.ts'

/* List of all endpoints, for customers and for the operator. */

/** Every endpoint of /api/v1, for OpenAPI, the permission matrix and the mount test. */
export const API: readonly Endpoint[] = [
  siteApi,
  loginApi,
  verifyApi,
  accountApi,
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
  logsApi,
  monitorApi,
  webhookApi,
  ticketApi,
  clientApi,
  countryApi,
  documentApi,
  fileApi,
  downloadApi,
].flatMap((table) => Object.values<Endpoint>(table))

/** Every endpoint of /ops/v1. */
export const OPS: readonly Endpoint[] = Object.values<Endpoint>(opsApi)
