import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import type { AuthSourceForm, authSourceApi } from '#contract/auth-source/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { auditRow } from '#db/audit.ts'
import {
  deleteBindingsOfSource,
  deleteRequestsOfSource,
  endSignInsOfSource,
  guardAuthSources,
  guardQuota,
  guardUnchanged,
  insertSource,
  selectSources,
  updateSource,
  deleteSource,
  selectSource,
} from './sql.ts'
import { batch } from '#db/batch.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { selectDomain } from '#features/ldap/sql/config.ts'
import { guardRate } from '#db/rate-limit.ts'
import {
  type SourceValues,
  VENDOR_NAME,
  checkSourceEdit,
  isOtherOrganisation,
  nextTenant,
  refusedBy,
  toSourceValues,
  checkOwnDomain,
} from '#domain/auth-source/source.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { domainProof, toAsciiName } from '#features/ldap/service.ts'
import { authSecretPlace } from '#security/auth-source.ts'
import { openSealed, seal, sealUnlessEmpty } from '#security/sealed.ts'
import { randomId } from '#security/secrets.ts'

/* Authentication sources (认证源) of an account: created, edited, deleted, turned on and off. */

type SourceInput<K extends keyof typeof authSourceApi> = Parsed<(typeof authSourceApi)[K]>

const TAKEN = {
  'auth_sources.account_id': violation('AUTH_SOURCE_NAME_TAKEN'),
  'auth_sources.auth_domain': violation('AUTH_DOMAIN_TAKEN'),
}

/** Creates a source. The vendor is asked first, and nothing is stored unless it accepts the application. */
export async function createSource(ctx: Ctx, given: SourceInput<'create'>) {
  const { db, now, env } = ctx
  const accountId = requireAccountId(ctx)
  const { values, rows } = await readForm(ctx, given)
  if (rows.length >= AUTH_SOURCE.max) refuse('AUTH_SOURCE_LIMIT_REACHED', { limit: AUTH_SOURCE.max })
  const { tenant } = await probe(ctx, values, given.app_secret)
  const id = randomId()
  const secretSealed = await seal(env.SEAL_KEYS, authSecretPlace(accountId, id), given.app_secret)
  const write = batch(db, {
    isOn: guardAuthSources(db, accountId),
    quota: guardQuota(db, accountId),
    source: insertSource(db, {
      id,
      accountId,
      ...values,
      tenant,
      secretSealed,
      createdAt: now,
      updatedAt: now,
    }),
    audit: auditRow(ctx, {
      module: 'auth_source',
      action: 'create',
      target: values.name,
      message: `添加${VENDOR_NAME[values.type]}认证源“${values.name}”`,
      after: shown(values),
    }),
  })
  await mapUniqueViolation(write, TAKEN)
  return { data: { id }, file_name: undefined }
}

/** Edits a source. An empty secret keeps the stored one. Another organisation ends all sessions of the former one. */
export async function editSource(ctx: Ctx, given: SourceInput<'edit'>) {
  const { db, now, env } = ctx
  const accountId = requireAccountId(ctx)
  const { values, rows } = await readForm(ctx, given)
  const before = rows.find(({ id }) => id === given.id) ?? refuse('AUTH_SOURCE_NOT_FOUND')
  throwIf(checkSourceEdit(values, before, given.app_secret !== ''))
  const place = authSecretPlace(accountId, before.id)
  const secret =
    given.app_secret === '' ? await openSealed(env.SEAL_KEYS, place, before.secretSealed) : given.app_secret
  const found = { ...values, ...(await probe(ctx, values, secret)) }
  const isOther = isOtherOrganisation(found, before)
  const secretSealed = await sealUnlessEmpty(env.SEAL_KEYS, place, given.app_secret)
  const changes = { ...values, tenant: nextTenant(found, before), ...(secretSealed !== undefined && { secretSealed }) }
  const write = batch(db, {
    isOn: guardAuthSources(db, accountId),
    unchanged: guardUnchanged(db, before),
    source: updateSource(db, accountId, before.id, changes, now),
    requests: deleteRequestsOfSource(db, accountId, before.id),
    bindings: isOther && deleteBindingsOfSource(db, accountId, before.id),
    ...(isOther && endSignInsOfSource(ctx, accountId, before.id)),
    audit: auditRow(ctx, {
      module: 'auth_source',
      action: 'edit',
      target: values.name,
      message: `修改认证源“${before.name}”`,
      before: shown(before),
      after: { ...shown(values), app_secret: given.app_secret === '' ? '未修改' : '已修改' },
    }),
  })
  await mapUniqueViolation(write, TAKEN)
  return { data: null, file_name: undefined }
}

