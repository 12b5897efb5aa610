import { describe, expect, it } from 'vitest'
import { ServerAddresses } from '#infra/agent/hub/server-addresses.ts'
import { memoryStore } from '#infra/agent/store.ts'

const A = 'https://a.cn'
const B = 'https://b.cn'
const X = 'https://x.cn'
const Y = 'https://y.cn'
const Z = 'https://z.cn'

/** Addresses of a round, in their order, with the patience in seconds. */
function roundOf(addresses: ServerAddresses): string[] {
  addresses.startOver()
  const round: string[] = []
  do round.push(`${addresses.current} ${addresses.patienceMs / 1000}`)
  while (addresses.next())
  return round
}

const order = (addresses: ServerAddresses) => roundOf(addresses).map((text) => text.split(' ')[0])

/** Goes on to an address and is welcomed there. */
async function welcome(addresses: ServerAddresses, at: string, named?: readonly string[]): Promise<void> {
  addresses.startOver()
  while (addresses.current !== at) if (!addresses.next()) throw new Error(`${at} is no address`)
  await addresses.welcomed(named)
}

describe('agent.md, Connection · addresses of the service', () => {
  it('are tried in the order of the command line, the one that worked last first', async () => {
    const store = memoryStore()
    const addresses = await ServerAddresses.load(store, [`${A}/`, B, A])
    expect(roundOf(addresses)).toEqual([`${A} 8`, `${B} 8`])
    await welcome(addresses, B)
    expect(order(addresses)).toEqual([B, A])
    expect(order(await ServerAddresses.load(store, [A, B]))).toEqual([B, A])
    expect(order(await ServerAddresses.load(store, [A]))).toEqual([A])
  })

  it('get the patience of before where there is one alone, and twice as much with each round in vain', async () => {
    const one = await ServerAddresses.load(memoryStore(), [A])
    expect([roundOf(one), roundOf(one)]).toEqual([[`${A} 30`], [`${A} 30`]])
    const two = await ServerAddresses.load(memoryStore(), [A, B])
    expect([1, 2, 3, 4].map(() => roundOf(two)[0])).toEqual([`${A} 8`, `${A} 16`, `${A} 30`, `${A} 30`])
    await welcome(two, A)
    expect(roundOf(two)).toEqual([`${A} 8`, `${B} 8`])
  })

  it('of welcomes come after those of the command line, which are left soon where an entry worked last', async () => {
    const store = memoryStore()
    const addresses = await ServerAddresses.load(store, [A, B])
    await welcome(addresses, A, [X, B, Y])
    expect(order(addresses)).toEqual([A, B, X, Y])
    await welcome(addresses, Y)
    const expected = [`${A} 1.5`, `${B} 1.5`, `${Y} 8`, `${X} 8`]
    expect(roundOf(addresses)).toEqual(expected)
    expect(roundOf(await ServerAddresses.load(store, [A, B]))).toEqual(expected)
  })

  it('of a welcome replace others only once one of them has brought a welcome', async () => {
    const store = memoryStore()
    const addresses = await ServerAddresses.load(store, [A])
    await welcome(addresses, A, [X])
    await welcome(addresses, X)
    await welcome(addresses, A, [Y, Z])
    expect(order(await ServerAddresses.load(store, [A]))).toEqual([A, X, Y, Z])
    await welcome(addresses, A, [Z])
    expect(order(addresses)).toEqual([A, X, Z])
    await welcome(addresses, Z)
    expect(order(await ServerAddresses.load(store, [A]))).toEqual([A, Z])
  })

  it('of a welcome without a checked certificate, or of no welcome, are ignored', async () => {
    const plain = 'http://127.0.0.1:8787'
    const addresses = await ServerAddresses.load(memoryStore(), [plain])
    await welcome(addresses, plain, [X])
    expect(order(addresses)).toEqual([plain])
    const unchecked = await ServerAddresses.load(memoryStore(), [A])
    const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    await welcome(unchecked, A, [X])
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    expect(order(unchecked)).toEqual([A])
    await welcome(unchecked, A, ['http://x.cn', 'https://203.0.113.7', 'x', X])
    expect(order(unchecked)).toEqual([A, X])
    await welcome(unchecked, A)
    expect(order(unchecked)).toEqual([A, X])
  })

  it.each([{}, [], { worked: 'x', kept: ['http://x.cn'], offered: [] }, { worked: null, kept: 'x', offered: [] }])(
    'are those of the command line where the memory cannot be read: %j',
    async (entries) => expect(order(await ServerAddresses.load(memoryStore({ entries }), [A, B]))).toEqual([A, B]),
  )
})
