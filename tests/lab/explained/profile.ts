import { CLIENT } from '#infra/lab/bed/plan.ts'
import { SITES, hostAddress } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import { canPing } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { makeProfile, startProfileDial } from '#infra/lab/software/profile-dial.ts'
import { DIALLED, REFUSED, dialledLast } from '#infra/lab/software/token-dial.ts'
import { routerApi } from '#contract/router/index.ts'
import { type Check, requireThat } from '../check.ts'
import { withMembers } from '../software.ts'

/* Check of profiles: applications of others dial with their file alone. */

const DIAL_MS = 60_000
const REACH_MS = 30_000
const REVOKED_MS = 2_000
const OUT_MS = 20_000
const HALTED = 'Halt command was pushed by server'

const PROFILE: Check = {
  number: 53,
  title:
    'a stock OpenVPN with the file of a profile, and nothing else, reaches the LANs; revoked, it is out within 2 s and stays out',
  needs: 'linux',
  async run(lab) {
    const { call, network_number } = officeOf(lab.customers[0])
    await withMembers(lab, ['dialphone'], async (member) => {
      if (!member) return
      const file = await makeProfile(lab, member, network_number, 'phone')
      const dial = startProfileDial(lab, file)
      try {
        await dial.until(DIALLED, DIAL_MS) // a centre that does not know the member yet sends it to the next one
        const centre = dialledLast(dial) === SITES.A.address ? 'A' : 'B'
        for (const host of [centre, 'C'])
          await poll(
            `the profile reaches the host of ${host} by ${centre}`,
            REACH_MS,
            () => canPing(lab.bed, CLIENT, hostAddress(host)),
            Boolean,
          )
        const [profile] = await poll(
          'its last dial is recorded',
          REACH_MS,
          () => call(routerApi.profiles, { router_name: member.name }),
          ([row]) => row?.last_dial_time != null,
        )
        const revokedAt = Date.now()
        await call(routerApi.revokeProfile, { router_name: member.name, profile_id: profile?.profile_id ?? 0 })
        const halted = await dial.until(HALTED, REACH_MS, revokedAt)
        const took = halted.at - revokedAt
        requireThat(took <= lab.within(REVOKED_MS), `a revoked profile is out after ${took} ms`)
        const again = startProfileDial(lab, file)
        await again.until(REFUSED, REACH_MS).finally(() => again.stop())
        await new Promise((done) => setTimeout(done, Math.max(0, revokedAt + OUT_MS - Date.now())))
        const back = [dial, again]
          .flatMap((each) => each.lines())
          .filter(({ at, text }) => at > halted.at && text.includes(DIALLED))
        requireThat(back.length === 0, 'a revoked profile is back')
        const isReached = await canPing(lab.bed, CLIENT, hostAddress(centre))
        requireThat(!isReached, `a revoked profile reaches the host of ${centre}`)
      } finally {
        await dial.stop()
      }
    })
  },
}

export const PROFILES: readonly Check[] = [PROFILE]
