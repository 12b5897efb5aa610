import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { AGENT, PRESENCE } from '#contract/kernel/hub-limits.ts'
import { recordFrames, startSession, useBrowserHarness } from './browser-harness.ts'
import { type Device, useDevices } from './devices.ts'

/** Ceiling of a wait, beyond the longest that the product takes: a lease, its check and a back-off. */
const timeout = PRESENCE.leaseMs + PRESENCE.watchedCheckMs + AGENT.retryMaxMs + 60_000
const STALE = '暂无数据，最后一次上报于'
const SHOTS = process.env['SHOTS']

const { origin, visitor, tab } = useBrowserHarness()
const { newAccount } = useDevices(origin)

/** A device and the page of its router. */
interface Watched extends Device {
  readonly page: Page
  /** The badge in the page's head comes to say so. */
  says(word: string): Promise<void>
  /** It says so now. */
  still(word: string): Promise<void>
  /** States that the hub has sent to the page so far. */
  states(): readonly string[]
  /** The charts name the time of the last sample, and no sample comes. */
  isStale(): Promise<void>
  /** New samples arrive, and no chart says that they are missing. */
  goesOn(): Promise<void>
  shot(name: string): Promise<void>
}

type Fault = (watched: Watched) => Promise<void>

const standsStill =
  (until: 'stale' | 'offline'): Fault =>
  async ({ agent, says, still, states, isStale, goesOn, shot }) => {
    const before = states()
    agent.kill('SIGSTOP')
    await isStale()
    await shot('stale')
    await still('在线')
    if (until === 'offline') {
      await says('离线')
      await shot('offline')
    }
    agent.kill('SIGCONT')
    await goesOn()
    await says('在线')
    if (until === 'stale') expect(states()).toEqual(before)
  }

const FAULTS: Readonly<Record<string, Fault>> = {
  'SIGSTOP until the charts are stale': standsStill('stale'),
  'SIGSTOP until the lease is over': standsStill('offline'),

  'nothing reaches the server': async ({ proxy, says, still, isStale, goesOn, shot }) => {
    proxy.hold('up')
    await isStale()
    await still('在线')
    await says('离线')
    await shot('offline')
    proxy.release()
    await goesOn()
    await says('在线')
  },

  /** The server receives pings until the device closes the connection: no lease ends before. */
  'nothing reaches the device': async ({ proxy, says, still, states, isStale, goesOn, shot }) => {
    const { length } = states()
    proxy.hold('down')
    await isStale()
    await still('在线')
    await says('离线')
    expect(states().slice(length)).toEqual(['reconnecting', 'offline'])
    await shot('offline')
    proxy.release()
    await goesOn()
    await says('在线')
  },

  'no file descriptors at the reconnect': async ({ agent, proxy, says, states, goesOn, shot }) => {
    const { length } = states()
    agent.limitFiles(1)
    proxy.cut()
    await says('离线')
    expect(states().slice(length)).toEqual(['reconnecting', 'offline'])
    await shot('offline')
    expect(agent.log()).toContain('not connected:')
    agent.limitFiles(null)
    await goesOn()
    await says('在线')
  },

  'a second copy of its disk': async ({ agent, folder, proxy, page, says, goesOn, shot }) => {
    const copy = (await folder.copy()).run(proxy.url)
    await says('抖动')
    await page.getByText('重复设备：两台设备使用同一身份，互相顶替连接').first().waitFor()
    await shot('flapping')
    agent.kill('SIGKILL') // the older one is away at the fifth change
    await goesOn()
    proxy.cut()
    await goesOn()
    expect(copy.log()).not.toContain('retry_after')
  },
}

it(
  'a page shows what happens to its device, and its charts go on by themselves',
  { timeout: 4 * timeout },
  async () => {
    const account = await newAccount()
    const first = await visitor()
    await startSession(first, origin, account.username)

    const watch = async (name: string, n: number): Promise<Watched> => {
      const device = await account.start('NLFAULT', n, name.slice(0, 24))
      const page = await tab(first)
      const frames = recordFrames(page)
      await page.goto(`/router/detail?router_name=${device.serial}`)
      return { ...device, ...observe(page, frames, n) }
    }
    const all: [string, Fault, Watched][] = []
    for (const [n, [name, fault]] of Object.entries(FAULTS).entries()) all.push([name, fault, await watch(name, n)])
    await Promise.all(all.map(([, , { says, goesOn }]) => says('在线').then(goesOn)))
    const loads = () => Promise.all(all.map(([, , { page }]) => page.evaluate(() => performance.timeOrigin)))
    const loadedAt = await loads()
    await all[0]?.[2].shot('online')

    const results = await Promise.allSettled(all.map(([, fault, watched]) => fault(watched)))
    const failures = results.flatMap((result, i) => {
      if (result.status === 'fulfilled') return []
      const [name, , { agent }] = all[i]!
      return [`${name}: ${String(result.reason)}\nthe agent: ${agent.log().slice(-600)}`]
    })
    expect(failures).toEqual([])
    expect(await loads()).toEqual(loadedAt)
  },
)

function observe(page: Page, frames: readonly string[], n: number): Omit<Watched, keyof Device> {
  const head = page.locator('header').filter({ hasText: 'NLFAULT' })
  const badge = (word: string) => head.getByText(word, { exact: true }).first()
  const samples = () => frames.filter((frame) => frame.includes('"type":"interface"')).length
  const times = () =>
    frames.flatMap((frame) => {
      const { type, data } = JSON.parse(frame) as { type: string; data: Record<string, { time: number }> }
      return type === 'interface' ? Object.values(data).map(({ time }) => time) : []
    })
  const stale = page.getByText(STALE)
  const states = () => {
    const reported = frames.flatMap((frame) => {
      const { type, data } = JSON.parse(frame) as { type: string; data: { presence: { state: string } } }
      return type === 'router' ? [data.presence.state] : []
    })
    return reported.filter((state, i) => state !== reported[i - 1])
  }
  return {
    page,
    states,
    says: (word) => badge(word).waitFor({ timeout }),
    still: async (word) => expect(await badge(word).isVisible(), `${word} at ${await head.textContent()}`).toBe(true),
    isStale: () => stale.first().waitFor({ timeout }),
    goesOn: async () => {
      const before = samples()
      await expect.poll(samples, { timeout }).toBeGreaterThan(before + 2)
      await expect.poll(() => stale.count(), { timeout }).toBe(0)
      expect(times(), 'a sample older than the one before is not drawn').toEqual(times().toSorted((a, b) => a - b))
    },
    shot: async (name) => {
      if (SHOTS === undefined) return
      await page.screenshot({ path: `${SHOTS}/${n}-${name}.png`, fullPage: true })
      await page.setViewportSize({ width: 390, height: 844 })
      await page.screenshot({ path: `${SHOTS}/${n}-${name}-390.png`, fullPage: true })
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  }
}
