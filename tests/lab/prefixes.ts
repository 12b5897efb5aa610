import type { Input } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { hostName, routerName } from '#infra/lab/bed/plan.ts'
import { SITES, addressIn, hostAddress } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { canPing } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { requireUnreached, untilReached, untilUnreached } from './basis.ts'
import { type Check, requireThat } from './check.ts'

/* Checks of prefix rows and of the routes that a router declares. */

type Rows = Input<typeof networkApi.editPrefix>['prefix']

const REACHED_MS = 20_000

/** Sets prefix rows for the time of some work. */
async function withRows({ customers: [customer] }: Lab, lists: readonly Rows[], work: (n: number) => Promise<void>) {
  const { call, network_number } = officeOf(customer)
  try {
    for (const [n, prefix] of lists.entries()) {
      await call(networkApi.editPrefix, { network_number, prefix })
      await work(n)
    }
  } finally {
    await call(networkApi.editPrefix, { network_number, prefix: [] })
  }
}

const ALL = { ip: '10.0.0.0', mask: 8, ge: 9, le: 32, name: '全部' } as const

/** A prefix of 27 bits behind the switch of C, and the address in it that answers. */
const SMALL = { prefix: '10.13.192.0', mask: 27, address: '10.13.192.1' } as const

/** Waits until the host of D gets an answer from an address, or none. */
const untilAnswered = ({ bed }: Lab, address: string, isAnswered: boolean) =>
  poll(
    `${address} ${isAnswered ? 'answers' : 'does not answer'} the host of D`,
    REACHED_MS,
    () => canPing(bed, hostName('D'), address),
    (now) => now === isAnswered,
  )

const LENGTHS: Check = {
  number: 22,
  title: 'a row with ge and le lets prefixes of 24 bits pass and stops one of 27',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    const { call, name } = officeOf(customers[0])
    const { via, segment } = SITES.C.switched ?? { via: '', segment: '' }
    const set = (routes: { prefix: string; mask: number; via: string }[]) =>
      call(routerApi.staticRoutes, { router_name: name('C'), routes })
    await bed.run('swC', ['ip', 'addr', 'add', `${SMALL.address}/32`, 'dev', 'lo'])
    await set([
      { prefix: segment.replace('/24', ''), mask: 24, via },
      { prefix: SMALL.prefix, mask: SMALL.mask, via },
    ])
    try {
      await untilAnswered(lab, hostAddress('Cs'), true)
      await untilAnswered(lab, SMALL.address, true)
      await withRows(lab, [[{ ...ALL, ge: 24, le: 24 }]], async () => {
        await untilAnswered(lab, SMALL.address, false)
        await untilAnswered(lab, hostAddress('Cs'), true)
        await untilReached(bed, 'C', 'D')
      })
      await untilAnswered(lab, SMALL.address, true)
    } finally {
      await set([])
    }
  },
}

/** Halves of the LAN behind the switch of C as it is announced: its host is in the first, another address in the second. */
const HALVES = ['10.13.128.0', '10.13.128.128'] as const
const OTHER_HALF = '10.13.128.200'

const HALVED: Check = {
  number: 21,
  title: 'a row that denies half a LAN, which is announced in halves, stops that half only',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    const { call, name } = officeOf(customers[0])
    const { via } = SITES.C.switched ?? { via: '' }
    const set = (prefixes: readonly string[]) =>
      call(routerApi.staticRoutes, {
        router_name: name('C'),
        routes: prefixes.map((prefix) => ({ prefix, mask: 25, via })),
      })
    await bed.run('swC', ['ip', 'addr', 'add', `${OTHER_HALF}/32`, 'dev', 'lo'])
    await set(HALVES)
    try {
      const untilBoth = async () => {
        await untilAnswered(lab, hostAddress('Cs'), true)
        await untilAnswered(lab, OTHER_HALF, true)
      }
      await untilBoth()
      const denied = { ip: HALVES[0], mask: 25, permission: 'deny', name: '拒绝' } as const
      await withRows(lab, [[denied, ALL]], async () => {
        await untilAnswered(lab, hostAddress('Cs'), false)
        await untilAnswered(lab, OTHER_HALF, true)
        await untilReached(bed, 'D', 'C')
      })
      await untilBoth()
    } finally {
      await set([])
    }
    await untilAnswered(lab, hostAddress('Cs'), false)
  },
}

const ORDER: Check = {
  number: 23,
  title: 'of two rows that overlap the first one decides; swapped, the other one does',
  needs: 'linux',
  async run(lab) {
    const deny = { ip: '10.14.0.0', mask: 24, permission: 'deny', name: '拒绝' } as const
    await untilReached(lab.bed, 'C', 'D')
    await withRows(
      lab,
      [
        [deny, ALL],
        [ALL, deny],
      ],
      (n) => (n === 0 ? untilUnreached(lab.bed, 'C', 'D', REACHED_MS) : untilReached(lab.bed, 'C', 'D')),
    )
    await untilReached(lab.bed, 'C', 'D')
  },
}

const DECLARED: Check = {
  number: 24,
  title: 'without rows all LANs that a router declares are reached, and no other segment behind it',
  needs: 'linux',
  async run({ bed }) {
    await untilReached(bed, 'D', 'C')
    await untilReached(bed, 'D', 'C2')
    await requireUnreached(bed, 'D', 'Cs')
  },
}

const VLAN = { port: 'vlan30', peer: 'vlan30p', segment: '10.13.96.0/24' } as const
const LEARNT_MS = 5_000

const DYNAMIC: Check = {
  number: 25,
  title: 'with dynamic routing a new VLAN is reached within 5 s without any call, and without it no more',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    const { call, network_number, name } = officeOf(customers[0])
    const set = (enable: 0 | 1) => call(networkApi.quagga, { network_number, router_name: name('C'), enable })
    const address = addressIn(VLAN.segment, 1)
    const ip = async (...argv: string[]) => {
      const { code, output } = await bed.run(routerName('C'), ['ip', ...argv])
      requireThat(code === 0, output)
    }
    await untilReached(bed, 'D', 'C')
    await set(1)
    try {
      await untilReached(bed, 'D', 'C')
      await ip('link', 'add', VLAN.port, 'type', 'veth', 'peer', 'name', VLAN.peer)
      await ip('link', 'set', VLAN.peer, 'up')
      await ip('addr', 'add', `${address}/24`, 'dev', VLAN.port)
      await ip('link', 'set', VLAN.port, 'up')
      await poll(`${address} answers`, lab.within(LEARNT_MS), () => canPing(bed, hostName('D'), address), Boolean)
      await set(0)
      await untilAnswered(lab, address, false)
      await untilReached(bed, 'D', 'C')
    } finally {
      await set(0)
      await bed.run(routerName('C'), ['ip', 'link', 'delete', VLAN.port])
    }
  },
}

export const PREFIXES: readonly Check[] = [HALVED, LENGTHS, ORDER, DECLARED, DYNAMIC]
