import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { areaCode, email, flag, nickname, password, sign, time, username } from './fields.ts'
import { SERVICE_KINDS } from './limits.ts'
import { FLAGS } from './permissions.ts'

/** Operator calls, mounted at /ops/v1 under the operator's own token. */
const account = z.object({ account: username })

/** Location hints and jurisdictions of Durable Objects. Objects never move, so it is chosen once. */
const hubPlace = z.enum(['default', 'wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me', 'eu', 'fedramp'])

export const opsApi = {
  createAccount: endpoint({
    method: 'POST',
    path: 'account/create',
    access: 'operator',
    summary: 'Create an account',
    input: z.object({
      username,
      nickname,
      password,
      area_code: areaCode,
      phone: z.string().trim().nullable().default(null),
      email: email.nullable().default(null),
      sign: sign.nullable().default(null),
      quagga: flag.default(0),
      quagga_advanced: flag.default(0),
      default_route: flag.default(0),
      software_auth_source: flag.default(0),
      place: hubPlace.optional(),
    }),
    output: z.object({ account_id: z.int() }),
  }),
  setAccountStatus: endpoint({
    method: 'POST',
    path: 'account/status',
    access: 'operator',
    summary: 'Disable or enable an account; disabling ends its sessions',
    input: account.extend({ status: flag }),
    output: z.null(),
  }),
  setService: endpoint({
    method: 'POST',
    path: 'service/set',
    access: 'operator',
    summary: 'Give an account a service with quantity and term',
    input: account.extend({
      kind: z.enum(SERVICE_KINDS),
      name: z.string().trim().min(1).max(64),
      quantity: z.int().nonnegative(),
      start_time: time,
      expired_time: time,
    }),
    output: z.object({ service_id: z.int() }),
  }),
  createRam: endpoint({
    method: 'POST',
    path: 'ram/create',
    access: 'operator',
    summary: 'Create a sub-account with a role of its own',
    input: account.extend({
      username: z
        .string()
        .trim()
        .min(1)
        .max(18)
        .regex(/^[a-zA-Z0-9_.]+$/),
      nickname: z.string().trim().min(1).max(24),
      password,
      role: z.string().trim().min(1).max(32),
      flags: z.array(z.enum(FLAGS)),
      networks: z.array(z.string()).nullable().default(null),
    }),
    output: z.object({ ram_id: z.int(), login_name: z.string() }),
  }),
  provisionDevice: endpoint({
    method: 'POST',
    path: 'device/provision',
    access: 'operator',
    summary: 'Register a device; the activation code is shown once',
    input: z.object({
      serial: z
        .string()
        .trim()
        .regex(/^[A-Z0-9-]{6,32}$/)
        .optional(),
      model: z.string().trim().min(1).max(64),
    }),
    output: z.object({ serial: z.string(), activation_code: z.string() }),
  }),
  resetDevice: endpoint({
    method: 'POST',
    path: 'device/reset',
    access: 'operator',
    summary: 'Forget the pinned key and print a new activation code',
    input: z.object({ serial: z.string().trim().min(1).max(64) }),
    output: z.object({ serial: z.string(), activation_code: z.string() }),
  }),
  tokenLink: endpoint({
    method: 'POST',
    path: 'login/token_link',
    access: 'operator',
    summary: 'Single-use sign-in link, good for up to an hour',
    input: account.extend({
      minutes: z.int().min(1).max(60).default(60),
      /** Scheme and host of a console in infra/hosts.json; left out, the main one. */
      origin: z.url().optional(),
    }),
    output: z.object({ url: z.string(), expires_at: time }),
  }),
  publishAnnouncement: endpoint({
    method: 'POST',
    path: 'announcement/publish',
    access: 'operator',
    summary: 'Publish an announcement to every account',
    input: z.object({
      title: z.string().trim().min(1).max(80),
      tag: z.string().trim().max(12).default(''),
      content: z.string().trim().min(1).max(50_000),
    }),
    output: z.object({ id: z.int() }),
  }),
  sendMessage: endpoint({
    method: 'POST',
    path: 'message/send',
    access: 'operator',
    summary: 'Site message to one account',
    input: account.extend({
      title: z.string().trim().min(1).max(80),
      content: z.string().trim().min(1).max(10_000),
      type: z.string().max(16).default('系统'),
    }),
    output: z.object({ message_id: z.int() }),
  }),
} as const
