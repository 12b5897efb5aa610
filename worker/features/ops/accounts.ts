import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { usernameProblem } from '#contract/kernel/fields.ts'
import { phoneProblem, phoneText } from '#contract/kernel/input/phone.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { USERNAME_TAKEN, accountIdSql, checkTaken, insertAccount, selectTaken } from '#features/account/sql/accounts.ts'
import { batch } from '#db/batch.ts'
import { endClientSessionsOfAccount } from '#features/client/sql/sessions.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { updateNetworkStatus } from '#features/network/sql/status.ts'
import { refreshSoftwareServers } from '#features/network-fr/sql/nodes.ts'
import { endSessionsByUser } from '#features/login/sql/sessions.ts'
import { checkPassword } from '#domain/account/password.ts'
import { MAIN_HOST, hostOfAccount, listedHost, toConsoleOrigin } from '#domain/site/brand.ts'
import { endSignInsOfSources, sourcesOf } from '#features/auth-source/sql.ts'
import { insertRole, selectRoleByName } from '#features/ram-role/sql.ts'
import { insertRam, selectRamByName } from '#features/ram/sql.ts'
import type { Ctx } from '#http/context.ts'
import { hashInPool, provenClient } from '#http/hash-client.ts'
import { newHubName } from '#security/hub-name.ts'
import { tokenLinkHash } from '#security/one-time.ts'
import { randomId, randomToken } from '#security/secrets.ts'
import { operatorAudit } from './audit.ts'
import {
  insertServiceIfNew,
  insertTokenLink,
  roleIdSql,
  selectAccount,
  selectService,
  softwareIds,
  updateAccountStatus,
  updateService,
  updateFeatures,
} from './sql/accounts.ts'

/* Operator's work on customers' accounts: creation, status, services, sub-accounts, token links, flags, host. */

type OpsInput<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>
type Answer<K extends keyof typeof opsApi> = Output<(typeof opsApi)[K]>

const TAKEN = {
  ...USERNAME_TAKEN,
  'accounts.area_code': violation('PHONE_TAKEN'),
  'accounts.email': violation('EMAIL_TAKEN'),
  'accounts.sign': violation('SIGN_TAKEN'),
}

export async function createAccount(ctx: Ctx, input: OpsInput<'createAccount'>): Promise<Answer<'createAccount'>> {
  const { db, env, now } = ctx
  const { username, nickname, email, sign } = input
  const phone = input.phone === null ? null : phoneText(input.area_code, input.phone)
  const host = requireHost(input.host)
  const problem = phone === null ? null : phoneProblem(input.area_code, phone)
  if (problem) refuse('INPUT_INVALID', { reason: problem }, 'phone')
  const nameProblem = usernameProblem(username, phone === null ? null : `+${input.area_code} ${phone}`)
  if (nameProblem) refuse('INPUT_INVALID', { reason: nameProblem }, 'username')
  throwIf(checkPassword(input.password, { names: [username, nickname, email], phone }))
  const columns = { areaCode: input.area_code, phone, email: email?.toLowerCase() ?? null, sign }
  throwIf(checkTaken(await selectTaken(db, { username, ...columns }), TAKEN))
  const write = batch(db, {
    accounts: insertAccount(db, {
      username,
      nickname,
      password: await hashInPool(ctx.passwords, provenClient(ctx, `create:${username}`), input.password),
      ...columns,
      quagga: input.quagga,
      quaggaAdvanced: input.quagga_advanced,
      defaultRoute: input.default_route,
      softwareAuthSource: input.software_auth_source,
      hub: newHubName(input.place ?? env.HUB_PLACE ?? 'default'),
      host,
      createdAt: now,
    }),
    audit: operatorAudit(ctx, accountIdSql(username), {
      action: 'account/create',
      target: username,
      message: '运营创建账号',
    }),
  })
  const { accounts } = await mapUniqueViolation(write, TAKEN)
  return { account_id: accounts[0]?.id ?? refuse('ACCOUNT_NOT_FOUND') }
}

