import { expect, it } from 'vitest'
import { LinuxDriver } from '#infra/agent/drivers/linux/linux-driver.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { TARGET } from '../support/render-case.ts'
import { CASES } from '../support/tunnel-documents.ts'

it('a network that must not meet others is refused, because the driver makes it no namespace', async () => {
  const driver = new LinuxDriver({
    tools: [],
    store: memoryStore(),
    log: silentLog,
    readTarget: () => Promise.resolve(TARGET),
    checkAddresses: () => null,
  })
  try {
    expect(await driver.validate(CASES['pop-node']!)).toEqual({
      reason: '配置校验失败：设备不能作为POP节点运行',
    })
    expect(await driver.validate(CASES['pop-member']!)).toBeNull()
  } finally {
    driver.close()
  }
})
