import { afterEach, expect, it } from 'vitest'
import { PROTOCOL_VERSION } from '#contract/kernel/hub-limits.ts'
import { documentHash } from '#infra/agent/hub/frames.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { routerDocument } from './support/documents.ts'
import { closeAll, connected, createAgent, createHub } from './support/agents.ts'

afterEach(closeAll)

it('says that it is too old for the service, and goes on running its configuration', async () => {
  const body = routerDocument()
  const confirmed = { version: 3, hash: documentHash(body), body }
  const store = memoryStore({ config: { confirmed, unreported: null } })
  const hub = await createHub()
  const { lines } = await createAgent(hub, { store })
  const device = await connected(hub)
  expect(lines.join()).not.toContain('too old')
  hub.leastProtocol = PROTOCOL_VERSION + 1
  device.socket.terminate()
  const { frames } = await connected(hub, 2)
  await expect.poll(() => lines.join()).toContain(`which asks for ${PROTOCOL_VERSION + 1}): upgrade it`)
  expect(frames[0]).toMatchObject({ t: 'hello', applied: { version: 3, hash: confirmed.hash } })
})
