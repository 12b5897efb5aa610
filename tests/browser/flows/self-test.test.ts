import { expect, inject, it } from 'vitest'
import { run } from '#infra/local/processes.ts'
import { localSecrets } from '#infra/local/secrets.ts'

const selfTest = (token: string) =>
  run(process.execPath, ['infra/ops.ts', 'self-test'], {
    env: { ...process.env, NETLOOM_URL: inject('origin'), OPERATOR_TOKEN: token },
  })

it('the self-test of a release passes on the product that runs', async () => {
  const { code, output } = await selfTest(localSecrets().OPERATOR_TOKEN)
  const checks = ['release', 'guard', 'hub', 'socket', 'page'].map((name) => `  ${name.padEnd(8)} ok\n`)
  expect([code, output]).toEqual([0, `self-test of a local run\n${checks.join('')}`])
})

it('fails without the right token, and says which checks did', async () => {
  const { code, output } = await selfTest('wrong')
  expect(code).toBe(1)
  expect(output).toMatch(/guard +the Worker answered \d+ .*\n +hub +the Worker answered/)
  expect(output).toMatch(/socket +the socket closed with 1006\n +page +ok\n/)
})
