import type { Input } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { SITES } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import type { Check } from './check.ts'
import { readTunnels } from './router-state.ts'
import { untilWell } from './stands.ts'

/* Checks of the link between the centres. */

const LINK_SEGMENT = { gateway: '172.31.255.0', mask: 30 } as const
const LINK_MS = 20_000
const DETOUR_MS = 5_000
const TWIN = /^ov\d+x/

/** Interfaces of the link between the centres, at both ends. */
const readTwinLink = async (bed: Lab['bed']) =>
  (await Promise.all((['A', 'B'] as const).map((site) => readTunnels(bed, site)))).map((tunnels) =>
    [...tunnels.keys()].filter((name) => TWIN.test(name)),
  )

type LinkForm = Omit<Input<typeof networkApi.centerLink>, 'network_number' | 'center_router_name'>

/** A link of the centres that this form sets, and the detour by it. */
const twinLink = (number: number, how: string, form: LinkForm): Check => ({
  number,
  title: `over a link of the centres ${how}, a centre's LAN is reached by the other centre while one leg is cut`,
  needs: 'linux',
  async run({ bed, customers, within }) {
    const { call, network_number, name } = officeOf(customers[0])
    await untilReached(bed, 'C', 'A')
    await call(networkApi.centerLink, { network_number, center_router_name: name('B'), ...form })
    await call(networkApi.enableCenterLink, { network_number, enable: 1 })
    await poll(
      'both centres have the link',
      LINK_MS,
      () => readTwinLink(bed),
      (ends) => ends.every((one) => one.length === 1),
    )
    await untilWell(customers[0], OFFICE.name)
    await whileCut(bed, [SITES.C.address, SITES.A.address], () => untilReached(bed, 'C', 'A', within(DETOUR_MS)))
    await untilWell(customers[0], OFFICE.name)
  },
})

const LINK_PORT = 24_000
const TWIN_LINKS: readonly Check[] = [
  twinLink(18, 'at a public address', {
    public_ip: SITES.B.address,
    public_port: LINK_PORT,
    static_port: LINK_PORT,
  }),
  twinLink(19, 'with a segment', LINK_SEGMENT),
]

const TWIN_LINK_OFF: Check = {
  number: 20,
  title: 'the link of the centres turned off leaves no interface at either end',
  needs: 'linux',
  async run({ bed, customers }) {
    const { call, network_number } = officeOf(customers[0])
    await call(networkApi.enableCenterLink, { network_number, enable: 0 })
    await poll(
      'no centre has the link',
      LINK_MS,
      () => readTwinLink(bed),
      (ends) => ends.flat().length === 0,
    )
    await untilReached(bed, 'C', 'A')
  },
}

export const CENTER_LINKS: readonly Check[] = [...TWIN_LINKS, TWIN_LINK_OFF]
