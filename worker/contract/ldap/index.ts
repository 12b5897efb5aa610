import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { nothing, numeric, page, search, time, wireBoolean } from '#contract/kernel/fields.ts'
import { CA_RULE, EXAMPLE_FORM, domain, ldapForm, syncMode } from './form.ts'
import { LDAP, LDAP_MODES, RUN_PHASES } from './limits.ts'
import { list } from '#contract/kernel/list.ts'
import type { BatchCounts } from '#contract/kernel/result.ts'
import { EXAMPLE_CERTIFICATE, uploadedFile } from '#contract/kernel/uploads.ts'

/* Endpoints of an LDAP directory: configuration, check, users, synchronisation runs. */

export const countsView = z.object({
  added: z.int(),
  changed: z.int(),
  disabled: z.int(),
  enabled: z.int(),
  conflicts: z.int(),
  removable: z.int(),
})
export const checkView = z.object({
  server: z.string(),
  tls: z.string(),
  certificate: z.object({ subject: z.string(), issuer: z.string(), expire_time: time }).nullable(),
  count: z.int(),
  /** Users whose phone their members do not get. */
  phones_left: z.int(),
  sample: z.array(
    z.object({
      username: z.string(),
      note: z.string(),
      phone: z.string(),
      phone_left: z.string(),
      verify: z.string(),
    }),
  ),
})
export const runView = z.object({
  state: z.enum(['running', 'asking', 'done', 'failed']),
  phase: z.enum(RUN_PHASES),
  done: z.int(),
  total: z.int(),
  stop: z.string(),
  hash: z.string(),
  counts: countsView,
})
const result = z.object({ uuid: z.string(), ok: wireBoolean, msg: z.string() })
export const userView = z.object({
  uuid: z.string(),
  username: z.string(),
  description: z.string(),
  exist: wireBoolean,
  disable: wireBoolean,
  verify: z.string(),
})
export const planName = z.object({ uuid: z.string(), name: z.string(), to: z.string(), reason: z.string() })
/** Number of imported members that the associated network refused, and the reason. */
const outside = z.object({ outside: z.int(), reason: z.string() })
export const appliedView = countsView.extend({ ...outside.shape, result: z.array(result) })
/** Members that an undo has restored, that were as before already, and that stay as they are, with the reason. */
export const undoneView = z.object({
  restored: z.int(),
  unchanged: z.int(),
  left: z.int(),
  reason: z.string(),
  /** Restored members that did not get all their networks back, or not their phone. */
  outside: z.int(),
  without_phone: z.int(),
  /** 1: the closed directory is connected again. */
  reopened: wireBoolean,
})
/** `恢复 3，未恢复 1：名称已被占用` */
function undoneText({ restored, unchanged, left, reason, ...undone }: z.output<typeof undoneView>): string {
  const lost = [
    ...(undone.outside > 0 ? [`${undone.outside} 个未回到全部组网`] : []),
    ...(undone.without_phone > 0 ? [`${undone.without_phone} 个手机号已被占用，留空`] : []),
  ]
  return [
    ...(undone.reopened === 1 ? ['LDAP接入已恢复'] : []),
    `恢复 ${restored}${lost.length > 0 ? `（${lost.join('，')}）` : ''}`,
    ...(unchanged > 0 ? [`${unchanged} 个无需恢复`] : []),
    ...(left > 0 ? [`未恢复 ${left}：${reason}`] : []),
  ].join('，')
}

const hash = z.string().max(64).default('')
/** UUID of a user, or a list of them. */
const uuid = z
  .union(
    [
      z
        .string()
        .max(128)
        .transform((one) => [one]),
      z.array(z.string().max(128)),
    ],
    '请选择用户',
  )
  .pipe(z.array(z.string()).min(1, '请选择用户').max(LDAP.uuidsMax, `一次最多选择${LDAP.uuidsMax}个用户`))

/** Configuration (directory 3) without its password. */
const ldapConfig = z.object({
  mode: z.enum(LDAP_MODES),
  router_name: z.string(),
  router_note: z.string(),
  domain: z.string(),
  host: z.string(),
  port: z.int(),
  base_dn: z.string(),
  use_ssl: wireBoolean,
  use_tls: wireBoolean,
  ca_id: z.string(),
  public_ca: wireBoolean,
  file_name: z.string(),
  certificate_name: z.string(),
  username: z.string(),
  has_password: wireBoolean,
  type: z.literal(1),
  user_filter: z.string(),
  username_attribute: z.string(),
  phone_attribute: z.string(),
  network_number: z.string(),
  network_name: z.string(),
  sync_mode: z.int(),
  status: wireBoolean,
  create_time: time,
  update_time: time,
})

