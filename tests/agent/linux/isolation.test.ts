import { expect, it } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { LinuxDriver } from '#infra/agent/drivers/linux/linux-driver.ts'
import { PopDriver } from '#infra/agent/drivers/linux/pop/pop-driver.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { TARGET } from '../support/render-case.ts'
import { CASES } from '../support/tunnel-documents.ts'

const NODE = CASES['pop-node']!

it('a device that is no node refuses a network that must not meet others', async () => {
  const driver = new LinuxDriver({
    tools: [],
    store: memoryStore(),
    log: silentLog,
    readTarget: () => Promise.resolve(TARGET),
    checkAddresses: () => null,
  })
  try {
    expect(await driver.validate(NODE)).toEqual({ reason: '配置校验失败：设备不能作为POP节点运行' })
    expect(await driver.validate(CASES['pop-member']!)).toBeNull()
  } finally {
    driver.close()
  }
})

it('a node refuses a network that shares the table of the device, and two networks at one port', async () => {
  const driver = new PopDriver({
    store: memoryStore(),
    log: silentLog,
    settings: [],
    target: TARGET,
    open: () => Promise.reject(new Error('a check opens nothing')),
    guard: async () => {},
  })
  const reasonOf = async (document: RouterDocument) => (await driver.validate(document))?.reason
  expect(await reasonOf(NODE)).toBeUndefined()
  expect(await reasonOf(CASES['pop-member']!)).toBe('配置校验失败：设备作为POP节点运行，不能承载组网N1')
  const [first, second] = NODE.networks
  const atOnePort = { ...NODE, networks: [first!, { ...second!, servers: first!.servers }] }
  expect(await reasonOf(atOnePort)).toBe('配置校验失败：端口21000已被占用')
  expect(driver.capabilities).toEqual(['vpn', 'pop'])
})
