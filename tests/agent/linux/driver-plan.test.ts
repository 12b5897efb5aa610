import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { dnsmasqTool } from '#infra/agent/drivers/linux/dnsmasq/dnsmasq-tool.ts'
import { frrTool } from '#infra/agent/drivers/linux/frr/frr-tool.ts'
import { ipTool } from '#infra/agent/drivers/linux/ip/ip-tool.ts'
import { LinuxDriver } from '#infra/agent/drivers/linux/linux-driver.ts'
import { nftTool } from '#infra/agent/drivers/linux/nft/nft-tool.ts'
import { denyDials } from '#infra/agent/drivers/linux/openvpn/admission.ts'
import { DialSessions } from '#infra/agent/drivers/linux/openvpn/dial-sessions.ts'
import { OpenvpnTool } from '#infra/agent/drivers/linux/openvpn/openvpn-tool.ts'
import { type AnyTool, anyTool, mergeSteps, planTransition } from '#infra/agent/drivers/linux/plan.ts'
import type { ProcessTable } from '#infra/agent/drivers/linux/processes/process-table.ts'
import { inNamespace, namespaceTool } from '#infra/agent/drivers/linux/pop/namespace-tool.ts'
import type { NetworkNamespace } from '#infra/agent/drivers/linux/pop/network-namespace.ts'
import type { ProbeSocket } from '#infra/agent/drivers/linux/pop/probe-socket.ts'
import { deviceRunner } from '#infra/agent/drivers/linux/programs.ts'
import { tcTool } from '#infra/agent/drivers/linux/tc/tc-tool.ts'
import { PHASES, type Phase, type Rendering } from '#infra/agent/drivers/linux/tool.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { anyDocument } from '../support/random-documents.ts'
import { TARGET } from '../support/render-case.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { center, centerNetwork, point, pointNetwork } from '../support/tunnel-parts.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

/** All tools, of which only the pure parts are used. */
const processes = { onExit: () => {}, running: () => new Map() } as unknown as ProcessTable
const common = { run: '/run/x', processes, log: () => {} }
const TOOLS: readonly AnyTool[] = [
  anyTool(nftTool()),
  anyTool(ipTool('/run/x/sysctls.json')),
  anyTool(
    new OpenvpnTool({
      ...common,
      state: '/s',
      folders: { keys: 'keys', shared: 'run' },
      authorizeDial: denyDials,
      sessions: await DialSessions.open(memoryStore(), silentLog),
      changed: () => {},
      sessionsChanged: () => {},
      restarted: () => {},
    }),
  ),
  anyTool(frrTool(common)),
  anyTool(dnsmasqTool(common)),
  anyTool(tcTool()),
]
/** Tools of a node's network under the number 1. */
const namespace = { file: null, runner: deviceRunner } as NetworkNamespace
const inside = { runner: deviceRunner, suffix: '-1' }
const NODE_TOOLS: readonly AnyTool[] = [
  anyTool(inNamespace(nftTool(inside), namespace)),
  anyTool(frrTool({ ...common, suffix: '-1' })),
  anyTool(inNamespace(tcTool(inside), namespace)),
  anyTool(namespaceTool(1, namespace, {} as ProbeSocket)),
]
const equipped = anyDocument.map((document) => withKeys(document))
const networkOf = (document: RouterDocument, number: string) =>
  JSON.stringify(document.networks.find((each) => each.network_number === number))

describe('plan over all tools', () => {
  it('of a document to itself is empty', async () => {
    const offenders = await findOffenders(Object.entries(CASES))((_, document) => {
      const isolated = document.networks.some((network) => network.isolated)
      const rendering = renderingOf(withKeys(document))
      expect(isolated ? [] : planTransition(TOOLS, rendering, rendering)).toEqual([])
    })
    expect(offenders).toEqual([])
    fc.assert(
      fc.property(equipped, (document) => {
        const rendering = renderingOf(document)
        expect(planTransition(TOOLS, rendering, rendering)).toEqual([])
      }),
    )
  })

  it('of a network on a node is empty, too, and without it every tool takes its part off', () => {
    const node = CASES['pop-node']!
    const rendering = renderingOf({ ...node, networks: node.networks.slice(0, 1) })
    const phases = (before: Rendering | null, after: Rendering | null) =>
      planTransition(NODE_TOOLS, before, after).map(({ phase }) => phase)
    expect(phases(rendering, rendering)).toEqual([])
    expect(phases(null, rendering)).toEqual(['place', 'filter', 'daemons', 'join'])
    expect([...new Set(phases(rendering, null))]).toEqual(['stop', 'rates'])
  })

  it('of a point that starts dials before the daemons of routing start, and configures them last', () => {
    const steps = planTransition(TOOLS, null, renderingOf(withKeys(point(pointNetwork()))))
    const phases = new Set(steps.map(({ phase }) => phase))
    expect([...phases]).toEqual(['filter', 'rules', 'stop', 'clients', 'daemons', 'join'])
  })

  it('has its steps in the order of the phases, and reconnects no tunnel of a network that stays as it is', () => {
    fc.assert(
      fc.property(equipped, equipped, (one, other) => {
        const before = renderingOf(one)
        const after = renderingOf(other, before.slots)
        const steps = planTransition(TOOLS, before, after)
        const phases = steps.map(({ phase }) => PHASES.indexOf(phase))
        expect(phases).toEqual(phases.toSorted((a, b) => a - b))
        const unchanged = one.networks.filter(
          ({ network_number: number }) => networkOf(one, number) === networkOf(other, number),
        )
        const devices = unchanged.map(({ network_number: number }) => `ov${after.slots.get(number)?.slot}`)
        const reconnects = steps.flatMap((step) => step.reconnects)
        expect(
          reconnects.filter((device) =>
            devices.some((own) => /^\D*$/.test(device.slice(own.length, own.length + 1)) && device.startsWith(own)),
          ),
        ).toEqual([])
      }),
    )
  })

  it('keeps the order of the tools within a phase', () => {
    const step = (tool: string, phase: Phase) => ({ tool, step: { phase, networks: [], reconnects: [] } })
    const merged = mergeSteps([
      [step('a', 'rates'), step('a', 'stop')],
      [step('b', 'filter'), step('b', 'stop')],
    ])
    expect(merged.map(({ tool, step: { phase } }) => `${tool} ${phase}`)).toEqual([
      'b filter',
      'a stop',
      'b stop',
      'a rates',
    ])
  })
})