/** Reads the rows that the form is checked against, and refuses bad forms before the vendor is asked. */
async function readForm(ctx: Ctx, form: AuthSourceForm) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const domain = form.auth_domain === '' ? '' : toAsciiName(form.auth_domain, 'auth_domain')
  const values = toSourceValues(form, domain)
  throwIf(checkOwnDomain(values))
  const { rows, proofs = [] } = await batch(db, {
    isOn: guardAuthSources(db, accountId),
    rate: guardRate(db, `auth_source_probe:${accountId}`, AUTH_SOURCE.probeRate, now),
    rows: selectSources(db, accountId),
    proofs: values.authDomain !== '' && selectDomain(db, accountId, values.authDomain),
  })
  if (values.authDomain !== '' && proofs.length === 0) {
    const { fileName } = await domainProof(ctx, values.authDomain)
    refuse('AUTH_DOMAIN_UNPROVED', { file_name: fileName })
  }
  return { values, rows }
}

/** Gets a token of the application from the vendor, and with it the tenant. */
async function probe({ outside }: Ctx, { type, appId, agentId, corpId }: SourceValues, appSecret: string) {
  const found = await outside.authVendors[type].probe({ type, appId, appSecret, agentId, corpId })
  if (found === 'unreachable') return refuse('AUTH_VENDOR_UNREACHABLE', { vendor: VENDOR_NAME[type] })
  if ('refused' in found) throw new Refusal(refusedBy(type, found, found.field))
  return found
}

const shown = ({ type, name, appId, agentId, corpId, authDomain }: SourceValues) => ({
  type,
  name,
  app_id: appId,
  ...(agentId !== '' && { agent_id: agentId }),
  ...(corpId !== '' && { corp_id: corpId }),
  ...(authDomain !== '' && { auth_domain: authDomain }),
})

export const enableSource = (ctx: Ctx, { id }: SourceInput<'enable'>): Promise<void> => setSourceStatus(ctx, id, 1)

export const disableSource = (ctx: Ctx, { id }: SourceInput<'disable'>): Promise<void> => setSourceStatus(ctx, id, 0)

/** Turns a source on or off. Turning it off signs out the people who used it, and ends sign-ins that are under way. */
async function setSourceStatus(ctx: Ctx, id: number, status: 0 | 1): Promise<void> {
  const { db, now } = ctx
  const { accountId, name, status: before } = await requireSource(ctx, id)
  if (before === status) return
  const word = status === 1 ? '启用' : '停用'
  await batch(db, {
    isOn: guardAuthSources(db, accountId),
    source: updateSource(db, accountId, id, { status }, now),
    ...(status === 0 && endSignInsOfSource(ctx, accountId, id)),
    audit: auditRow(ctx, {
      module: 'auth_source',
      action: status === 1 ? 'enable' : 'disable',
      target: name,
      message: `${word}认证源“${name}”`,
      before: { status: before },
      after: { status },
    }),
  })
}

export async function removeSource(ctx: Ctx, { id }: SourceInput<'delete'>): Promise<void> {
  const { db } = ctx
  const { accountId, name, type, appId } = await requireSource(ctx, id)
  await batch(db, {
    isOn: guardAuthSources(db, accountId),
    bindings: deleteBindingsOfSource(db, accountId, id),
    ...endSignInsOfSource(ctx, accountId, id),
    ended: deleteRequestsOfSource(db, accountId, id),
    source: deleteSource(db, accountId, id),
    audit: auditRow(ctx, {
      module: 'auth_source',
      action: 'delete',
      target: name,
      message: `删除认证源“${name}”`,
      before: { type, name, app_id: appId },
    }),
  })
}

async function requireSource(ctx: Ctx, id: number) {
  const accountId = requireAccountId(ctx)
  const { rows } = await batch(ctx.db, {
    isOn: guardAuthSources(ctx.db, accountId),
    rows: selectSource(ctx.db, accountId, id),
  })
  return rows[0] ?? refuse('AUTH_SOURCE_NOT_FOUND')
}
