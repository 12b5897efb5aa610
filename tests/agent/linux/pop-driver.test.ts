import { describe, expect, it } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { type NodeNetwork, PopDriver } from '#infra/agent/drivers/linux/pop/pop-driver.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { device, popNetwork } from '../support/tunnel-parts.ts'
import { TARGET } from '../support/render-case.ts'

/** Networks by their ciphers, which stand for any change. */
const nodeDocument = (networks: Readonly<Record<string, 'default' | 'sm'>>): RouterDocument =>
  device(
    'POP-1',
    901,
    '10.0.0.0/24',
    Object.entries(networks).map(([number, ciphers], index) => ({
      ...popNetwork(number, 21_000 + 10 * index),
      ciphers,
    })),
  )

/** A node whose networks only remember what they were brought to. */
function createNode() {
  const store = memoryStore()
  const stores = new Map<number, ReturnType<typeof memoryStore>>()
  /** Running part by number, over all processes of the agent. */
  const running: Record<number, string> = {}
  const refuses = new Set<string>()
  const breaksOn = new Set<string>()
  const applied: string[] = []
  const guards: boolean[] = []
  const nameOf = (document: RouterDocument | null) =>
    document === null ? '' : document.networks.map((each) => `${each.network_number} ${each.ciphers}`).join()

  function openNetwork(slot: number): NodeNetwork {
    const own = stores.get(slot) ?? memoryStore()
    stores.set(slot, own)
    let current: RouterDocument | null = null
    return {
      store: own,
      clear: async () => void stores.delete(slot),
      driver: {
        get running() {
          return current === null ? null : ({ document: current } as NodeNetwork['driver']['running'])
        },
        validate: async (document) => (refuses.has(nameOf(document)) ? { reason: '配置校验失败：测试' } : null),
        stage: async (document) => ({
          changed: [],
          async apply() {
            applied.push(nameOf(document))
            if (breaksOn.has(nameOf(document))) throw new Error('no interface')
            current = document
            if (document === null) delete running[slot]
            else running[slot] = nameOf(document)
          },
        }),
      },
    }
  }

  /** A new process of the agent. */
  function start() {
    const open = new Map<number, NodeNetwork>()
    const driver = new PopDriver({
      store,
      log: () => {},
      settings: [],
      target: TARGET,
      guard: async (isOn) => void guards.push(isOn),
      async open(slot) {
        const network = open.get(slot) ?? openNetwork(slot)
        open.set(slot, network)
        return network
      },
    })
    return async (document: RouterDocument | null) => {
      applied.length = 0
      const staged = await driver.stage(document)
      const { refused } = await staged.apply()
      return { changed: staged.changed, refused, applied: [...applied] }
    }
  }
  return { store, stores, running, refuses, breaksOn, guards, start }
}

const REFUSED = { network_number: 'N2', reason: '配置校验失败：测试' }
const BROKEN = { network_number: 'N2', reason: '配置应用失败：设备未能写入配置' }

describe('a node', () => {
  it('applies each network by itself, under a number that stays; a number that is free is given again', async () => {
    const node = createNode()
    const put = node.start()
    await put(nodeDocument({ N1: 'default', N2: 'default' }))
    expect(node.running).toEqual({ 1: 'N1 default', 2: 'N2 default' })
    expect(await put(nodeDocument({ N3: 'default', N2: 'default' }))).toEqual({
      changed: ['N1', 'N3'],
      refused: [],
      applied: ['', 'N3 default'],
    })
    expect(node.running).toEqual({ 1: 'N3 default', 2: 'N2 default' })
    expect(await node.stores.get(2)?.load('slots')).toEqual([{ network_number: 'N2', slot: 2, links: [] }])
    await put(null)
    expect([node.running, await node.store.load('networks')]).toEqual([{}, []])
    expect(node.guards).toEqual([true, true, true, false])
  })

  it('leaves networks alone that have not changed, and repairs all of them with a repeated document', async () => {
    const put = createNode().start()
    const document = nodeDocument({ N1: 'default', N2: 'default' })
    await put(document)
    expect((await put(nodeDocument({ N1: 'default', N2: 'sm' }))).applied).toEqual(['N2 sm'])
    expect((await put(nodeDocument({ N1: 'default', N2: 'sm' }))).applied).toEqual(['N1 default', 'N2 sm'])
  })

  it.each([
    ['that a check refuses', 'refuses', REFUSED],
    ['that cannot be applied', 'breaksOn', BROKEN],
  ] as const)('names a network %s; the others go on, and it is tried again', async (_, kind, refusal) => {
    const node = createNode()
    const put = node.start()
    await put(nodeDocument({ N1: 'default', N2: 'default', N3: 'default' }))
    node[kind].add('N2 sm')
    const next = nodeDocument({ N1: 'sm', N2: 'sm', N3: 'sm' })
    expect((await put(next)).refused).toEqual([refusal])
    expect([node.running[1], node.running[3]]).toEqual(['N1 sm', 'N3 sm'])
    expect(node.running[2]).toBe('N2 default')
    node[kind].clear()
    expect(await put(next)).toEqual({ changed: ['N2'], refused: [], applied: ['N2 sm'] })
  })

  it('that starts with a refused network runs what that ran before', async () => {
    const node = createNode()
    const put = node.start()
    await put(nodeDocument({ N1: 'default', N2: 'default' }))
    node.refuses.add('N2 sm')
    const next = nodeDocument({ N1: 'default', N2: 'sm' })
    await put(next)
    delete node.running[2] // the machine starts anew
    const again = await node.start()(next)
    expect(again).toEqual({ changed: ['N1', 'N2'], refused: [REFUSED], applied: ['N1 default', 'N2 default'] })
    expect(node.running[2]).toBe('N2 default')
  })

  it('leaves nothing of a new network that cannot be applied', async () => {
    const node = createNode()
    node.breaksOn.add('N2 sm')
    expect((await node.start()(nodeDocument({ N1: 'default', N2: 'sm' }))).refused).toEqual([BROKEN])
    expect(node.running).toEqual({ 1: 'N1 default' })
  })

  it('takes networks off that an agent of before has left, and reports a removal that fails', async () => {
    const node = createNode()
    await node.start()(nodeDocument({ N1: 'default', N2: 'default' }))
    node.breaksOn.add('')
    expect((await node.start()(nodeDocument({ N2: 'default' }))).refused).toEqual([])
    expect(node.running).toEqual({ 1: 'N1 default', 2: 'N2 default' })
    await expect(node.start()(null)).rejects.toThrow('no interface')
    node.breaksOn.clear()
    await node.start()(nodeDocument({ N2: 'default' }))
    expect(node.running).toEqual({ 2: 'N2 default' })
  })
})
