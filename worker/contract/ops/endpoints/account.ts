import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import {
  areaCode,
  confirmed,
  dottedString,
  email,
  wireBoolean,
  nickname,
  numeric,
  password,
  sign,
  time,
  username,
} from '#contract/kernel/fields.ts'
import { HUB_KINDS, JURISDICTIONS, LOCATION_HINTS } from '#contract/kernel/hubs.ts'
import { NETWORK } from '#contract/network/limits.ts'

/* Operator's endpoints of accounts: create, disable, features, brand, limits, export, erasure. */

/** Account of an operator's call, by its sign-in name. */
export const accountTarget = z.object({ account: username })

/** Features that an account may use beyond the base set. */
const flags = {
  quagga: wireBoolean,
  quagga_advanced: wireBoolean,
  default_route: wireBoolean,
  software_auth_source: wireBoolean,
}

/** Location hints and jurisdictions of Durable Objects. Objects never move: another place is another object. */
export const hubPlace = z.enum(['default', ...LOCATION_HINTS, ...JURISDICTIONS])

/** Cursor of an export: value of the sorted column, and id of the row. */
const rowCursor = z.string().regex(/^\d{1,16}:\d{1,16}$/)

export const accountOps = {
  createAccount: write('account/create', 'operator:admin', {
    summary: 'Create an account',
    input: z.object({
      username,
      nickname,
      password,
      area_code: areaCode,
      phone: z.string().nullable().default(null),
      email: email.nullable().default(null),
      sign: sign.nullable().default(null),
      quagga: flags.quagga.default(0),
      quagga_advanced: flags.quagga_advanced.default(0),
      default_route: flags.default_route.default(0),
      software_auth_source: flags.software_auth_source.default(0),
      place: hubPlace.optional(),
      host: dottedString().max(253).optional(),
    }),
    output: z.object({ account_id: z.int() }),
    example: { username: 'company01', nickname: '示例公司', password: 'Weilai26' },
  }),
  setAccountStatus: write('account/status', 'operator:admin', {
    summary: 'Disable or enable an account; disabling ends its sessions',
    input: accountTarget.extend({ status: wireBoolean }),
    done: 'set',
    example: { account: 'company01', status: 0 },
  }),
  setAccountFlags: write('account/flags', 'operator:admin', {
    summary: 'Switch features of an account; without one, what is set stays and may only be turned off',
    input: accountTarget
      .extend(z.object(flags).partial().shape)
      .refine((given) => Object.keys(given).length > 1, '请至少指定一项功能'),
    done: 'set',
    example: { account: 'company01', quagga: 1 },
  }),
  setAccountHost: write('account/host', 'operator:admin', {
    summary: 'Whose brand an account’s mails, SMS and links carry: a host of infra/hosts.json',
    input: accountTarget.extend({ host: dottedString().min(1).max(253) }),
    done: 'set',
    example: { account: 'company01', host: 'console.netloom.cn' },
  }),
  resetTotp: write('account/totp_reset', 'operator:admin', {
    summary:
      'Remove the second factor of a main account whose owner has lost it; ends its sessions and mails the owner',
    input: accountTarget,
    done: 'set',
    example: { account: 'company01' },
  }),
  setDnsQuantity: write('account/dns_quantity', 'operator:admin', {
    summary: 'How many DNS addresses a network of an account may have; a longer list stays and may only get shorter',
    input: accountTarget.extend({ quantity: z.int().min(1).max(NETWORK.dnsMax) }),
    done: 'set',
    example: { account: 'company01', quantity: 4 },
  }),
  accountExport: write('account/export', 'operator:admin', {
    summary:
      'Begin an export of an account, and count what it has; npm run ops -- account-export --to <folder> makes it',
    input: accountTarget,
    output: z.object({
      account_id: z.int(),
      tables: z.array(z.object({ name: z.string(), rows: z.int() })),
    }),
    example: { account: 'company01' },
  }),
  accountExportRows: write('account/export_rows', 'operator:admin', {
    summary: 'Page of rows of an account, without secrets',
    input: accountTarget.extend({ table: z.string().regex(/^[a-z][a-z_]{0,63}$/), after: rowCursor.optional() }),
    output: z.object({
      rows: z.array(z.record(z.string(), z.union([z.string(), z.number()]).nullable())),
      next: rowCursor.nullable(),
    }),
    example: { account: 'company01', table: 'routers' },
  }),
  accountExportSeries: write('account/export_series', 'operator:admin', {
    summary: 'What one hub of an account keeps: traffic and links of a router, diagnoses of a network, alerts',
    input: accountTarget.extend({ kind: z.enum(HUB_KINDS), after: numeric(z.int().min(0)).default(0) }),
    output: z.object({ series: z.array(z.record(z.string(), z.unknown())), next: z.int().nullable() }),
    example: { account: 'company01', kind: 'router' },
  }),
  accountExportFile: write('account/export_file', 'operator:admin', {
    summary: 'A file of an account',
    input: accountTarget.extend({ key: z.string().regex(/^[0-9a-f]{32}$/) }),
    reply: 'file',
    example: { account: 'company01', key: '0'.repeat(32) },
  }),
  accountErase: write('account/erase', 'operator:admin', {
    summary: 'Erase an account with all rows, files and hubs; --confirm while it is enabled or devices are online',
    input: accountTarget.extend({
      confirm: confirmed,
      /** Number of the account, once its name is erased. */
      after: numeric(z.int().positive()).optional(),
    }),
    output: z.object({
      account_id: z.int(),
      /** Deleted by this call, without rows that went with their parents. */
      rows: z.int(),
      files: z.int(),
      /** Hubs that were deleted by this call, and those that have not answered. */
      hubs: z.int(),
      hubs_left: z.int(),
      done: wireBoolean,
      /** Number for the next call; null at the end, or if hubs do not answer and the cron goes on. */
      next: z.int().nullable(),
    }),
    example: { account: 'company01', confirm: 1 },
  }),
  accountErasures: read('account/erasures', 'operator:read', {
    summary: 'Erasures of accounts, the newest first: begin, end, by whom, and the hubs that are left',
    output: z.array(
      z.object({
        account_id: z.int(),
        started_at: time,
        started_by: z.string(),
        finished_at: time.nullable(),
        hubs_left: z.int(),
      }),
    ),
  }),
} as const
