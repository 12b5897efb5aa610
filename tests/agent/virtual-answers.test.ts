import { describe, expect, it } from 'vitest'
import {
  type DeviceQuestion,
  QUESTION_FAILED,
  QUESTION_REFUSAL,
  type QuestionAnswer,
} from '#contract/device/questions.ts'
import { compileRouter } from '#domain/network/compile/compile.ts'
import { compareRoutes } from '#domain/network/routing/actual-routes.ts'
import { effectiveRoutes } from '#domain/network/routing/effective-routes.ts'
import { virtualAnswers } from '#infra/simulator/virtual-answers.ts'
import { TWIN, networkOf } from '#tests/unit/network/diagnosis/network.ts'

const rows = networkOf()
const routers = TWIN.map(({ routerName: name }) => ({
  name,
  document: compileRouter(name, [rows], () => 'ab'.repeat(16)),
}))
const ask = (name: string, question: DeviceQuestion, running = routers) => virtualAnswers(name, () => running)(question)
const ROUTES = { kind: 'routes', network_number: 'N1', offset: 0 } as const
const route = (over = {}) =>
  ({ kind: 'route', network_number: 'N1', destination: '10.4.0.9', source: null, arrival: null, ...over }) as const

describe('a virtual router', () => {
  it.each(TWIN)('has the routes that its rows intend', async (self) => {
    const { rows: page, links } = (await ask(self.routerName, ROUTES)) as QuestionAnswer<'routes'>
    const device = Map.groupBy(page, ([prefix]) => prefix)
    const compared = compareRoutes(effectiveRoutes(rows, self), {
      routes: new Map([...device].map(([prefix, same]) => [prefix, new Set(same.map(([, link]) => links[link]!))])),
      lost: new Map(),
      isWhole: true,
      config: 'applied',
      labelOf: (name) => name,
      linkTo: (via) => links.find((id) => id.includes(`>${via}`) || id.includes(`:${via}>`)),
      downReason: () => null,
    })
    expect(compared.filter(({ verdict }) => verdict !== 'same')).toEqual([])
    expect(compared.length).toBeGreaterThan(0)
  })

  it('loses those of a router that is gone', async () => {
    const { rows: page } = (await ask('R3', ROUTES, routers.slice(0, 3))) as QuestionAnswer<'routes'>
    expect(page.filter(([prefix]) => prefix === '10.4.0.0/24')).toEqual([])
  })

  it('does not answer for a network with routers of other processes, whose routes it cannot know', async () => {
    const answer = virtualAnswers(
      'R3',
      () => routers,
      (name) => name !== 'R1',
    )
    await expect(answer(ROUTES)).rejects.toThrow(QUESTION_FAILED)
  })

  it('answers where a packet goes, hop by hop', async () => {
    expect(await ask('R3', route())).toMatchObject({ via: { link: 'N1:R3>R1' }, prefix: '10.4.0.0/24', session: 'up' })
    expect(await ask('R1', route({ arrival: 'N1:R3>R1' }))).toMatchObject({ via: { link: 'N1:R4>R1' } })
    expect(await ask('R4', route({ arrival: 'N1:R4>R1' }))).toMatchObject({ via: { local: 'lan' } })
    expect(await ask('R3', route({ destination: '198.51.100.8' }))).toMatchObject({ via: { wan: true } })
    await expect(ask('R3', route({ source: '10.9.0.1' }))).rejects.toThrow(QUESTION_REFUSAL.source)
  })

  it('pings inside of its network alone', async () => {
    const base = { network_number: 'N1', destination: '10.4.0.9' } as const
    expect(await ask('R3', { kind: 'ping', count: 1, ...base })).toMatchObject({ received: 1, source: '100.64.32.4' })
    const { hops } = (await ask('R3', { kind: 'traceroute', ...base })) as QuestionAnswer<'traceroute'>
    expect(hops.map(({ ip }) => ip)).toEqual(['100.64.32.1', '100.64.32.5', '10.4.0.9'])
    for (const destination of ['198.51.100.8', '10.77.0.1'])
      await expect(ask('R3', { kind: 'ping', count: 1, ...base, destination })).rejects.toThrow(
        QUESTION_REFUSAL.noRoute,
      )
    await expect(ask('R3', { ...ROUTES, network_number: 'N2' })).rejects.toThrow(QUESTION_REFUSAL.network)
  })
})
