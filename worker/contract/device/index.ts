import * as z from 'zod'
import { codeString } from '#contract/kernel/fields.ts'
import { groupedCode } from '#contract/kernel/input/typed-text.ts'
import { write, read } from '#contract/kernel/endpoint.ts'

/** Endpoints of devices, mounted at /device/v1. Frames of the socket are in worker/contract/kernel/protocol.ts. */
export const deviceApi = {
  enrol: write('enrol', 'public', {
    limit: 'enrol',
    summary: 'Register the key of a device, once, with the activation code printed on it',
    input: z.object({
      serial: codeString().min(1, '缺少序列号').max(64, '序列号过长'),
      activation_code: z.string().overwrite(groupedCode).min(1, '缺少激活码').max(32, '激活码过长'),
      public_key: z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string().regex(/^[\w-]{43}$/, '公钥格式不正确'),
      }),
    }),
    example: {
      serial: 'NL-R220-0001',
      activation_code: 'AAAA-BBBB-CCCC',
      public_key: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) },
    },
  }),
  /** Needs `Authorization: Bearer` with an EdDSA JWT of the device. Upgrade opens the socket; others get the refusal. */
  connect: read('connect', 'public', {
    summary: 'Open the socket of a device',
  }),
  /** The same, with the ticket of a `tunnel` frame in a separate header (tunnel-frames.ts). */
  tunnel: read('tunnel', 'public', {
    summary: 'Open the socket of a tunnel to a directory',
  }),
} as const
