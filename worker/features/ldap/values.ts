import type { DirectoryCandidate } from '#contract/ldap/hub.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { LdapForm } from '#contract/ldap/form.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { batch } from '#db/batch.ts'
import { selectCa, selectConfig, selectDomain, selectHub, selectNetworkId } from './sql/config.ts'
import { guardRate } from '#db/rate-limit.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { selectRouterRows } from '#features/router/sql/routers.ts'
import { type DirectoryValues, checkEdit, checkPublicHost, checkTls, securityOf } from '#domain/ldap/form.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { domainProof, toAsciiName } from './service.ts'
import { toCanonicalHost } from '#outside/ldap/canonical-host.ts'

/** Reads what the form refers to, and refuses what no check would pass. `isCheck` counts against the rate of checks. */
export async function readForm(ctx: Ctx, form: LdapForm, isCheck: boolean) {
  throwIf(checkTls(form))
  if (form.mode === 'private' && form.router_name === '') refuse('LDAP_ROUTER_REQUIRED')
  const domain = toAsciiName(form.domain)
  const caId = securityOf(form) !== 'none' && form.public_ca === 0 ? form.ca_id : null
  const found = await readRows(ctx, form, { domain, caId, isCheck })
  const values = toValues(form, { domain, caId, routerId: requireRouter(form, found.routers) })
  requireNamed(form, caId, found)
  const before = found.configs[0] ?? null
  throwIf(checkEdit(values, before, form.password !== ''))
  if (form.mode === 'public') await checkPublic(ctx, values, found.domains.length > 0)
  const candidate: DirectoryCandidate = { ...values, password: form.password }
  return {
    values,
    candidate,
    before,
    hub: found.hubs[0]?.hub ?? null,
    accountHub: found.accounts[0]?.hub ?? '',
    networkId: found.networks?.[0]?.id ?? null,
  }
}

interface Names {
  readonly domain: string
  readonly caId: string | null
  readonly isCheck: boolean
}

function readRows(ctx: Ctx, form: LdapForm, { domain, caId, isCheck }: Names) {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const { accountId } = session
  return batch(db, {
    rate: isCheck && guardRate(db, `ldap_check:${accountId}`, LDAP.checkRate, now),
    accounts: selectAccountHub(db, accountId),
    hubs: selectHub(db, accountId),
    configs: selectConfig(db, accountId),
    domains: selectDomain(db, accountId, domain),
    routers: form.mode === 'private' && selectRouterRows(db, session, form.router_name),
    networks: form.network_number !== '' && selectNetworkId(db, accountId, form.network_number),
    files: caId !== null && selectCa(db, accountId, caId),
  })
}

function requireNamed(
  form: LdapForm,
  caId: string | null,
  { networks = [], files = [] }: Pick<Awaited<ReturnType<typeof readRows>>, 'networks' | 'files'>,
): void {
  if (form.network_number !== '' && networks.length === 0) refuse('NETWORK_NOT_FOUND', {}, 'network_number')
  if (caId !== null && files.length === 0) refuse('LDAP_CA_REQUIRED')
}

/** Private mode: the device whose tunnel leads to the directory. */
function requireRouter({ mode }: LdapForm, routers: Awaited<ReturnType<typeof readRows>>['routers']): number | null {
  if (mode !== 'private') return null
  const router = routers?.[0] ?? refuse('ROUTER_NOT_FOUND', {}, 'router_name')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY', {}, 'router_name')
  return router.id
}

const toValues = (
  form: LdapForm,
  { domain, caId, routerId }: { domain: string; caId: string | null; routerId: number | null },
): DirectoryValues => ({
  mode: form.mode,
  routerId,
  domain,
  host: requireHost(form.host, 'host'),
  port: form.port,
  baseDn: form.base_dn,
  security: securityOf(form),
  caKey: caId,
  certificateName: form.certificate_name === '' ? '' : requireHost(form.certificate_name, 'certificate_name'),
  username: form.username,
  userFilter: form.user_filter,
  usernameAttribute: form.username_attribute,
  phoneAttribute: form.phone_attribute,
})

/** The one spelling that is compared, stored, dialled and looked for in certificates. */
const requireHost = (text: string, field: 'host' | 'certificate_name'): string =>
  toCanonicalHost(text) ?? refuse('INPUT_INVALID', { reason: HOST_INVALID[field] }, field)
const HOST_INVALID = { host: '请检查地址格式', certificate_name: '请检查证书名称格式' } as const

async function checkPublic(ctx: Ctx, values: DirectoryValues, isProved: boolean): Promise<void> {
  throwIf(checkPublicHost(values))
  if (isProved) return
  const { fileName } = await domainProof(ctx, values.domain)
  refuse('LDAP_DOMAIN_UNPROVED', { file_name: fileName })
}
