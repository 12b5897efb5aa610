import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { ramApi } from '#contract/ram/index.ts'
import { violation } from '#contract/kernel/result.ts'
import { type AuditEntry, auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { idList } from '#db/columns.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { endSessionsByUser, endSessionsOfDeleted, renewRights } from '#features/login/sql/sessions.ts'
import { forgetFailures } from '#features/login/sql/attempts.ts'
import { selectUserById } from '#features/account/sql/users.ts'
import { checkPassword } from '#domain/account/password.ts'
import { subPasswordSetNotice } from '#domain/account/security-notice.ts'
import { loginNameOf, personKey } from '#domain/account/user.ts'
import { checkRamQuota } from '#domain/ram/quota.ts'
import { guardRole } from '#features/ram-role/sql.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { hashInPool, signedInClient } from '#http/hash-client.ts'
import { insertPersonMessages, sendPersonNotice } from '#features/account/service.ts'
import { randomId } from '#security/secrets.ts'
import {
  deleteRam,
  guardRam,
  guardRamQuota,
  insertRam,
  selectRam,
  selectRamByName,
  selectRamDomain,
  selectRamQuota,
  selectRoleById,
  updateRam,
} from './sql.ts'
import { type RamUser, requireRamUser, toRamUser } from './read.ts'

/* Sub-accounts (子账号) of an account: created, edited, deleted, enabled, disabled, signed out. */

type RamInput<K extends keyof typeof ramApi> = Parsed<(typeof ramApi)[K]>

const audit = (ctx: Ctx, entry: Omit<AuditEntry, 'module'>) => auditRow(ctx, { module: 'ram', ...entry })

export async function createRam(ctx: Ctx, given: RamInput<'create'>): Promise<Output<typeof ramApi.create>> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const { username, nickname, role_id: roleId } = given
  throwIf(checkPassword(given.password, { names: [username, nickname] }))
  const found = await batch(db, {
    domains: selectRamDomain(db, accountId),
    quotas: selectRamQuota(db, accountId, now),
    roles: selectRoleById(db, accountId, roleId),
    taken: selectRamByName(db, accountId, username),
  })
  const quota = found.quotas[0] ?? refuse('SESSION_REVOKED')
  throwIf(checkRamQuota(quota))
  const role = found.roles[0] ?? refuse('RAM_ROLE_UNKNOWN')
  if (found.taken.length > 0) return refuse('RAM_NAME_TAKEN')
  const target = `${username}@${found.domains[0]?.domain}`
  const password = await hashInPool(ctx.passwords, signedInClient(ctx), given.password)
  const write = batch(db, {
    quota: guardRamQuota(db, accountId, quota.max, now),
    role: guardRole(db, accountId, roleId, 'RAM_ROLE_UNKNOWN'),
    rams: insertRam(db, { id: randomId(), accountId, roleId, username, nickname, password, createdAt: now }),
    audit: audit(ctx, {
      action: 'create',
      target,
      message: `添加子账号“${target}”`,
      after: { username, nickname, role: role.name },
    }),
  })
  const { rams } = await mapUniqueViolation(write, { 'ram_accounts.account_id': violation('RAM_NAME_TAKEN') })
  return { id: rams[0]?.id ?? refuse('FAULT') }
}

