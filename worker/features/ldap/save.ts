import { type ErrorKey, Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import type { LdapForm } from '#contract/ldap/form.ts'
import type { DirectoryCandidate, DirectoryValues } from '#contract/ldap/hub.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { giveBackUse, guardRate } from '#db/rate-limit.ts'
import {
  guardReferred,
  holdCa,
  insertHub,
  saveConfig,
  updateDue,
  selectCa,
  selectConfig,
  selectDomain,
  selectHub,
  selectNetworkId,
} from './sql/config.ts'
import {
  NOTICE,
  checkChoices,
  checkEdit,
  checkPublicHost,
  noticesOf,
  phonesLeftText,
  securityOf,
} from '#domain/ldap/form.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { selectRouterRows } from '#features/router/sql/routers.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { toCanonicalHost } from '#outside/ldap/canonical-host.ts'
import { newHubName, placeOf } from '#security/hub-name.ts'
import { seal, ldapPasswordPlace } from '#security/sealed.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { minuteText } from '#contract/kernel/time.ts'
import type { ldapApi } from '#contract/ldap/index.ts'
import { storeFile } from '#features/file/service.ts'
import { readCertificateFile } from '#outside/ldap/certificate-file.ts'
import { domainProof, toAsciiName } from './service.ts'

/* Connection of the directory (LDAP): check and save of its form, and upload of its CA. */

type Api = typeof ldapApi

/**
 * Checks the form: connects, binds and lists. The first check makes the account's directory hub. Checks that reach no
 * network do not count against their rate.
 */
export async function checkDirectory(ctx: Ctx, form: LdapForm) {
  const { candidate, values, hub: known, accountHub } = await readForm(ctx, form, true)
  const hub = known ?? newHubName(placeOf(accountHub))
  if (known === null) {
    await batch(ctx.db, {
      hub: insertHub(ctx.db, requireAccountId(ctx), hub),
      audit: auditRow(ctx, { module: 'ldap', action: 'check', target: values.host, message: '首次检测LDAP配置' }),
    })
  }
  const found = await ctx.hubs.directory(hub).check(candidate)
  if (found.refused) {
    if (UNDIALLED.has(found.refused.key)) await giveBackCheck(ctx)
    throw new Refusal(found.refused)
  }
  const { certificate, sample, ...answer } = found.answer
  const notice = [
    ...noticesOf(values),
    ...(answer.count === 0 ? [NOTICE.nobody] : []),
    ...(answer.phones_left > 0 ? [phonesLeftText(answer.phones_left)] : []),
  ]
  return { data: { ...answer, certificate, sample: [...sample] }, notice, file_name: undefined }
}

/** Refusals by the hub of a check for which no device was asked to dial. */
const UNDIALLED: ReadonlySet<string> = new Set<ErrorKey>(['LDAP_ROUTER_OFFLINE', 'LDAP_ROUTER_TOO_OLD'])

const checkKey = (ctx: Ctx): string => `ldap_check:${requireAccountId(ctx)}`
const giveBackCheck = (ctx: Ctx) => batch(ctx.db, { rate: giveBackUse(ctx.db, checkKey(ctx)) })

/** Saves values that have passed a check lately; the hub begins a run with them. */
export async function saveDirectory(ctx: Ctx, form: LdapForm) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const { candidate, values, before, hub, networkId } = await readForm(ctx, form, false)
  if (hub === null || !(await ctx.hubs.directory(hub).isChecked(candidate))) return refuse('LDAP_CHECK_FIRST')
  const passwordSealed =
    form.password === '' ? null : await seal(ctx.env.SEAL_KEYS, ldapPasswordPlace(accountId), form.password)
  await batch(db, {
    ...guardReferred(db, accountId, { ...values, networkId }),
    config: saveConfig(db, {
      ...values,
      accountId,
      networkId,
      passwordSealed,
      revision: now,
      syncMode: form.sync_mode,
      createdAt: now,
      updatedAt: now,
    }),
    ca: holdCa(db, accountId, values.caKey),
    due: updateDue(db, accountId, now), // if the call below is lost, the cron wakes the hub
    audit: auditRow(ctx, {
      module: 'ldap',
      action: 'save',
      target: values.host,
      message: before ? '修改LDAP配置' : '启用LDAP接入',
      ...(before && { before: shown(before) }),
      after: { ...shown(values), password: form.password === '' ? '未修改' : '已修改' },
    }),
  })
  ctx.waitUntil(ctx.hubs.directory(hub).refresh())
  return { data: null, file_name: undefined }
}

