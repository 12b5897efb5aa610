import { expect, it } from 'vitest'
import { PLATFORMS } from '#contract/download/index.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'
import { ANNOUNCEMENTS, TENANTS } from '#infra/demo/data.ts'
import { createDials, toClientHistory } from '#infra/demo/history/dials.ts'
import { createHistories } from '#infra/demo/history/routers.ts'
import { HISTORY_HOURS, createStory } from '#infra/demo/history/story.ts'
import { SAAS_SERIALS } from '#infra/demo/saas.ts'

const SUNDAY_NOON = Date.UTC(2026, 10, 29, 4)
/** Starts at each hour of a week. */
const STARTS = Array.from({ length: 168 }, (_, hour) => SUNDAY_NOON + hour * HOUR_MS + 1_234_567)
const NUMBERS = new Map(TENANTS.flatMap(({ networks }) => networks.map(({ name }, i) => [name, `N${i}`] as const)))

it('whenever the demo starts, its absences lie within its history and are decided, and people act while they last', () => {
  const offenders = STARTS.flatMap((now) => {
    const { from, setupAt, ticketsAt, absences, acknowledgements, mutes } = createStory(now)
    const all = Object.entries(absences).flatMap(([serial, list]) => list.map((one) => ({ serial, ...one })))
    const isWrong = (one: (typeof all)[number]) =>
      one.from < from ||
      one.to > now - 2 * HOUR_MS ||
      one.to - one.from <= (one.silent ? PRESENCE.leaseMs : PRESENCE.graceMs) ||
      SAAS_SERIALS.includes(one.serial) // their flows of these hours come from the simulator, which was never away
    const acted = acknowledgements.filter(
      ({ router_name, at }) => !absences[router_name]?.some((one) => one.from < at && at < one.to),
    )
    const muted = mutes.filter(
      (mute) => !absences[mute.router_name]?.every((one) => mute.from < one.from && one.to < mute.until),
    )
    const isOrdered = setupAt < from && ticketsAt > from && ticketsAt < now
    return [...all.filter(isWrong), ...acted, ...muted, ...(isOrdered ? [] : [{ setupAt, ticketsAt }])]
  })
  expect(offenders).toEqual([])
})

it('dials lie within the history, and a member is online exactly during its dials', () => {
  for (const now of STARTS.filter((_, i) => i % 24 === 0)) {
    const story = createStory(now)
    const dials = [...createDials(story, NUMBERS).values()].flat()
    expect(dials.length).toBeGreaterThan(0)
    expect(dials.filter(({ start_at, end_at }) => start_at < story.from || end_at > now || start_at >= end_at)).toEqual(
      [],
    )
    for (const [name, moves] of Object.entries(toClientHistory(dials))) {
      const own = dials.filter((dial) => dial.name === name)
      const onlineMs = moves.reduce((sum, { to, at }) => sum + (to === 'online' ? -at : at), 0)
      const longest = own.reduce((sum, { start_at, end_at }) => sum + end_at - start_at, 0)
      expect(onlineMs).toBeGreaterThan(0)
      expect(onlineMs).toBeLessThanOrEqual(longest)
    }
  }
})

it('the same start writes the same, with a gap in the traffic of a device that was away', () => {
  const now = SUNDAY_NOON
  const write = () => {
    const story = createStory(now)
    const wan = { interface: 'eth0', interface_uuid: '', protocol: 'dhcp', role: 'wan', ip: '203.0.113.9' } as const
    const interfaces = [{ ...wan, mask: 24, mac: '', mtu: 1500, up: true }]
    const device = { serial: 'NL22S032', isReal: false, version: '0.1.0', interfaces }
    return createHistories(story, [device], createDials(story, NUMBERS))
  }
  expect(write()).toEqual(write())
  const { traffic } = write()['NL22S032']!
  const steps = traffic.interfaces['eth0']!
  expect(steps).toHaveLength(HISTORY_HOURS * 12)
  const [absence] = createStory(now).absences['NL22S032']!
  const during = steps.filter((_, i) => {
    const start = traffic.from + i * traffic.step_ms
    return absence!.from < start + traffic.step_ms && start < absence!.to
  })
  expect(during.length).toBeGreaterThan(10)
  expect(during.filter((step) => step !== null)).toEqual([])
  expect(steps.filter((step) => step === null)).toHaveLength(during.length)
})

it('announcements praise no client that the download page of a local run lacks', () => {
  const missing = PLATFORMS.filter((platform) => platform !== 'linux')
  const named = (text: string) => missing.filter((platform) => new RegExp(platform, 'i').test(text))
  expect(ANNOUNCEMENTS.flatMap(({ title, content }) => named(`${title} ${content}`))).toEqual([])
})
