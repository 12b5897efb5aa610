import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { areaCode, email, wireBoolean, nickname, nothing, password, sign, username } from '../fields.ts'
import { accountTarget } from './account-target.ts'

/** Location hints and jurisdictions of Durable Objects. Objects never move, so it is chosen once. */
const hubPlace = z.enum(['default', 'wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me', 'eu', 'fedramp'])

export const accountOps = {
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
      quagga: wireBoolean.default(0),
      quagga_advanced: wireBoolean.default(0),
      default_route: wireBoolean.default(0),
      software_auth_source: wireBoolean.default(0),
      place: hubPlace.optional(),
    }),
    output: z.object({ account_id: z.int() }),
    example: { username: 'company01', nickname: '示例公司', password: 'Weilai26' },
  }),
  setAccountStatus: endpoint({
    method: 'POST',
    path: 'account/status',
    access: 'operator',
    summary: 'Disable or enable an account; disabling ends its sessions',
    input: accountTarget.extend({ status: wireBoolean }),
    output: nothing,
    done: 'set',
    example: { account: 'company01', status: 0 },
  }),
} as const
