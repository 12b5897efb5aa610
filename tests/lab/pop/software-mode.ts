import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { SOFTWARE_MODE } from '#contract/network/limits.ts'
import { CLIENT } from '#infra/lab/bed/plan.ts'
import { NODES, SITES, hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { canPing } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { type SoftwareMember, signIn } from '#infra/lab/software/members.ts'
import { DIALLED, dialledFirst, dialledLast, startTokenDial } from '#infra/lab/software/token-dial.ts'
import { type Check, requireThat } from '../check.ts'
import { untilKnown, withMembers } from '../software.ts'
import { untilWell } from '../stands.ts'
import { carryOffice } from './carried.ts'

/* Check of the dial mode that prefers nodes. */

const DIAL_MS = 60_000
const REACHED_MS = 30_000

/** Lets a member dial the node P1, and no other one. */
async function dialNode(lab: Lab, member: SoftwareMember): Promise<void> {
  const [customer] = lab.customers
  const { name } = member
  const { call, network_number } = officeOf(customer)
  const areas = await call(networkFrApi.ov, { network_number })
  const ov_id_main = areas.find((area) => area.name === NODES.P1.area)?.id ?? 0
  await call(networkApi.memberOv, { network_number, router_name: name, ov_id_main })
  await call(networkApi.softwareMode, { network_number, router_name: name, mode: SOFTWARE_MODE.preferPop })
  await untilKnown(lab, ['P1'], [member])
  await untilWell(customer, OFFICE.name)
}

const untilReached = ({ bed }: Lab) =>
  poll('the member reaches the host of C', REACHED_MS, () => canPing(bed, CLIENT, hostAddress('C')), Boolean)

const NODE_FIRST: Check = {
  number: 38,
  part: 'b',
  title: 'in the dial mode 3 a member dials its node first; with the node cut off it is back by a centre',
  needs: 'linux',
  async run(lab) {
    await carryOffice(lab)
    await withMembers(lab, ['dialnode'], async (member) => {
      if (!member) return
      await dialNode(lab, member)
      const offer = await (await signIn(lab, member))()
      requireThat(offer.mode === SOFTWARE_MODE.preferPop, `mode ${offer.mode} is given`)
      const dial = startTokenDial(lab, offer, { name: member.name, token: offer.token, afterRefusal: 'again' })
      try {
        await dial.until(DIALLED, DIAL_MS)
        const first = dialledFirst(dial)
        requireThat(first === NODES.P1.address, `${first} is dialled first`)
        await untilReached(lab)
        await whileCut(lab.bed, [NODES.P1.address], async () => {
          await dial.until(DIALLED, DIAL_MS, Date.now())
          const last = dialledLast(dial)
          const isCentre = OFFICE.center.some((site) => SITES[site].address === last)
          requireThat(isCentre, `with the node cut off ${last} is dialled`)
          await untilReached(lab)
        })
      } finally {
        await dial.stop()
      }
    })
  },
}

export const NODE_DIALLED: readonly Check[] = [NODE_FIRST]
