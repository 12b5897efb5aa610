import { expect, it } from 'vitest'
import { SITE_NAMES, type SiteName, hostAddress, hostsOf } from '#infra/lab/bed/sites.ts'
import { OFFICE, PLANT } from '#infra/lab/customers.ts'
import { PAIRS, planRound } from '#infra/lab/packets/traffic.ts'

const siteOf = (host: string): SiteName | undefined =>
  SITE_NAMES.find((site) => hostsOf(site).some(({ name }) => name === host))
const sitesOf = ({ center, point }: typeof OFFICE) => [...center, ...point]

it('every pair of hosts belongs to routers of one network, and every router of both networks is in one', () => {
  const apart = PAIRS.filter((pair) => {
    const sites = pair.map(siteOf)
    return ![OFFICE, PLANT].some((plan) => sites.every((site) => site && sitesOf(plan).includes(site)))
  })
  expect(apart).toEqual([])
  expect(new Set(PAIRS.flat().map(siteOf))).toEqual(new Set([...sitesOf(OFFICE), ...sitesOf(PLANT)]))
})

it('a round has a ping for each pair, of another size than the round before, and no packet is broken in a tunnel', () => {
  const [before, after] = [planRound(5), planRound(6)]
  expect(before.map(({ to }) => hostAddress(to))).toHaveLength(PAIRS.length)
  expect(before.filter(({ bytes }, n) => bytes === after[n]?.bytes)).toEqual([])
  expect(Math.max(...before.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1_250)
})
