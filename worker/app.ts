import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import {
  AUTH_CALLBACK_PATH,
  AUTH_CONFIRM_PATH,
  INSTALL_SCRIPT_PATH,
  SOURCE_PAGE_PATH,
} from './contract/auth-source/limits.ts'
import { PROFILE_LINK_PATH } from './contract/client/profiles.ts'
import { BODY_MAX_BYTES } from './contract/kernel/limits.ts'
import { violation } from './contract/kernel/result.ts'
import { REFUSE_MAILS_PATH, UNSUBSCRIBE_PATH } from './domain/contacts/messages.ts'
import { accountRoutes } from './features/account/routes.ts'
import { addressRoutes } from './features/address/routes.ts'
import { announcementsRoutes } from './features/announcements/routes.ts'
import { authSourceRoutes } from './features/auth-source/routes.ts'
import { bandwidthPoolRoutes } from './features/bandwidth-pool/routes.ts'
import { clientRoutes } from './features/client/routes.ts'
import { contactsRoutes } from './features/contacts/routes.ts'
import { countryRoutes } from './features/country/routes.ts'
import { deviceRoutes } from './features/device/routes.ts'
import { downloadRoutes } from './features/download/routes.ts'
import { showInstallScript, showSourcePage } from './features/download/source-pages.ts'
import { documentRoutes } from './features/document/routes.ts'
import { fileRoutes } from './features/file/routes.ts'
import { ldapRoutes } from './features/ldap/routes.ts'
import { liveRoutes } from './features/live/routes.ts'
import { historyRoutes, localRoutes } from './features/local/routes.ts'
import { loginRoutes } from './features/login/routes.ts'
import { logsRoutes } from './features/logs/routes.ts'
import { messageRoutes } from './features/message/routes.ts'
import { monitorRoutes } from './features/monitor/routes.ts'
import { networkFrRoutes } from './features/network-fr/routes.ts'
import { networkRoutes } from './features/network/routes.ts'
import { openapiRoutes } from './features/openapi/routes.ts'
import { operatorOnly } from './features/ops/operator-only.ts'
import { opsRoutes } from './features/ops/routes.ts'
import { overviewRoutes } from './features/overview/routes.ts'
import { ramRoleRoutes } from './features/ram-role/routes.ts'
import { ramRoutes } from './features/ram/routes.ts'
import { routerRoutes } from './features/router/routes.ts'
import { saasRoutes } from './features/saas/routes.ts'
import { siteRoutes } from './features/site/routes.ts'
import { ticketRoutes } from './features/ticket/routes.ts'
import { webhookRoutes } from './features/webhook/routes.ts'
import { verifyRoutes } from './features/verify/routes.ts'
import { servePage } from './features/site/page.ts'
import { answerHeaders } from './http/answer.ts'
import { countedCalls } from './http/counted-calls.ts'
import { checkedAddress, operatorHostOnly, ownPagesOnly } from './http/request-checks.ts'
import type { HonoEnv } from './http/context.ts'
import { type AppDeps, anonymousContext, requestContext } from './http/request-context.ts'
import { onError, refusal } from './http/errors.ts'
import { requestLog } from './http/request-log.ts'
import { ownDomainOnly } from './features/auth-source/own-domain.ts'
import { callbackPage, confirmPage } from './features/client/auth-callback.ts'
import { profileLinkPage } from './features/client/profiles/phone-links.ts'
import { oneClickRefusal, oneClickUnsubscribe } from './features/contacts/mail-links.ts'

/* Assembly of the Worker: middleware in order, then the routes of each mount path. */

/** Paths are literal or end in `*`: a parameter beside them would make Hono match by its slower trie. */
const LOGGED = ['/api/*', '/ops/*', '/device/*']

/** Only local runs have a history to import; elsewhere the path is unknown. */
const createHistory = (deps: AppDeps) =>
  new Hono<HonoEnv>()
    .use('*', (c, next) =>
      c.env.ENVIRONMENT === 'local' ? next() : Promise.resolve(refusal(c, violation('PATH_UNKNOWN'))),
    )
    .use('*', anonymousContext(deps), operatorOnly)
    .route('/', historyRoutes)

/** Middleware of a page with a form, which has no session. */
const formPage = (deps: AppDeps) => [bodyLimit({ maxSize: BODY_MAX_BYTES }), anonymousContext(deps)] as const

export function createApp(deps: AppDeps): Hono<HonoEnv> {
  const app = new Hono<HonoEnv>()
  app.onError(onError)
  app.use('*', answerHeaders, checkedAddress)
  for (const mount of LOGGED) app.use(mount, requestLog, countedCalls(deps))
  app.use('*', ownPagesOnly, ownDomainOnly(deps))

  const api = new Hono<HonoEnv>().use('*', requestContext(deps))
  for (const routes of [
    siteRoutes,
    loginRoutes,
    verifyRoutes,
    accountRoutes,
    overviewRoutes,
    ramRoutes,
    ramRoleRoutes,
    announcementsRoutes,
    messageRoutes,
    contactsRoutes,
    networkRoutes,
    networkFrRoutes,
    ldapRoutes,
    authSourceRoutes,
    liveRoutes,
    routerRoutes,
    saasRoutes,
    bandwidthPoolRoutes,
    addressRoutes,
    logsRoutes,
    monitorRoutes,
    webhookRoutes,
    ticketRoutes,
    clientRoutes,
    countryRoutes,
    documentRoutes,
    fileRoutes,
    downloadRoutes,
    openapiRoutes,
  ])
    api.route('/', routes)
  app.route('/api/v1', api)

  const operatorChecks = [operatorHostOnly, anonymousContext(deps), operatorOnly] as const
  app.route('/ops/v1', new Hono<HonoEnv>().use('*', ...operatorChecks).route('/', opsRoutes))
  app.route('/device/v1', new Hono<HonoEnv>().use('*', anonymousContext(deps)).route('/', deviceRoutes))
  // The console serves the pages of these addresses; the button of a mailbox posts to them.
  app.post(
    UNSUBSCRIBE_PATH,
    requestLog,
    bodyLimit({ maxSize: BODY_MAX_BYTES }),
    anonymousContext(deps),
    oneClickUnsubscribe,
  )
  app.post(
    REFUSE_MAILS_PATH,
    requestLog,
    bodyLimit({ maxSize: BODY_MAX_BYTES }),
    anonymousContext(deps),
    oneClickRefusal,
  )
  app.get(AUTH_CALLBACK_PATH, requestLog, anonymousContext(deps), callbackPage)
  app.on(['GET', 'POST'], AUTH_CONFIRM_PATH, requestLog, ...formPage(deps), confirmPage) // a GET confirms nothing
  app.on(['GET', 'POST'], `${PROFILE_LINK_PATH}*`, requestLog, ...formPage(deps), profileLinkPage)
  app.get(`${SOURCE_PAGE_PATH}*`, requestLog, anonymousContext(deps), showSourcePage)
  app.get(INSTALL_SCRIPT_PATH, requestLog, anonymousContext(deps), showInstallScript)
  app.get('/__local/kit', (c, next) => (c.env.ENVIRONMENT === 'local' ? servePage(c) : next()))
  app.route('/__local', localRoutes)
  app.route('/__local/history', createHistory(deps))

  for (const mount of [...LOGGED, '/__local/*']) app.all(mount, (c) => refusal(c, violation('PATH_UNKNOWN')))
  app.get('*', servePage)
  app.notFound((c) => refusal(c, violation('PATH_UNKNOWN')))
  return app
}
