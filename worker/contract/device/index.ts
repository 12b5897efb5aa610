import * as z from 'zod'
import { endpoint } from '#contract/kernel/endpoint.ts'
import { empty, nothing } from '#contract/kernel/fields.ts'

/** Calls of devices, mounted at /device/v1. The socket speaks worker/contract/kernel/protocol.ts. */
export const deviceApi = {
  enrol: endpoint({
    method: 'POST',
    path: 'enrol',
    access: 'public',
    summary: 'Register the key of a device, once, with the activation code printed on it',
    input: z.object({
      serial: z.string().trim().min(1, '缺少序列号').max(64, '序列号过长'),
      activation_code: z.string().trim().min(1, '缺少激活码').max(32, '激活码过长'),
      public_key: z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string().regex(/^[\w-]{43}$/, '公钥格式不正确'),
      }),
    }),
    output: nothing,
    example: {
      serial: 'NL-R220-0001',
      activation_code: 'AAAA-BBBB-CCCC',
      public_key: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) },
    },
  }),
  /** Authorization: Bearer, an EdDSA JWT of the device. With Upgrade the socket opens; without it the answer has the refusal. */
  connect: endpoint({
    method: 'GET',
    path: 'connect',
    access: 'public',
    summary: 'Open the socket of a device',
    input: empty,
    output: nothing,
    example: {},
  }),
  /** Likewise, with the ticket of a `tunnel` frame in its own header (tunnel-frames.ts). */
  tunnel: endpoint({
    method: 'GET',
    path: 'tunnel',
    access: 'public',
    summary: 'Open the socket of a tunnel to a directory',
    input: empty,
    output: nothing,
    example: {},
  }),
} as const
