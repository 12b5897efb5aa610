import * as z from 'zod'
import { time, wireBoolean } from '#contract/kernel/fields.ts'
import { LDAP, LDAP_MODES, RUN_PHASES } from './limits.ts'

export const counts = z.object({
  added: z.int(),
  changed: z.int(),
  disabled: z.int(),
  enabled: z.int(),
  conflicts: z.int(),
  removable: z.int(),
})
export const certificate = z.object({ subject: z.string(), issuer: z.string(), expire_time: time })
export const run = z.object({
  /** `running`, `asking`, `done` or `failed`. */
  state: z.enum(['running', 'asking', 'done', 'failed']),
  phase: z.enum(RUN_PHASES),
  done: z.int(),
  total: z.int(),
})
const result = z.object({ uuid: z.string(), ok: wireBoolean, msg: z.string() })
/** Imported members that the associated network did not take, and why. */
export const outside = z.object({ outside: z.int(), reason: z.string() })
export const applied = counts.extend({ ...outside.shape, result: z.array(result) })
export const hash = z.string().max(64).default('')
/** UUID of a user, or a list of them. */
export const uuid = z
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

/** The configuration (directory 3) without its password. */
export const ldapConfig = z.object({
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