describe('an apply', () => {
  /** A tool that keeps the name of the document that it was brought to, and fails at the names given. */
  function start(failing: readonly string[] = [], left = 0) {
    const state = { name: 'nothing', failing: [...failing], left, log: [] as string[], supervised: [] as string[] }
    const nameOf = (rendering: Rendering | null) => rendering?.document.router_name ?? 'nothing'
    const step = { phase: 'servers', networks: ['N1'], reconnects: [] } as const
    const tool: AnyTool = {
      name: 'fake',
      validate: async () => null,
      supervise: (rendering) => void state.supervised.push(nameOf(rendering)),
      async plan(rendering) {
        const name = nameOf(rendering)
        if (state.name === name && state.left === 0) return []
        const run = async () => {
          if (state.failing.includes(name)) throw new Error(`no ${name}`)
          if (state.name === name) state.left -= 1
          state.name = name
        }
        return [{ tool: 'fake', step, run }]
      },
      transition: () => [],
    }
    const store = memoryStore()
    const log = (line: string) => void state.log.push(line)
    const driver = () =>
      new LinuxDriver({ tools: [tool], store, log, readTarget: async () => TARGET, checkAddresses: () => null })
    return { state, store, driver }
  }
  const [a, p] = [center(centerNetwork()), point(pointNetwork())]
  const put = async (driver: LinuxDriver, document: RouterDocument | null) => (await driver.stage(document)).apply()

  it('names the networks of its steps, and none the second time', async () => {
    const { driver } = start()
    const own = driver()
    expect((await own.stage(a)).changed).toEqual(['N1'])
    await put(own, a)
    expect((await own.stage(a)).changed).toEqual([])
  })

  it('that fails returns to the document before, under its numbers, and throws', async () => {
    const { state, driver, store } = start(['NL-P1'])
    const own = driver()
    await put(own, a)
    const slots = await store.load('slots')
    await expect(put(own, p)).rejects.toThrow('no NL-P1')
    expect(state.name).toBe('NL-A')
    expect(state.supervised).toEqual(['NL-A', 'NL-P1', 'NL-A'])
    expect(await store.load('slots')).toEqual(slots)
    expect(own.running?.document.router_name).toBe('NL-A')
  })

  it('runs steps until none is left, and says so where it cannot', async () => {
    const { state, driver } = start([], 1)
    await put(driver(), a)
    expect([state.name, state.left, state.log]).toEqual(['NL-A', 0, []])
    const endless = start([], 99)
    await put(endless.driver(), a)
    expect(endless.state.log).toEqual(['not settled: fake servers'])
  })

  it('stores numbers before anything runs, beside those of networks that may return', async () => {
    const { state, driver, store } = start()
    await put(driver(), a)
    const other = { ...p, networks: [{ ...p.networks[0]!, network_number: 'N2' }] }
    const again = driver()
    const numbers = async () => JSON.stringify(await store.load('slots'))
    const staged = await again.stage(other)
    state.failing.push('NL-P1')
    await expect(staged.apply()).rejects.toThrow('no NL-P1')
    expect(await numbers()).toMatch(/"network_number":"N1".*"network_number":"N2"/)
    state.failing.length = 0
    await put(again, other)
    expect(await numbers()).not.toContain('"network_number":"N1"')
  })

  it('without a document forgets the numbers', async () => {
    const { driver, store, state } = start()
    const own = driver()
    await put(own, a)
    await put(own, null)
    expect([state.name, await store.load('slots')]).toEqual(['nothing', []])
    expect(own.running).toBeNull()
  })

  it('runs alone: a second one waits', async () => {
    const { driver, state } = start()
    const own = driver()
    const [first, second] = [await own.stage(a), await own.stage(p)]
    await Promise.all([first.apply(), second.apply()])
    expect(state.name).toBe('NL-P1')
    await vi.waitFor(() => expect(own.running?.document.router_name).toBe('NL-P1'))
  })
})