const READS = ['ldap/status', 'ldap/config', 'ldap/sync_status', 'ldap/user', 'ldap/plan', 'ldap/runs']
const MEMBERS = [...READS, 'router/lists']
const EXAMPLE_HASH = '0'.repeat(32)
type Applied = z.output<typeof appliedView>

/** Counts of an import; `all` also counts the users of the listing that cannot be imported. */
const importCounts =
  (all: 'all' | 'named') =>
  ({ added, conflicts, result }: Applied): BatchCounts => ({
    done: added,
    left: all === 'all' ? conflicts : failed(result),
    noun: '用户',
  })
const removalCounts = ({ removable, result }: Applied): BatchCounts => ({
  done: removable,
  left: failed(result),
  noun: '成员',
})
const syncCounts = ({ added, changed, disabled, enabled }: Applied): BatchCounts => ({
  done: added + changed + disabled + enabled,
  left: 0,
  noun: '成员',
})
const failed = (result: Applied['result']): number => result.filter(({ ok }) => ok === 0).length

/** Calls on the members of a listing: on all that fit, or on some users. */
const ofListing = {
  input: z.object({ hash }),
  output: appliedView,
  refreshes: MEMBERS,
  example: { hash: EXAMPLE_HASH },
}
const ofUsers = { ...ofListing, input: z.object({ hash, uuid }), example: { hash: EXAMPLE_HASH, uuid: ['0'] } }

