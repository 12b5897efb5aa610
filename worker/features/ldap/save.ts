import { Refusal, refuse } from '#contract/kernel/errors.ts'
import type { LdapForm } from '#contract/ldap/form.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guardReferred, holdCa, insertHub, saveConfig, updateDue } from './sql/config.ts'
import { type DirectoryValues, noticesOf } from '#domain/ldap/form.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { newHubName, placeOf } from '#security/hub-name.ts'
import { ldapPasswordPlace } from '#security/ldap-password.ts'
import { seal } from '#security/sealed.ts'
import { readForm } from './values.ts'

/** Connects, binds and lists. The account's hub is made by its first check. */
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
  if (found.refused) throw new Refusal(found.refused)
  const { certificate, sample, ...answer } = found.answer
  return { data: { ...answer, certificate, sample: [...sample] }, notice: noticesOf(values), file_name: undefined }
}

/** Saves values whose check has succeeded lately; the hub begins a run with them. */
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
    due: updateDue(db, accountId, now), // where the call below is lost, the cron wakes the hub
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
