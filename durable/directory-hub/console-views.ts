import { createHash } from 'node:crypto'
import type {
  DirectoryHubRpc,
  DirectoryState,
  PlanKind,
  UserRow,
  CheckAnswer,
  DirectoryCandidate,
  DirectoryValues,
} from '#contract/ldap/hub.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import type { DirectoryEntry } from '#domain/ldap/directory-entry.ts'
import { type MemberFields, PHONE_LEFT, findPhonesLeft, toMembers } from '#domain/ldap/mapping.ts'
import { type Plan, compareNames, verifyText } from '#domain/ldap/plan.ts'
import { type Run, isActive } from '#domain/ldap/run.ts'
import type { DirectoryServer } from '#outside/ldap/directory-connection.ts'
import type { HubState } from './storage.ts'

/* Views of a directory for the console: state, users, names in a plan, and the answer of a connection check. */

type UserQuestion = Parameters<DirectoryHubRpc['users']>[0]

export const toDirectoryState = (
  count: number,
  run: Run | null,
  { hash, fault, written, updatedAt, actor, lastedMs }: HubState,
): DirectoryState => ({
  count,
  fault,
  written,
  updatedAt,
  actor,
  lastedMs,
  run: run && {
    state: isActive(run) ? 'running' : (run.phase as 'asking' | 'done' | 'failed'),
    phase: run.phase,
    done: run.done,
    total: run.total,
    stop: run.stop ?? '',
    hash,
    counts: run.counts,
  },
})

export function findUsers({ rows }: Plan, { search, exist, page, limit }: UserQuestion) {
  const text = search.toLowerCase()
  const found = rows.filter(
    ({ username, description, isImported }) =>
      (exist === '' || isImported === (exist === '1')) &&
      (username.toLowerCase().includes(text) || description.toLowerCase().includes(text)),
  )
  const shown = found.slice((page - 1) * limit, page * limit)
  return {
    count: found.length,
    rows: shown.map(({ uuid, username, description, isImported, isDisabled, verify }): UserRow => ({
      uuid,
      username,
      description,
      exist: toWireBoolean(isImported),
      disable: toWireBoolean(isDisabled),
      verify: verifyText(verify, username),
    })),
  }
}

export function findPlanNames(plan: Plan, kind: PlanKind, page: number) {
  const all = listNames(plan, kind).toSorted((a, b) => compareNames(a.name, b.name))
  return { names: all.slice((page - 1) * LDAP.planNames, page * LDAP.planNames), count: all.length }
}

function listNames(plan: Plan, kind: PlanKind) {
  const named = (uuid: string, name: string, to = '', reason = '') => ({ uuid, name, to, reason })
  switch (kind) {
    case 'added':
      return plan.added.map(({ uuid, name }) => named(uuid, name))
    case 'changed':
      return plan.changed.map(({ uuid, before, after }) =>
        named(uuid, before.name, after.name === before.name ? '' : after.name, fieldsText(before, after)),
      )
    case 'conflicts':
      return plan.conflicts.map(({ uuid, username, verify }) => named(uuid, username, '', verifyText(verify, username)))
    default:
      return plan[kind].map(({ uuid, name }) => named(uuid, name))
  }
}

/** Text of the changed fields besides the name: `备注 旧 → 新；手机号 空 → 13800000000`. */
function fieldsText(before: MemberFields, after: MemberFields): string {
  const fields = [
    ['备注', before.note, after.note],
    ['手机号', before.phone, after.phone],
  ] as const
  return fields
    .filter(([, old, next]) => old !== next)
    .map(([label, old, next]) => `${label} ${old || '空'} → ${next || '空'}`)
    .join('；')
}

/** Answer of a connection check: the server, and users as they would be imported; one whose phone is left out is among them. */
export function toCheckAnswer(
  { kind, tlsVersion, certificate }: DirectoryServer,
  users: readonly DirectoryEntry[],
  { rows }: Plan,
): CheckAnswer {
  const fields = toMembers(users)
  const left = findPhonesLeft(users)
  const shown = rows.flatMap(({ uuid, username, verify }) => {
    const member = fields.get(uuid)
    const reason = left.get(uuid)
    const phone_left = reason === undefined ? '' : PHONE_LEFT[reason]
    return member
      ? [{ username, note: member.note, phone: member.phone, phone_left, verify: verifyText(verify, username) }]
      : []
  })
  const first = shown.slice(0, LDAP.sample)
  const problem = shown.find(({ phone_left }) => phone_left !== '')
  const isSeen = problem === undefined || first.includes(problem)
  return {
    server: kind,
    tls: tlsVersion ?? '',
    certificate: certificate && {
      subject: certificate.subject,
      issuer: certificate.issuer,
      expire_time: certificate.notAfter,
    },
    count: users.length,
    phones_left: left.size,
    sample: isSeen ? first : [...first.slice(0, -1), problem],
  }
}

const FIELDS = [
  'mode',
  'routerId',
  'domain',
  'host',
  'port',
  'baseDn',
  'security',
  'caKey',
  'certificateName',
  'username',
  'userFilter',
  'usernameAttribute',
  'phoneAttribute',
] as const satisfies readonly (keyof DirectoryValues)[]

/** Digest of the checked values: only these can be saved. It never leaves the hub's own storage. */
export const digestCandidate = (values: DirectoryCandidate, password: string): string =>
  createHash('sha256')
    .update(JSON.stringify([...FIELDS.map((field) => values[field]), password]))
    .digest('hex')