const shown = ({ mode, host, port, baseDn, security, domain, username, userFilter }: DirectoryValues) => ({
  mode,
  domain,
  host,
  port,
  base_dn: baseDn,
  security,
  username,
  user_filter: userFilter,
})

/** Reads the rows of the form and refuses a hopeless one. `isCheck` counts against the rate of checks, unless it refuses. */
async function readForm(ctx: Ctx, form: LdapForm, isCheck: boolean) {
  throwIf(checkChoices(form))
  const domain = toAsciiName(form.domain)
  const caId = securityOf(form) !== 'none' && form.public_ca === 0 ? form.ca_id : null
  const found = await readRows(ctx, form, { domain, caId, isCheck })
  const before = found.configs[0] ?? null
  const judge = async () => {
    const values = toValues(form, { domain, caId, routerId: requireRouter(form, found.routers) })
    requireNamed(form, caId, found)
    throwIf(checkEdit(values, before, form.password !== ''))
    if (form.mode === 'public') await checkPublic(ctx, values, found.domains.length > 0)
    return values
  }
  const values = await judge().catch(async (error: unknown) => {
    if (isCheck && error instanceof Refusal) await giveBackCheck(ctx)
    throw error
  })
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
    rate: isCheck && guardRate(db, checkKey(ctx), LDAP.checkRate, now),
    accounts: selectAccountHub(db, accountId),
    hubs: selectHub(db, accountId),
    configs: selectConfig(db, accountId),
    domains: selectDomain(db, accountId, domain),
    routers: form.mode === 'private' && selectRouterRows(db, session, form.router_name),
    networks: form.network_number !== '' && selectNetworkId(db, accountId, form.network_number),
    files: caId !== null && selectCa(db, accountId, caId),
  })
}

type Rows = Awaited<ReturnType<typeof readRows>>

function requireNamed(form: LdapForm, caId: string | null, { networks = [], files = [] }: Rows): void {
  if (form.network_number !== '' && networks.length === 0) refuse('NETWORK_NOT_FOUND', {}, 'network_number')
  if (caId !== null && files.length === 0) refuse('LDAP_CA_REQUIRED')
}

/** Private mode: the device whose tunnel leads to the directory. */
function requireRouter({ mode }: LdapForm, routers: Rows['routers']): number | null {
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

/** Canonical spelling of a host, for comparing, storing, connecting and certificates. */
const requireHost = (text: string, field: keyof typeof HOST_INVALID): string =>
  toCanonicalHost(text) ?? refuse('INPUT_INVALID', { reason: HOST_INVALID[field] }, field)
const HOST_INVALID = { host: '请检查地址格式', certificate_name: '请检查证书名称格式' } as const

async function checkPublic(ctx: Ctx, values: DirectoryValues, isProved: boolean): Promise<void> {
  throwIf(checkPublicHost(values))
  if (!isProved) refuse('LDAP_DOMAIN_UNPROVED', { file_name: (await domainProof(ctx, values.domain)).fileName })
}

/** Stores a CA file of one or more certificates, PEM or DER, as PEM. A refused file is not stored. */
export async function uploadCa(ctx: Ctx, { file }: Parsed<Api['uploadCa']>): Promise<Output<Api['uploadCa']>> {
  const { db, now } = ctx
  const read = readCertificateFile(new Uint8Array(await file.arrayBuffer()), now)
  if (read.failure === 'private_key') refuse('LDAP_CA_PRIVATE_KEY')
  if (read.failure === 'expired') refuse('LDAP_CA_FILE_EXPIRED')
  if (read.failure === 'too_many') refuse('LDAP_CA_TOO_MANY')
  if (read.failure !== null) return refuse('LDAP_CA_NOT_CERTIFICATE')
  await batch(db, { rate: guardRate(db, `ldap_ca:${requireAccountId(ctx)}`, LDAP.checkRate, now) })
  const bytes = new TextEncoder().encode(read.pem)
  const stored = await storeFile(ctx, { bytes, name: file.name, purpose: 'ldap_ca' })
  const [first] = read.certificates
  await batch(db, {
    file: stored.insert,
    audit: auditRow(ctx, {
      module: 'ldap',
      action: 'upload_ca',
      target: stored.name,
      message: `上传CA证书“${stored.name}”`,
      after: { subject: first?.subject, expire_time: minuteText(first?.notAfter ?? now) },
    }),
  })
  return {
    ca_id: stored.key,
    file_name: stored.name,
    subject: first?.name ?? '',
    expire_time: Math.min(...read.certificates.map(({ notAfter }) => notAfter)),
  }
}
