import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'

/* Tables of accounts: services, roles, sub-accounts, sessions, sign-in secrets, audit, local outbox. */

export const accounts = sqliteTable('accounts', {
  id: integer('id').primaryKey(),
  username: text('username').notNull(),
  nickname: text('nickname').notNull(),
  password: text('password').notNull(),
  areaCode: text('area_code').notNull().default('86'),
  phone: text('phone'),
  email: text('email'),
  sign: text('sign'),
  ramDomain: text('ram_domain').notNull(),
  birthday: text('birthday'),
  industry: text('industry'),
  occupation: text('occupation'),
  status: integer('status').notNull().default(1),
  quagga: integer('quagga').notNull().default(0),
  quaggaAdvanced: integer('quagga_advanced').notNull().default(0),
  defaultRoute: integer('default_route').notNull().default(0),
  softwareAuthSource: integer('software_auth_source').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  hub: text('hub').notNull().default(''),
  dnsQuantity: integer('dns_quantity').notNull().default(2),
  host: text('host').notNull().default(''),
  ramTotpRequired: integer('ram_totp_required').notNull().default(0),
})

export const services = sqliteTable('services', {
  ...ownedRow,
  kind: text('kind', { enum: ['network_member', 'center', 'software_member', 'sub_account', 'bandwidth'] }).notNull(),
  name: text('name').notNull(),
  quantity: integer('quantity').notNull(),
  startAt: integer('start_at').notNull(),
  expireAt: integer('expire_at').notNull(),
  warnAt: integer('warn_at').default(0),
})

export const serviceWarnings = sqliteTable('service_warnings', {
  id: integer('id').primaryKey(),
  serviceId: integer('service_id').notNull(),
  expireAt: integer('expire_at').notNull(),
  days: integer('days').notNull(),
  accountId: integer('account_id').notNull(),
  at: integer('at').notNull(),
})

export const dismissedSteps = sqliteTable('dismissed_steps', {
  ...ownedRow,
  step: text('step').notNull(),
  dismissedAt: integer('dismissed_at').notNull(),
})

export const ramRoles = sqliteTable('ram_roles', {
  ...ownedRow,
  name: text('name').notNull(),
  note: text('note').notNull().default(''),
  flags: text('flags').notNull().default('[]'),
  networks: text('networks'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const ramAccounts = sqliteTable('ram_accounts', {
  ...ownedRow,
  roleId: integer('role_id').notNull(),
  username: text('username').notNull(),
  nickname: text('nickname').notNull(),
  password: text('password').notNull(),
  status: integer('status').notNull().default(1),
  createdAt: integer('created_at').notNull(),
  loginAt: integer('login_at'),
})

export const sessions = sqliteTable('sessions', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  ramId: integer('ram_id'),
  version: integer('version').notNull().default(1),
  refreshHash: text('refresh_hash').notNull(),
  rotatedAt: integer('rotated_at').notNull(),
  ip: text('ip').notNull(),
  userAgent: text('user_agent').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  endedAt: integer('ended_at'),
  refreshParent: text('refresh_parent').notNull().default(''),
  provedUntil: integer('proved_until').notNull().default(0),
  host: text('host').notNull().default(''),
  place: text('place').notNull().default(''),
  refreshAt: integer('refresh_at').notNull().default(0),
  refreshIp: text('refresh_ip').notNull().default(''),
  refreshPlace: text('refresh_place').notNull().default(''),
})

export const signInOrigins = sqliteTable('sign_in_origins', {
  ...ownedRow,
  ramId: integer('ram_id'),
  person: text('person').notNull(),
  kind: text('kind', { enum: ['device', 'place'] }).notNull(),
  value: text('value').notNull(),
  seenAt: integer('seen_at').notNull(),
})

export const tokenLinks = sqliteTable('token_links', {
  tokenHash: text('token_hash').primaryKey(),
  accountId: integer('account_id').notNull(),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
})

export const captchas = sqliteTable('captchas', {
  uniqid: text('uniqid').primaryKey(),
  purpose: text('purpose').notNull(),
  answer: text('answer').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export const codes = sqliteTable('codes', {
  id: integer('id').primaryKey(),
  purpose: text('purpose').notNull(),
  target: text('target').notNull(),
  accountId: integer('account_id'),
  answer: text('answer').notNull(),
  tries: integer('tries').notNull().default(0),
  ip: text('ip').notNull(),
  sentAt: integer('sent_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
  owner: text('owner').notNull().default(''),
  sender: text('sender').notNull().default(''),
})

export const recoveries = sqliteTable('recoveries', {
  uniqid: text('uniqid').primaryKey(),
  accountId: integer('account_id'),
  step: text('step', { enum: ['found', 'verified', 'done'] }).notNull(),
  expiresAt: integer('expires_at').notNull(),
  name: text('name').notNull().default(''),
})

export const attempts = sqliteTable('attempts', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  windowEnd: integer('window_end').notNull(),
})

export const auditLogs = sqliteTable('audit_logs', {
  ...ownedRow,
  actorKind: text('actor_kind', { enum: ['main', 'ram', 'operator', 'system'] }).notNull(),
  actorId: integer('actor_id'),
  actorName: text('actor_name').notNull(),
  module: text('module').notNull(),
  action: text('action').notNull(),
  target: text('target').notNull(),
  message: text('message').notNull(),
  before: text('before'),
  after: text('after'),
  ip: text('ip').notNull(),
  requestId: text('request_id').notNull(),
  at: integer('at').notNull(),
})

export const outbox = sqliteTable('outbox', {
  id: integer('id').primaryKey(),
  kind: text('kind', { enum: ['mail', 'sms', 'captcha'] }).notNull(),
  recipient: text('recipient').notNull(),
  uniqid: text('uniqid').notNull().default(''),
  code: text('code').notNull().default(''),
  subject: text('subject').notNull().default(''),
  body: text('body').notNull().default(''),
  at: integer('at').notNull(),
})

export const totpFactors = sqliteTable('totp_factors', {
  person: text('person').primaryKey(),
  accountId: integer('account_id').notNull(),
  ramId: integer('ram_id'),
  secretSealed: text('secret_sealed').notNull(),
  lastStep: integer('last_step').notNull(),
  enrolledAt: integer('enrolled_at').notNull(),
})

export const savedViews = sqliteTable('saved_views', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  ramId: integer('ram_id'),
  person: text('person').notNull(),
  list: text('list', { enum: ['router', 'network'] }).notNull(),
  name: text('name').notNull(),
  query: text('query').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const totpRecoveryCodes = sqliteTable('totp_recovery_codes', {
  id: integer('id').primaryKey(),
  person: text('person').notNull(),
  accountId: integer('account_id').notNull(),
  codeHash: text('code_hash').notNull(),
  usedAt: integer('used_at'),
})

export const loginTickets = sqliteTable('login_tickets', {
  ticketHash: text('ticket_hash').primaryKey(),
  purpose: text('purpose', { enum: ['verify', 'enrol'] }).notNull(),
  way: text('way', { enum: ['password', 'link'] }).notNull(),
  person: text('person').notNull(),
  accountId: integer('account_id').notNull(),
  ramId: integer('ram_id'),
  credential: text('credential').notNull(),
  tries: integer('tries').notNull().default(0),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
})
