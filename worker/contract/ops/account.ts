import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { areaCode, email, flag, nickname, nothing, password, sign, username } from '../fields.ts'
import { accountTarget } from './account-target.ts'

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
      quagga: flag.default(0),
      quagga_advanced: flag.default(0),
      default_route: flag.default(0),
      software_auth_source: flag.default(0),
    }),
    output: z.object({ account_id: z.int() }),
    example: { username: 'company01', nickname: '示例公司', password: 'secret1' },
  }),
  setAccountStatus: endpoint({
    method: 'POST',
    path: 'account/status',
    access: 'operator',
    summary: 'Disable or enable an account; disabling ends its sessions',
    input: accountTarget.extend({ status: flag }),
    output: nothing,
    done: 'set',
    example: { account: 'company01', status: 0 },
  }),
} as const
