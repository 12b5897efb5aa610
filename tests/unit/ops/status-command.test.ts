import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { StatusLevel } from '#contract/ops/endpoints/status.ts'
import { run } from '#infra/local/processes.ts'

// The command itself, against a server that answers like the Worker.

async function runStatus(level: StatusLevel, ...words: string[]) {
  const asked: string[] = []
  const indicator = { name: 'outbox', level, value: '9 waiting', threshold: '1 stuck', runbook: 'queue-stuck' }
  const data = { level, release: 'v1', from: 0, to: 0, counters: 'kept', indicators: [indicator], releases: [] }
  const listening = createServer(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers.authorization}`)
    response.end(JSON.stringify({ code: 200, msg: '', data }))
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const NETLOOM_URL = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  const env = { ...process.env, NETLOOM_URL, OPERATOR_TOKEN: 't' }
  const result = await run(process.execPath, ['infra/ops.ts', 'status', ...words], { env })
  listening.close()
  return { ...result, asked }
}

it.each([
  ['ok', 0],
  ['unknown', 0],
  ['warn', 0],
  ['bad', 1],
] as const)('npm run ops -- status of %s exits with %i', async (level, code) => {
  const result = await runStatus(level)
  expect(result.code).toBe(code)
  expect(result.output).toContain('outbox      9 waiting')
  expect(result.output.includes('infra/docs/operate.md#queue-stuck')).toBe(level === 'warn' || level === 'bad')
  expect(result.asked).toEqual(['/ops/v1/status?span_s=300&ago_s=0 Bearer t'])
})

it('npm run ops -- status takes another time, and refuses what it does not know', async () => {
  expect((await runStatus('ok', '--span-s', '60')).asked).toEqual(['/ops/v1/status?span_s=60&ago_s=0 Bearer t'])
  const unknown = await runStatus('ok', '--often', '3')
  expect([unknown.code, unknown.output.trim()]).toEqual([1, '--often: unknown option'])
})
