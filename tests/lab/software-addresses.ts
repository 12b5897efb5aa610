import { networkApi } from '#contract/network/index.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { type SoftwareMember, addMember, deleteMembers, offerOfA, signIn } from '#infra/lab/software/members.ts'
import { DIALLED, givenAddress, startTokenDial } from '#infra/lab/software/token-dial.ts'
import { messageOfError } from '#infra/agent/log.ts'
import { type Check, requireThat } from './check.ts'
import { untilReceived } from './unmoved.ts'
import { withMembers } from './software.ts'

/* Checks of the addresses of software members: segment and pool of a centre. */

const DIAL_MS = 60_000

/** Address that a member gets by a dial of centre A. */
async function dialAddress(lab: Lab, member: SoftwareMember): Promise<string> {
  const offer = await (await signIn(lab, member))()
  const dial = startTokenDial(lab, offerOfA(offer), { name: member.name, token: offer.token, afterRefusal: 'again' })
  await dial.until(DIALLED, DIAL_MS).finally(() => dial.stop())
  return givenAddress(dial)
}

const SEGMENT: Check = {
  number: 10,
  title: 'with another segment of a centre for software the next dial has an address of it',
  needs: 'linux',
  async run(lab) {
    const { call, network_number, name } = officeOf(lab.customers[0])
    const set = (software_network: { gateway: string; mask: number } | null) =>
      untilReceived(lab, ['A'], () =>
        call(networkApi.editCenterGateway, { network_number, router_name: name('A'), software_network, pack: 1 }),
      )
    await withMembers(lab, ['dialnet'], async (member) => {
      if (!member) return
      const before = await dialAddress(lab, member)
      try {
        await set({ gateway: '10.204.0.0', mask: 20 })
        const after = await dialAddress(lab, member)
        requireThat(after.startsWith('10.204.'), `the address is ${after || 'none'}`)
      } finally {
        await set(null)
      }
      const again = await dialAddress(lab, member)
      requireThat(again === before, `with the segment of before the address is ${again}, not ${before}`)
    })
  },
}

/** Host numbers of the pool of the check: room for two members. */
const POOL_HOSTS = [100, 101] as const

const POOL: Check = {
  number: 11,
  title:
    'with a pool of a centre the next dial has an address of it, and once it is used up a member is refused in words',
  needs: 'linux',
  async run(lab) {
    const { call, network_number, name } = officeOf(lab.customers[0])
    const { center_network } = await call(networkApi.ipAddressPool, { network_number })
    const software = center_network.find(({ router_name }) => router_name === name('A'))?.software
    requireThat(software !== undefined, 'A has no pool')
    const { gateway, mask } = software
    const [first, last] = POOL_HOSTS.map((host) => gateway.replace(/\d+$/, String(host)))
    const set = (ends: { start?: string | undefined; end?: string | undefined }) =>
      call(networkApi.editIpAddressPool, {
        network_number,
        pack: 1,
        center_network: [{ router_name: name('A'), software: { gateway, mask, ...ends } }],
      })
    await withMembers(lab, ['poolone', 'pooltwo'], async (...members) => {
      try {
        await untilReceived(lab, ['A'], () => set({ start: first, end: last }))
        const addresses = []
        for (const member of members) addresses.push(await dialAddress(lab, member))
        requireThat(addresses.toSorted().join() === [first, last].join(), `the addresses are ${addresses.join(', ')}`)
        requireSentence(await refusalOf(() => set({ start: first, end: first })), '2个成员')
        requireSentence(await refusalOf(() => addAnother(lab)), '已用完')
      } finally {
        await set({})
      }
    })
  },
}

async function addAnother(lab: Lab): Promise<void> {
  const member = await addMember(lab, 'poolmore')
  await deleteMembers(lab, [member])
}

const refusalOf = (call: () => Promise<unknown>): Promise<string> =>
  call().then(
    () => 'nothing is refused',
    (error: unknown) => messageOfError(error),
  )

function requireSentence(refusal: string, part: string): void {
  requireThat(refusal.includes(part), `without “${part}”: ${refusal}`)
}

export const SOFTWARE_ADDRESSES: readonly Check[] = [SEGMENT, POOL]
