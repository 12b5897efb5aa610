import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { AGENT, PRESENCE, STREAM } from '#contract/kernel/hub-limits.ts'
import { recordFrames, startSession, useBrowserHarness } from './browser-harness.ts'
import { type Device, useDevices } from './devices.ts'

const SECOND = 1_000
/** Over what the hub itself takes: a busy machine with three other browsers, the way to the page. */
const LATE_MS = 15 * SECOND
/** A device that is free to return tries again within its back-off, whose jitter may take all of it. */
const RETURN_MS = AGENT.retryMaxMs + 15 * SECOND
const STALE = '暂无数据，最后一次上报于'
const SHOTS = process.env['SHOTS']

const { origin, visitor, tab } = useBrowserHarness()
const { newAccount } = useDevices(origin)

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** A device and the page of its router. */
interface Watched extends Device {
  readonly page: Page
  /** The badge in the page's head comes to say so. */
  says(word: string, withinMs: number): Promise<void>
  /** It says so now. */
  still(word: string): Promise<void>
  /** The charts name the time of the last sample, and no sample comes. */
  isStale(): Promise<void>
  /** New samples arrive, and no chart says that they are missing. */
  goesOn(withinMs: number): Promise<void>
  shot(name: string): Promise<void>
}

type Fault = (watched: Watched) => Promise<void>

const standsStill =
  (forMs: number): Fault =>
  async ({ agent, says, still, isStale, goesOn, shot }) => {
    agent.kill('SIGSTOP')
    const stoppedAt = Date.now()
    await isStale()
    await shot('stale')
    await still('在线')
    if (forMs > PRESENCE.leaseMs) {
      await says('离线', PRESENCE.leaseMs - (Date.now() - stoppedAt) + LATE_MS)
      await shot('offline')
    }
    await pause(forMs - (Date.now() - stoppedAt))
    if (forMs < PRESENCE.leaseMs) await still('在线')
    agent.kill('SIGCONT')
    await goesOn(forMs < PRESENCE.leaseMs ? LATE_MS : RETURN_MS)
    await says('在线', SECOND)
  }

const FAULTS: Readonly<Record<string, Fault>> = {
  'SIGSTOP for 20 s': standsStill(20 * SECOND),
  'SIGSTOP for 50 s': standsStill(50 * SECOND),
  'SIGSTOP for 100 s': standsStill(100 * SECOND),

  'nothing reaches the server': async ({ proxy, says, still, isStale, goesOn, shot }) => {
    proxy.hold('up')
    const heldAt = Date.now()
    await isStale()
    await still('在线')
    await says('离线', PRESENCE.leaseMs - (Date.now() - heldAt) + LATE_MS)
    await shot('offline')
    proxy.release()
    await goesOn(RETURN_MS)
    await says('在线', SECOND)
  },

  /** The server receives pings until the device closes the connection: no lease ends before. */
  'nothing reaches the device': async ({ proxy, says, still, isStale, goesOn, shot }) => {
    proxy.hold('down')
    await pause(20 * SECOND)
    await still('在线')
    await isStale()
    await says('重连中', PRESENCE.leaseMs)
    await says('离线', PRESENCE.graceMs + LATE_MS)
    await shot('offline')
    proxy.release()
    await goesOn(RETURN_MS)
    await says('在线', SECOND)
  },

  'no file descriptors at the reconnect': async ({ agent, proxy, says, goesOn, shot }) => {
    agent.limitFiles(1)
    proxy.cut()
    await says('重连中', LATE_MS)
    await says('离线', PRESENCE.graceMs + LATE_MS)
    await shot('offline')
    expect(agent.log()).toContain('not connected:')
    agent.limitFiles(null)
    await goesOn(RETURN_MS)
    await says('在线', SECOND)
  },

  'a second copy of its disk': async ({ agent, folder, proxy, page, says, goesOn, shot }) => {
    const copy = (await folder.copy()).run(proxy.url)
    await says('抖动', 2 * PRESENCE.leaseMs)
    await page.getByText('重复设备：两台设备使用同一身份，互相顶替连接').first().waitFor()
    await shot('flapping')
    agent.kill('SIGKILL') // the older one is away at the fifth change
    await goesOn(LATE_MS)
    proxy.cut()
    await goesOn(LATE_MS)
    expect(copy.log()).not.toContain('retry_after')
  },
}

it('a page shows what happens to its device within the lease, and its charts go on by themselves', async () => {
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
  await Promise.all(all.map(([, , { says, goesOn }]) => says('在线', RETURN_MS).then(() => goesOn(LATE_MS))))
  const loads = () => Promise.all(all.map(([, , { page }]) => page.evaluate(() => performance.timeOrigin)))
  const loadedAt = await loads()
  await all[0]?.[2].shot('online')

  const begun = Date.now()
  const results = await Promise.allSettled(all.map(([, fault, watched]) => fault(watched)))
  const failures = results.flatMap((result, i) => {
    if (result.status === 'fulfilled') return []
    const [name, , { agent }] = all[i]!
    return [`${name}: ${String(result.reason)}\nafter ${Date.now() - begun} ms; the agent: ${agent.log().slice(-600)}`]
  })
  expect(failures).toEqual([])
  expect(await loads()).toEqual(loadedAt)
}, 300_000)

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
  return {
    page,
    says: (word, timeout) => badge(word).waitFor({ timeout }),
    still: async (word) => expect(await badge(word).isVisible(), `${word} at ${await head.textContent()}`).toBe(true),
    isStale: async () => {
      await stale.first().waitFor({ timeout: 2 * STREAM.leaseSeconds * SECOND })
    },
    goesOn: async (timeout) => {
      const before = samples()
      await expect.poll(samples, { timeout }).toBeGreaterThan(before + 2)
      await expect.poll(() => stale.count(), { timeout: LATE_MS }).toBe(0)
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