/**
 * Disables or enables an account. A disabled one is signed out within a second, with its sub-accounts and software members.
 * Documents of centres and nodes leave these members out until the account is enabled again.
 */
export async function setAccountStatus(ctx: Ctx, { account, status }: OpsInput<'setAccountStatus'>): Promise<void> {
  const { db, now } = ctx
  const { id, hub, status: before } = await requireAccount(ctx, account)
  const isDisabled = status === 0
  const entry = {
    action: 'account/status',
    target: account,
    message: isDisabled ? '运营停用账号' : '运营启用账号',
    before: { status: before },
    after: { status },
  }
  await batch(db, {
    account: updateAccountStatus(db, id, status),
    sessions: isDisabled && endSessionsByUser(db, { accountId: id }, now),
    clients: isDisabled && endClientSessionsOfAccount(db, id, now),
    audit: operatorAudit(ctx, id, entry),
    servers: refreshSoftwareServers(ctx, softwareIds(id)),
    hubs: notifyHubs(ctx, isDisabled ? refreshTasks('account', [hub]) : []),
  })
}

/** Adds or renews a service: one with the same kind and name is renewed. */
export async function setService(ctx: Ctx, input: OpsInput<'setService'>): Promise<Answer<'setService'>> {
  const { db, now } = ctx
  const { kind, name, quantity, start_time: startAt, expired_time: expireAt } = input
  if (expireAt <= startAt) refuse('INPUT_INVALID', { reason: '到期时间必须晚于开始时间' }, 'expired_time')
  const { id: accountId, hub } = await requireAccount(ctx, input.account)
  const after = { kind, name, quantity, startAt, expireAt }
  const { services } = await batch(db, {
    updated: updateService(db, { accountId, ...after }),
    inserted: insertServiceIfNew(db, { accountId, ...after }),
    services: selectService(db, accountId, kind, name),
    status: updateNetworkStatus(db, accountId, now),
    audit: operatorAudit(ctx, accountId, {
      action: 'service/set',
      target: name,
      message: `运营设置服务“${name}”`,
      after,
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  return { service_id: services[0]?.id ?? refuse('ACCOUNT_NOT_FOUND') }
}

export async function createRam(ctx: Ctx, input: OpsInput<'createRam'>): Promise<Answer<'createRam'>> {
  const { db, now } = ctx
  const { username, nickname, role, flags, networks } = input
  throwIf(checkPassword(input.password, { names: [username, nickname] }))
  const owner = accountIdSql(input.account)
  const found = await batch(db, {
    accounts: selectAccount(db, input.account),
    roles: selectRoleByName(db, owner, role),
    rams: selectRamByName(db, owner, username),
  })
  const { id: accountId, ramDomain } = found.accounts[0] ?? refuse('ACCOUNT_NOT_FOUND')
  if (found.roles.length > 0) return refuse('RAM_ROLE_TAKEN')
  if (found.rams.length > 0) return refuse('RAM_NAME_TAKEN')
  const loginName = `${username}@${ramDomain}`
  const write = batch(db, {
    role: insertRole(db, {
      accountId,
      name: role,
      flags: JSON.stringify(flags),
      networks: networks && JSON.stringify(networks),
      createdAt: now,
      updatedAt: now,
    }),
    rams: insertRam(db, {
      id: randomId(),
      accountId,
      roleId: roleIdSql(accountId, role),
      username,
      nickname,
      password: await hashInPool(ctx.passwords, provenClient(ctx, `create:${loginName}`), input.password),
      createdAt: now,
    }),
    audit: operatorAudit(ctx, accountId, {
      action: 'ram/create',
      target: loginName,
      message: '运营创建子账号',
      after: { role, flags, networks },
    }),
  })
  const { rams } = await mapUniqueViolation(write, {
    'ram_roles.account_id': violation('RAM_ROLE_TAKEN'),
    'ram_accounts.account_id': violation('RAM_NAME_TAKEN'),
  })
  return { ram_id: rams[0]?.id ?? refuse('ACCOUNT_NOT_FOUND'), login_name: loginName }
}

/** Origin of a console's address; null if its host is not listed. Names and http of this machine are for local runs. */
function consoleOrigin({ env }: Ctx, wanted: string): string | null {
  const { protocol, hostname, origin } = new URL(wanted)
  const isLoopback = hostname === 'localhost' || hostname === '127.0.0.1'
  const isOpen = isLoopback ? env.ENVIRONMENT === 'local' : protocol === 'https:'
  return isOpen && /^https?:$/.test(protocol) && listedHost(hostname) !== null ? origin : null
}

/** Makes a token link. It uses a configured host, never the request's Host header. */
export async function createTokenLink(ctx: Ctx, input: OpsInput<'tokenLink'>): Promise<Answer<'tokenLink'>> {
  const { db, env, now } = ctx
  const wanted = input.origin === undefined ? undefined : (consoleOrigin(ctx, input.origin) ?? refuse('HOST_UNKNOWN'))
  const { id: accountId, host } = await requireAccount(ctx, input.account)
  const origin = wanted ?? toConsoleOrigin(hostOfAccount(host))
  const token = randomToken(32)
  const expiresAt = now + input.minutes * 60_000
  await batch(db, {
    link: insertTokenLink(db, { tokenHash: await tokenLinkHash(env.HMAC_SECRET, token), accountId, expiresAt }),
    audit: operatorAudit(ctx, accountId, {
      action: 'login/token_link',
      target: input.account,
      message: '运营签发授权链接',
    }),
  })
  return { url: `${origin}/login?token=${token}`, expires_at: expiresAt }
}

export const requireAccount = (ctx: Ctx, username: string) =>
  requireRow(selectAccount(ctx.db, username), 'ACCOUNT_NOT_FOUND')

const requireHost = (host: string = MAIN_HOST): string => listedHost(host) ?? refuse('HOST_UNKNOWN', {}, 'host')

/**
 * Sets flags of an account. No setting or document changes: without its flag a setting can only be turned off
 * (domain/network/routing/routing.ts). Turning off auth sources signs out the people who used them.
 */
export async function setAccountFlags(ctx: Ctx, { account, ...given }: OpsInput<'setAccountFlags'>): Promise<void> {
  const { features: before, id } = await requireAccount(ctx, account)
  const after = { ...before, ...given }
  const isSourceOff = before.software_auth_source === 1 && after.software_auth_source === 0
  await batch(ctx.db, {
    account: updateFeatures(ctx.db, id, {
      quagga: after.quagga,
      quaggaAdvanced: after.quagga_advanced,
      defaultRoute: after.default_route,
      softwareAuthSource: after.software_auth_source,
    }),
    ...(isSourceOff && endSignInsOfSources(ctx, id, sourcesOf(id), violation('AUTH_SOURCE_OFF'))),
    audit: operatorAudit(ctx, id, {
      action: 'account/flags',
      target: account,
      message: '运营调整账号功能',
      before,
      after,
    }),
  })
}

export async function setDnsQuantity(ctx: Ctx, { account, quantity }: OpsInput<'setDnsQuantity'>): Promise<void> {
  const { id, dnsQuantity } = await requireAccount(ctx, account)
  await batch(ctx.db, {
    account: updateFeatures(ctx.db, id, { dnsQuantity: quantity }),
    audit: operatorAudit(ctx, id, {
      action: 'account/dns_quantity',
      target: account,
      message: `运营将DNS地址数量调整为${quantity}个`,
      before: { dns_quantity: dnsQuantity },
      after: { dns_quantity: quantity },
    }),
  })
}

/** Sets the host in future mails, SMS and links. */
export async function setAccountHost(ctx: Ctx, { account, host }: OpsInput<'setAccountHost'>): Promise<void> {
  const listed = requireHost(host)
  const { id, host: before } = await requireAccount(ctx, account)
  await batch(ctx.db, {
    account: updateFeatures(ctx.db, id, { host: listed }),
    audit: operatorAudit(ctx, id, {
      action: 'account/host',
      target: account,
      message: `运营将账号所属域名调整为${listed}`,
      before: { host: hostOfAccount(before) },
      after: { host: listed },
    }),
  })
}