export const ldapApi = {
  status: read('ldap/status', 'main', {
    reads: 'near',
    summary: 'Whether a directory is connected',
    output: z.object({ mode: z.string(), sync_mode: z.int(), status: wireBoolean }),
    extra: { enable: wireBoolean },
  }),
  config: read('ldap/config', 'main', {
    summary: 'The configuration without its password, and sentences over the form',
    output: ldapConfig.nullable(),
    extra: { enable: wireBoolean, notice: z.array(z.string()) },
  }),
  hardware: read('ldap/hardware', 'main', {
    summary: 'Hardware members, those first through which a directory can be reached now; `tunnel` null: not known yet',
    input: z.object({ search }),
    output: z.array(
      z.object({
        router_name: z.string(),
        note: z.string(),
        status: wireBoolean,
        online: wireBoolean,
        tunnel: wireBoolean.nullable(),
      }),
    ),
  }),
  check: write('ldap/check', 'main', {
    unmetered: true,
    summary: 'Connects, binds and lists with these values; ten a minute of an account',
    input: ldapForm,
    output: checkView,
    extra: { file_name: z.string().optional(), notice: z.array(z.string()) },
    example: EXAMPLE_FORM,
  }),
  save: write('ldap/save', 'main', {
    summary: 'Saves values that a check has just passed',
    input: ldapForm,
    extra: { file_name: z.string().optional() },
    done: 'savedConfig',
    refreshes: READS,
    example: EXAMPLE_FORM,
  }),
  uploadCa: write('ldap/upload_ca', 'main', {
    body: 'multipart',
    summary: 'A CA certificate, PEM or DER',
    input: z.object({ file: uploadedFile(CA_RULE) }),
    output: z.object({ ca_id: z.string(), file_name: z.string(), subject: z.string(), expire_time: time }),
    done: 'uploaded',
    example: { file: EXAMPLE_CERTIFICATE },
  }),
  verifyDomain: write('ldap/verify_domain', 'main', {
    summary: 'Looks for the token of a domain in its root, and in DNS',
    input: z.object({ domain }),
    extra: { file_name: z.string().optional() },
    done: 'domainProved',
    refreshes: ['ldap/config'],
    example: { domain: 'acme.example' },
  }),
  downloadVerifyDomain: read('ldap/download_verify_domain', 'main', {
    summary: 'The file that proves a domain',
    input: z.object({ domain }),
    reply: 'file',
    output: z.unknown(),
    example: { domain: 'acme.example' },
  }),
  user: read('ldap/user', 'main', {
    summary: 'Users of the newest complete listing, and imported members that it no longer has',
    ...list({
      row: userView,
      filters: { search, exist: z.enum(['', '0', '1']).default('') },
    }),
    extra: { count: z.int(), hash: z.string(), list_time: time.nullable() },
  }),
  import: write('ldap/import', 'main', {
    summary: 'Adds users as members',
    ...ofUsers,
    done: 'imported',
    counts: importCounts('named'),
  }),
  importAll: write('ldap/import_all', 'main', {
    summary: 'Adds all users that can be',
    ...ofListing,
    done: 'imported',
    counts: importCounts('all'),
  }),
  remove: write('ldap/remove', 'main', {
    summary: 'Deletes imported members that are disabled in the directory or gone from it',
    ...ofUsers,
    done: 'deleted',
    counts: removalCounts,
  }),
  removeAll: write('ldap/remove_all', 'main', {
    summary: 'Deletes all of them',
    ...ofListing,
    done: 'deleted',
    counts: removalCounts,
  }),
  sync: write('ldap/sync', 'main', {
    summary: 'Does what the plan of this listing says; deletes nobody',
    ...ofListing,
    done: 'synced',
    counts: syncCounts,
  }),
  syncMode: write('ldap/sync_mode', 'main', {
    summary: 'By hand (1) or automatic (2)',
    input: z.object({ sync_mode: syncMode }),
    done: 'set',
    refreshes: READS,
    example: { sync_mode: 2 },
  }),
  syncStatus: read('ldap/sync_status', 'main', {
    summary: 'How the newest run went, and the one that works',
    output: z.object({
      count: z.int(),
      service: z.object({
        status: wireBoolean,
        update_time: time.nullable(),
        actor: z.string(),
        cycle: z.int(),
        operation_hours: z.int(),
        message: z.string(),
        written: countsView,
      }),
      run: runView.nullable(),
    }),
  }),
  removeDisable: write('ldap/remove_disable', 'main', {
    summary: 'Deletes imported members that are disabled in the directory',
    output: appliedView,
    done: 'deleted',
    counts: removalCounts,
    refreshes: MEMBERS,
  }),
  restartSync: write('ldap/restart_sync', 'main', {
    summary: 'Starts a run now and clears the fault',
    output: z.object({}),
    done: 'started',
    refreshes: READS,
  }),
  plan: read('ldap/plan', 'main', {
    summary: 'What a run of the newest listing would do: counts, and the names of one kind by pages',
    input: z.object({
      kind: countsView.keyof().default('added'),
      page,
    }),
    output: countsView.extend({ names: z.array(planName) }),
    extra: { hash: z.string(), count: z.int() },
  }),
  runs: read('ldap/runs', 'main', {
    summary: 'Runs and what people did to the members, newest first',
    ...list({
      row: z.object({
        id: z.string(),
        kind: z.string(),
        state: z.enum(['done', 'failed', 'asking']),
        actor: z.string(),
        counts: countsView,
        ...outside.shape,
        left: z.int(),
        left_reason: z.string(),
        message: z.string(),
        can_undo: wireBoolean,
        start_time: time,
        end_time: time,
      }),
    }),
  }),
  undo: write('ldap/undo', 'main', {
    summary: 'Takes back what a run or a removal did, for 24 hours',
    input: z.object({ id: z.string().min(1).max(64) }),
    output: undoneView,
    done: 'restored',
    counts: ({ restored, unchanged, reopened, left }) => ({
      done: restored + unchanged + reopened,
      left,
      noun: '成员',
    }),
    sentence: undoneText,
    refreshes: MEMBERS,
    example: { id: '0'.repeat(32) },
  }),
  confirm: write('ldap/confirm', 'main', {
    summary: 'Lets a run go on that stopped because it would disable many',
    ...ofListing,
    output: nothing,
    done: 'accepted',
  }),
  delete: write('ldap/delete', 'main', {
    summary:
      'Closes the directory: its imported members are deleted; `confirm` is their number, the answer what undo takes',
    input: z.object({ confirm: numeric(z.int()).optional() }),
    output: z.object({ id: z.string() }),
    done: 'closed',
    refreshes: MEMBERS,
    example: { confirm: 0 },
  }),
} as const
