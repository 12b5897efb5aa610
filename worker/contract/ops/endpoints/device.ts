import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { codeString } from '#contract/kernel/fields.ts'
import { charactersOf } from '#contract/kernel/input/input-sentence.ts'

/** Print of a box. `claim_path` behind the address of a console is the link of its QR code. */
const label = z.object({ serial: z.string(), activation_code: z.string(), claim_path: z.string() })

/** Operator's endpoints of devices. */
export const deviceOps = {
  provisionDevice: write('device/provision', 'operator:admin', {
    summary: 'Register a device; the activation code is shown once',
    input: z.object({
      serial: codeString()
        .regex(/^[A-Z0-9][A-Z0-9-]{5,31}$/, charactersOf(/[A-Z0-9-]/, '序列号为6-32位大写字母、数字和连字符'))
        .optional(),
      model: codeString().min(1).max(64),
    }),
    output: label,
    example: { serial: 'NL-R100-0001', model: 'NL-R220' },
  }),
  resetDevice: write('device/reset', 'operator:admin', {
    summary: 'Forget the pinned key and print a new activation code',
    input: z.object({ serial: codeString().min(1).max(64) }),
    output: label,
    example: { serial: 'NL-R100-0001' },
  }),
} as const
