import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import routerFixtures from '#tests/release/fixtures/router.json' with { type: 'json' }
import networkFixtures from '#tests/release/fixtures/network.json' with { type: 'json' }
import { fromJson } from '#tests/release/state.ts'
import {
  connectOnlineDevice,
  counters,
  createHubNetwork,
  isShown,
  networkStub,
  readNow,
  routerStub,
  until,
  watchNetwork,
} from './support.ts'

type Attachment = Readonly<Record<string, unknown>>

const attachmentsOf = (fixtures: readonly { readonly attachments: readonly unknown[] }[], field: string) =>
  fixtures.flatMap(({ attachments }) => (fromJson(attachments) as Attachment[]).filter((one) => field in one))

/** Replaces the attachment of each socket with this field by that of the release before; of it `kept` stays. */
const replaceAttachments = (stub: DurableObjectStub, field: string, before: Attachment, kept: readonly string[]) =>
  runInDurableObject(stub, (_, ctx) => {
    for (const socket of ctx.getWebSockets()) {
      const own = socket.deserializeAttachment() as Attachment
      const same = Object.fromEntries(kept.map((name) => [name, own[name]]))
      if (field in own) socket.serializeAttachment({ ...before, ...same })
    }
  })

describe('deploy.md, Each release · a hub that wakes with sockets of the release before', () => {
  it('goes on with its device, and with the traffic that waits on the socket', async () => {
    const [before] = attachmentsOf(routerFixtures, 'epoch')
    expect(before).toMatchObject({ pending: expect.any(Object) })
    const { center } = await createHubNetwork(1)
    const device = await connectOnlineDevice(center)
    const stub = routerStub(center)
    await replaceAttachments(stub, 'epoch', before!, ['epoch', 'serial', 'lastReceivedAt'])
    await evictDurableObject(stub)
    device.send(counters(1, 1_000, 1_000))
    expect((await stub.traffic()).presence.state).toBe('online')
    const { data } = await stub.trafficSeries('month')
    expect(Object.keys(data)).toContain('eth0')
    expect(device.closed).toBeNull()
  })

  it('goes on with its console', async () => {
    const [before] = attachmentsOf(networkFixtures, 'viewer')
    const network = await createHubNetwork(1)
    const stub = networkStub(network)
    await readNow(stub)
    const viewer = await watchNetwork(network)
    await viewer.next(isShown('snapshot'))
    await replaceAttachments(stub, 'viewer', before!, ['viewer', 'lastReceivedAt'])
    await evictDurableObject(stub)
    const shown = viewer.frames.length
    await connectOnlineDevice(network.center)
    await until(() => viewer.frames.slice(shown).find(isShown('delta')))
    expect(viewer.closed).toBeNull()
  })
})
