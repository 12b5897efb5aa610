import { env, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'
import { connectOnlineDevice, createHubNetwork, isFrame, routerStub } from './support.ts'

it.each([
  ['a local run', { ENVIRONMENT: 'local', CONFIRM_S: '15' }, 15],
  ['a local run without the setting', { ENVIRONMENT: 'local' }, CONFIG_PUSH.confirmSeconds],
  ['a local run with another text', { ENVIRONMENT: 'local', CONFIRM_S: 'soon' }, CONFIG_PUSH.confirmSeconds],
  ['staging', { ENVIRONMENT: 'staging', CONFIRM_S: '15' }, CONFIG_PUSH.confirmSeconds],
  ['production', { ENVIRONMENT: 'production', CONFIRM_S: '15' }, CONFIG_PUSH.confirmSeconds],
])('CONFIRM_S shortens the trial of a document in a local run only: %s', async (_, variables, seconds) => {
  const [point] = (await createHubNetwork(1)).points
  await runInDurableObject(routerStub(point!), (hub) => {
    Object.defineProperty(hub, 'env', { value: { ...env, ...variables } })
  })
  const device = await connectOnlineDevice(point!)
  expect(await device.next(isFrame('config'))).toMatchObject({ confirm_s: seconds })
})
