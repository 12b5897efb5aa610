import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { wireBoolean } from '#contract/kernel/fields.ts'
import { dialCodeText } from '#contract/kernel/input/phone.ts'

/* Operator's endpoints of the dial codes that SMS may go to. */

const dialCode = z
  .string()
  .overwrite(dialCodeText)
  .regex(/^[1-9]\d{0,2}$/, '请填写国家或地区的区号，例如 852')

const country = z.object({
  dial_code: z.string(),
  allowed: wireBoolean,
  daily_max: z.int(),
  sent_today: z.int(),
  /** Messages to contacts that were looked up by name: recoveries, notices, sign-ins of members. */
  sent_by_name_today: z.int(),
})

export const smsOps = {
  smsCountries: read('sms/countries', 'operator:read', {
    summary: 'Dial codes that SMS may go to, their daily ceiling and what was sent today; all others are closed',
    output: z.array(country),
  }),
  smsCountry: write('sms/country', 'operator:admin', {
    summary: 'Open or close a dial code for SMS, or set its daily ceiling',
    input: z
      .object({
        dial_code: dialCode,
        allowed: wireBoolean.optional(),
        daily_max: z.int().min(0).max(1_000_000).optional(),
      })
      .refine(({ allowed, daily_max }) => allowed !== undefined || daily_max !== undefined, '请指定是否开放或每日上限'),
    output: country,
    done: 'set',
    example: { dial_code: '852', daily_max: 200 },
  }),
} as const
