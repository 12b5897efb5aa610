import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { loadState, saveDocument, linkIdsOf } from '#durable/router-hub/state/storage.ts'
import { AGENT } from '#contract/kernel/hub-limits.ts'
import { LINKS_PER_FRAME } from '#contract/kernel/protocol.ts'
import { linkId } from '#domain/network/members/links.ts'
import { network, routerDocument } from '#tests/agent/support/documents.ts'
import { connectOnlineDevice, createAccount, createHubRouter, later, readNow, routerStub, until } from './support.ts'
import { NETWORK } from '#contract/network/limits.ts'

const SERIAL_CHARS = 32

/** The centre of as many networks as a router may be in, each with as many members as a network may have. */
function createCenterDocument() {
  const links = (number: string) =>
    Array.from({ length: NETWORK.membersMax }, (_, n) => {
      const peer = `NL${n}-`.padEnd(SERIAL_CHARS, 'P')
      const key = `${number}${n}`.padStart(64, '0')
      return {
        id: linkId(number, peer, 'NL-C'.padEnd(SERIAL_CHARS, 'C')),
        peer,
        role: 'server' as const,
        endpoint: null,
        key,
      }
    })
  const numbers = Array.from({ length: NETWORK.perRouter }, (_, i) => `100000000${i}`)
  return routerDocument(...numbers.map((number) => network(number, links(number))))
}

it('a centre of 16,000 links reports all of them after its hello: its socket stays open, and they are stored', async () => {
  const router = await createHubRouter(await createAccount())
  const stub = routerStub(router)
  await readNow(stub)
  const device = await connectOnlineDevice(router)
  const ids = await runInDurableObject(stub, (hub, { storage }) => {
    const document = createCenterDocument()
    saveDocument(storage, document)
    const known = linkIdsOf(document)
    hub['device'].onDocument(known)
    return [...known]
  })
  expect(ids).toHaveLength(16_000)
  const known = () => runInDurableObject(stub, (hub) => Object.keys(hub['state'].links).length)
  const stored = () => runInDurableObject(stub, (_, { storage }) => Object.keys(loadState(storage).links).length)
  for (let from = 0; from < ids.length; from += LINKS_PER_FRAME) {
    later(AGENT.linksEveryMs)
    const reported = ids.slice(from, from + LINKS_PER_FRAME)
    device.send({ t: 'links', links: reported.map((id) => ({ id, up: true, rtt_ms: 12.345 })) })
    await until(async () => ((await known()) === from + reported.length ? true : undefined))
  }
  await until(async () => ((await stored()) === ids.length ? true : undefined))
  expect(device.closed).toBeNull()
})