/** Edits a sub-account. A new role takes effect with the next request; a new password ends the sessions. */
export async function editRam(ctx: Ctx, { id, ...given }: RamInput<'edit'>): Promise<void> {
  const { user, before, after } = await requireEdited(ctx, id, given)
  const [isMoved, isReset] = [after.role !== before.role, given.password !== '']
  if (!isMoved && !isReset && after.nickname === before.nickname) return
  const { db } = ctx
  const { accountId } = user
  const target = loginNameOf(user)
  const reset = isReset ? await resetPassword(ctx, user, given) : null
  const differing = (one: typeof before, other: typeof before) => ({
    ...(one.nickname !== other.nickname && { nickname: one.nickname }),
    ...(isMoved && { role: one.role.name }),
  })
  await batch(db, {
    exists: guardRam(db, accountId, id),
    role: guardRole(db, accountId, after.role.id, 'RAM_ROLE_UNKNOWN'),
    ram: updateRam(db, accountId, id, {
      nickname: after.nickname,
      roleId: after.role.id,
      ...(reset && { password: reset.hash }),
    }),
    rights: isMoved && renewRights(db, accountId, idList([id])),
    ...reset?.statements,
    audit: audit(ctx, {
      action: 'edit',
      target,
      message: `修改子账号“${target}”${isReset ? '，重置登录密码' : ''}`,
      before: differing(before, after),
      after: differing(after, before),
    }),
    hubs: (isMoved || isReset) && notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  if (reset) sendPersonNotice(ctx, user, reset.notice)
}

/** Reads the sub-account, with its values before and after the edit. */
async function requireEdited(ctx: Ctx, id: number, given: Omit<RamInput<'edit'>, 'id'>) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const found = await batch(db, {
    users: selectUserById(db, accountId, id),
    rams: selectRam(db, accountId, id, now),
    roles: selectRoleById(db, accountId, given.role_id),
  })
  const user = toRamUser(found.users[0])
  const { nickname, role_id: roleId, role_name: roleName } = found.rams[0] ?? refuse('RAM_NOT_FOUND')
  const role = found.roles[0] ?? refuse('RAM_ROLE_UNKNOWN')
  const stored = { id: roleId, name: roleName }
  const next = role.id === roleId ? stored : role
  return { user, before: { nickname, role: stored }, after: { nickname: given.nickname, role: next } }
}

/** Statements of a new password set by the main account: the sub-account's sessions and pauses end. */
async function resetPassword(
  ctx: Ctx,
  user: RamUser,
  { nickname, password }: Pick<RamInput<'edit'>, 'nickname' | 'password'>,
) {
  const { db, now } = ctx
  const { accountId, ramId } = user
  const target = loginNameOf(user)
  throwIf(checkPassword(password, { names: [target, nickname, user.username], phone: user.phone }))
  const notice = subPasswordSetNotice(target, ctx)
  return {
    notice,
    hash: await hashInPool(ctx.passwords, signedInClient(ctx), password),
    statements: {
      sessions: endSessionsByUser(db, { accountId, ramId }, now),
      failures: forgetFailures(db, personKey({ accountId, ramId })),
      ...insertPersonMessages(ctx, user, notice),
    },
  }
}

/** Deletes a sub-account; its tickets, messages and audit rows stay with the account. */
export async function removeRam(ctx: Ctx, { id }: RamInput<'delete'>): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const user = await requireRamUser(ctx, id)
  const target = loginNameOf(user)
  await batch(db, {
    exists: guardRam(db, accountId, id),
    sessions: endSessionsOfDeleted(db, accountId, id, now), // before the row is deleted, which deletes its sessions too
    ram: deleteRam(db, accountId, id),
    audit: audit(ctx, {
      action: 'delete',
      target,
      message: `删除子账号“${target}”`,
      before: { username: user.ramUsername, nickname: user.ramNickname },
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
}

export const enableRam = (ctx: Ctx, { id }: RamInput<'enable'>): Promise<void> => setRamStatus(ctx, id, 1)

export const disableRam = (ctx: Ctx, { id }: RamInput<'disable'>): Promise<void> => setRamStatus(ctx, id, 0)

/** Enables or disables a sub-account. A disabled one is signed out within a second. */
async function setRamStatus(ctx: Ctx, id: number, status: 0 | 1): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const user = await requireRamUser(ctx, id)
  if (user.ramStatus === status) return
  const [isDisabled, target] = [status === 0, loginNameOf(user)]
  await batch(db, {
    exists: guardRam(db, accountId, id),
    ram: updateRam(db, accountId, id, { status }),
    sessions: isDisabled && endSessionsByUser(db, { accountId, ramId: id }, now),
    audit: audit(ctx, {
      action: isDisabled ? 'disable' : 'enable',
      target,
      message: `${isDisabled ? '停用' : '启用'}子账号“${target}”`,
      before: { status: user.ramStatus },
      after: { status },
    }),
    hubs: isDisabled && notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
}

/** Signs a sub-account out (强制下线); it may sign in again. */
export async function endRamSessions(ctx: Ctx, { id }: RamInput<'endSessions'>): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const user = await requireRamUser(ctx, id)
  const target = loginNameOf(user)
  await batch(db, {
    exists: guardRam(db, accountId, id),
    sessions: endSessionsByUser(db, { accountId, ramId: id }, now),
    audit: audit(ctx, { action: 'end_sessions', target, message: `强制子账号“${target}”下线` }),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
}
