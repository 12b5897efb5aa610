import { violation, Refusal, refuse } from '../../contract/errors.ts'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import { phoneProblem } from '../../contract/fields.ts'
import type { opsApi } from '../../contract/ops.ts'
import { refusingTaken } from '../../db/guard.ts'
import { readContact } from '../../domain/account/contact.ts'
import type { Ctx } from '../../http/context.ts'
import { hashPassword } from '../../security/password.ts'
import { randomToken } from '../../security/secrets.ts'
import { USERNAME_TAKEN, accountIdNamed, insertAccount } from '../account/queries.ts'
import { auditRow, operatorFor } from '../audit/queries.ts'
import { endSessionsOf, insertTokenLink, tokenLinkHash } from '../login/queries.ts'
import { recomputeNetworkStatus } from '../network/queries.ts'
import { insertRam, insertRole, roleIdNamed } from '../ram/queries.ts'
import { consoleOrigin } from '../../http/hosts.ts'
import * as queries from './queries.ts'

type Given<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>
type Answer<K extends keyof typeof opsApi> = Output<(typeof opsApi)[K]>

export async function createAccount(ctx: Ctx, input: Given<'createAccount'>): Promise<Answer<'createAccount'>> {
  const { db, now } = ctx
  const { username, nickname, phone, email, sign } = input
  const problem = phone === null ? null : phoneProblem(input.area_code, phone)
  if (problem) throw new Refusal(violation('INPUT_INVALID', { reason: problem }, 'phone'))
  const [[created]] = await refusingTaken(
    db.batch([
      insertAccount(db, {
        username,
        nickname,
        password: await hashPassword(input.password),
        areaCode: input.area_code,
        phone,
        email: email && (readContact('email', email).columns.email ?? null),
        sign,
        quagga: input.quagga,
        quaggaAdvanced: input.quagga_advanced,
        defaultRoute: input.default_route,
        softwareAuthSource: input.software_auth_source,
        createdAt: now,
      }),
      auditRow(
        ctx,
        { module: 'ops', action: 'account/create', target: username, message: '运营创建账号' },
        operatorFor(accountIdNamed(username)),
      ),
    ]),
    {
      ...USERNAME_TAKEN,
      'accounts.area_code': violation('PHONE_TAKEN'),
      'accounts.email': violation('EMAIL_TAKEN'),
      'accounts.sign': violation('SIGN_TAKEN'),
    },
  )
  return { account_id: created?.id ?? refuse('ACCOUNT_NOT_FOUND') }
}

/** A disabled account is out within a second, its sub-accounts too. */
export async function setAccountStatus(ctx: Ctx, { account, status }: Given<'setAccountStatus'>): Promise<void> {
  const { db, hubs, now } = ctx
  const { id, status: before } = await accountNamed(ctx, account)
  const entry = {
    module: 'ops',
    action: 'account/status',
    target: account,
    message: status === 1 ? '运营启用账号' : '运营停用账号',
    before: { status: before },
    after: { status },
  }
  const write = [queries.setAccountStatus(db, id, status), auditRow(ctx, entry, operatorFor(id))] as const
  if (status === 1) return void (await db.batch(write))
  const [, , ended] = await db.batch([...write, endSessionsOf(db, { accountId: id }, now)])
  ctx.waitUntil(hubs.account(id).endSessions(ended.map((session) => session.id)))
}

export async function setService(ctx: Ctx, input: Given<'setService'>): Promise<Answer<'setService'>> {
  const { db, now } = ctx
  const { kind, name, quantity, start_time: startAt, expired_time: expireAt } = input
  if (expireAt <= startAt) {
    throw new Refusal(violation('INPUT_INVALID', { reason: '到期时间必须晚于开始时间' }, 'expired_time'))
  }
  const { id: accountId } = await accountNamed(ctx, input.account)
  const after = { kind, name, quantity, startAt, expireAt }
  const [, , [service]] = await db.batch([
    ...queries.setService(db, { accountId, ...after }),
    recomputeNetworkStatus(db, accountId, now),
    auditRow(
      ctx,
      { module: 'ops', action: 'service/set', target: name, message: `运营设置服务“${name}”`, after },
      operatorFor(accountId),
    ),
  ])
  return { service_id: service?.id ?? refuse('ACCOUNT_NOT_FOUND') }
}

export async function createRam(ctx: Ctx, input: Given<'createRam'>): Promise<Answer<'createRam'>> {
  const { db, now } = ctx
  const { id: accountId, ramDomain } = await accountNamed(ctx, input.account)
  const { username, nickname, role, flags, networks } = input
  const loginName = `${username}@${ramDomain}`
  const [, [ram]] = await refusingTaken(
    db.batch([
      insertRole(db, {
        accountId,
        name: role,
        flags: JSON.stringify(flags),
        networks: networks && JSON.stringify(networks),
        createdAt: now,
        updatedAt: now,
      }),
      insertRam(db, {
        accountId,
        roleId: roleIdNamed(accountId, role),
        username,
        nickname,
        password: await hashPassword(input.password),
        createdAt: now,
      }),
      auditRow(
        ctx,
        {
          module: 'ops',
          action: 'ram/create',
          target: loginName,
          message: '运营创建子账号',
          after: { role, flags, networks },
        },
        operatorFor(accountId),
      ),
    ]),
    { 'ram_roles.account_id': violation('RAM_ROLE_TAKEN'), 'ram_accounts.account_id': violation('RAM_NAME_TAKEN') },
  )
  return { ram_id: ram?.id ?? refuse('ACCOUNT_NOT_FOUND'), login_name: loginName }
}

/** The link is made for a host we know, never for whatever host was asked. */
export async function createTokenLink(ctx: Ctx, input: Given<'tokenLink'>): Promise<Answer<'tokenLink'>> {
  const { db, env, now } = ctx
  const origin = consoleOrigin(input.origin) ?? refuse('HOST_UNKNOWN')
  const { id: accountId } = await accountNamed(ctx, input.account)
  const token = randomToken(32)
  const expiresAt = now + input.minutes * 60_000
  await db.batch([
    insertTokenLink(db, { tokenHash: await tokenLinkHash(env.HMAC_SECRET, token), accountId, expiresAt }),
    auditRow(
      ctx,
      { module: 'ops', action: 'login/token_link', target: input.account, message: '运营签发授权链接' },
      operatorFor(accountId),
    ),
  ])
  return { url: `${origin}/login?token=${token}`, expires_at: expiresAt }
}

/** Site message to one account; its open consoles hear of it. */
export async function sendMessage(ctx: Ctx, input: Given<'sendMessage'>): Promise<Answer<'sendMessage'>> {
  const { db, hubs, now } = ctx
  const { account, title, content, type } = input
  const { id: accountId } = await accountNamed(ctx, account)
  const [[message]] = await db.batch([
    queries.insertMessage(db, { accountId, eventId: `ops:${randomToken(12)}`, type, title, content, createdAt: now }),
    auditRow(
      ctx,
      { module: 'ops', action: 'message/send', target: title, message: `运营发送消息“${title}”` },
      operatorFor(accountId),
    ),
  ])
  ctx.waitUntil(hubs.account(accountId).noticesChanged())
  return { message_id: message?.id ?? refuse('ACCOUNT_NOT_FOUND') }
}

async function accountNamed(ctx: Ctx, username: string) {
  const [row] = await queries.accountNamed(ctx.db, username)
  return row ?? refuse('ACCOUNT_NOT_FOUND')
}
