import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import type { DirectoryCounts } from '#contract/ldap/hub.ts'
import type { ldapApi } from '#contract/ldap/index.ts'
import { batch } from '#db/batch.ts'
import { countRuns, selectConfig, selectHardware, selectHub, selectRuns } from './sql/config.ts'
import { noticesOf } from '#domain/ldap/form.ts'
import { NOBODY_OUTSIDE } from '#domain/ldap/run.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'

/* Directory (LDAP) of an account as the console reads it: connection, sync status, users, plan, runs. */

type Api = typeof ldapApi

export async function readStatus(ctx: Ctx) {
  const [config] = await selectConfig(ctx.db, requireAccountId(ctx))
  return {
    enable: toWireBoolean(config),
    data: { mode: config?.mode ?? '', sync_mode: config?.syncMode ?? 1, status: toWireBoolean(config) },
  }
}

export async function readConfig(ctx: Ctx) {
  const [config] = await selectConfig(ctx.db, requireAccountId(ctx))
  if (!config) return { enable: 0 as const, notice: [], data: null }
  return {
    enable: 1 as const,
    notice: noticesOf(config),
    data: {
      mode: config.mode,
      router_name: config.routerName ?? '',
      router_note: config.routerNote ?? '',
      domain: config.domain,
      host: config.host,
      port: config.port,
      base_dn: config.baseDn,
      use_ssl: toWireBoolean(config.security === 'ldaps'),
      use_tls: toWireBoolean(config.security === 'starttls'),
      ca_id: config.caKey ?? '',
      public_ca: toWireBoolean(config.security !== 'none' && config.caKey === null),
      file_name: config.fileName ?? '',
      certificate_name: config.certificateName,
      username: config.username,
      has_password: 1 as const,
      type: 1 as const,
      user_filter: config.userFilter,
      username_attribute: config.usernameAttribute,
      phone_attribute: config.phoneAttribute,
      network_number: config.networkNumber ?? '',
      network_name: config.networkName ?? '',
      sync_mode: config.syncMode,
      status: 1 as const,
      create_time: config.createdAt,
      update_time: config.updatedAt,
    },
  }
}

export const listHardware = (ctx: Ctx, { search }: Parsed<Api['hardware']>) =>
  selectHardware(ctx.db, requireAccountId(ctx), search)

export async function requireHub(ctx: Ctx) {
  const accountId = requireAccountId(ctx)
  const { hubs, configs } = await batch(ctx.db, {
    hubs: selectHub(ctx.db, accountId),
    configs: selectConfig(ctx.db, accountId),
  })
  const [hub] = hubs
  const [config] = configs
  return hub && config ? { hub: ctx.hubs.directory(hub.hub), config } : refuse('LDAP_OFF')
}

export async function readSyncStatus(ctx: Ctx) {
  const { hub } = await requireHub(ctx)
  const { count, fault, written, updatedAt, actor, lastedMs, run } = await hub.state()
  return {
    count,
    service: {
      status: toWireBoolean(fault === ''),
      update_time: updatedAt,
      actor,
      cycle: LDAP.cycleMinutes,
      operation_hours: Math.ceil(lastedMs / 1000), // seconds (directory 9)
      message: fault,
      written,
    },
    run,
  }
}

export async function listUsers(ctx: Ctx, { search, exist, page, limit }: Parsed<Api['user']>) {
  const { hub } = await requireHub(ctx)
  const { rows, count, hash, listedAt } = await hub.users({ search, exist, page, limit })
  return { data: [...rows], count, hash, list_time: listedAt }
}

export async function readPlan(ctx: Ctx, input: Parsed<Api['plan']>) {
  const { hub } = await requireHub(ctx)
  const { counts, names, hash, count } = await hub.plan(input)
  return { data: { ...counts, names: [...names] }, hash, count }
}

const NOBODY_LEFT = { left: 0, left_reason: '' }

/** Counts of a run, as durable/directory-hub/database.ts writes them. */
function readCounts(text: string) {
  const { outside, reason, left, left_reason, ...counts } = {
    ...NOBODY_OUTSIDE,
    ...NOBODY_LEFT,
    ...(JSON.parse(text) as DirectoryCounts),
  }
  return { outside, reason, left, left_reason, counts }
}

export async function listRuns(ctx: Ctx, { page, limit }: Parsed<Api['runs']>) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const { rows, counts } = await batch(db, {
    rows: selectRuns(db, accountId, limit, (page - 1) * limit),
    counts: countRuns(db, accountId),
  })
  return {
    count: counts[0]?.[0] ?? 0,
    data: rows.map((row) => ({
      ...readCounts(row.counts),
      id: row.id,
      kind: row.kind,
      state: row.state,
      actor: row.actorName,
      message: row.failure,
      can_undo: toWireBoolean(row.canUndo === 1 && now - row.endedAt < LDAP.undoMs),
      start_time: row.startedAt,
      end_time: row.endedAt,
    })),
  }
}
