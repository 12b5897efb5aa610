import { env } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import type { Input } from '#contract/kernel/endpoint.ts'
import { encodeInput } from '#lib/call/encode-input.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { Answer, createTestWorker } from './test-worker.ts'

type Worker = Pick<ReturnType<typeof createTestWorker>, 'request'>
type Published = Partial<Input<typeof opsApi.publishRelease>>

export const sha256 = (bytes: string): string => createHash('sha256').update(bytes).digest('hex')

/** Publishes bytes as the operator's command line does. */
export async function publish(
  worker: Worker,
  bytes: string,
  over: Published = {},
  headers: Readonly<Record<string, string>> = {},
  body: BodyInit = bytes,
): Promise<Answer<{ id: number }>> {
  const input = { platform: 'windows', version: '1.0.0', name: 'client.msi', sha256: sha256(bytes), ...over }
  const response = await worker.request(
    `/ops/v1/${opsApi.publishRelease.path}${encodeInput(opsApi.publishRelease, input).query}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env.OPERATOR_TOKEN}`,
        'content-length': String(new TextEncoder().encode(bytes).length),
        ...headers,
      },
      body,
    },
  )
  const answer = await response.json<Answer<{ id: number }>>()
  return { ...answer, status: response.status }
}
