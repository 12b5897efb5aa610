import { expect, it } from 'vitest'
import { ramApi } from '#contract/ram/index.ts'
import { useBrowserHarness } from './browser-harness.ts'
import { useOps } from './ops.ts'

const { origin, visitor } = useBrowserHarness()
const ops = useOps(origin)

it('a browser that still sends a large body reads the refusal, not a reset connection', async () => {
  const { username } = await ops.newAccount()
  const token = await ops.signIn(username)
  const page = await visitor()
  await page.goto('/terms')
  const send = (bytes: number) =>
    page.evaluate(
      async ([path, bearer, length]) => {
        const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
        const sent = fetch(path, { method: 'POST', headers, body: 'x'.repeat(length) })
        return sent.then((answer) => answer.json() as Promise<{ reason: string }>).catch((error) => String(error))
      },
      [`/api/v1/${ramApi.password.path}`, token, bytes] as const,
    )
  for (const bytes of [1_000, 200_000, 900_000, 1_900_000, 2_097_152])
    expect([bytes, await send(bytes)]).toMatchObject([bytes, { reason: 'PERMISSION_DENIED' }])
})
