import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT, hostName } from '#infra/lab/bed/plan.ts'
import { CLIENT_ADDRESS, type NodeName, SITES, type SiteName, hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { canPing } from '#infra/lab/packets/ping.ts'
import { sendBytes, startListener } from '#infra/lab/packets/tcp.ts'
import { poll } from '#infra/lab/poll.ts'
import { startClient } from '#infra/lab/software/client-program.ts'
import { type Offer, type SoftwareMember, addMember, deleteMembers, signIn } from '#infra/lab/software/members.ts'
import type { Output } from '#infra/lab/software/output.ts'
import { DIALLED, dialledFirst, startTokenDial } from '#infra/lab/software/token-dial.ts'
import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { logsApi } from '#contract/logs/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { type Check, requireThat } from './check.ts'
import { findCarriers } from './router-state.ts'
import { untilWell } from './stands.ts'
import { readAllCarriers } from './unmoved.ts'

/* Checks of software members: their dials, who is dialled, and how dials end and return. */

const KNOWN_MS = 30_000
const DIAL_MS = 60_000
const RECORD_MS = 30_000
const PORT = 5_000
const CONNECTED = 'connected to '
const CUT = 'the tunnel is cut'
const HALTED = 'the centre has ended the dial'

/**
 * Runs with members of OFFICE that are there for the check alone, once all devices know them. @param restore takes back what
 * the check has set before
 */
export async function withMembers(
  lab: Lab,
  names: readonly string[],
  run: (...members: readonly SoftwareMember[]) => Promise<void>,
  restore: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const members: SoftwareMember[] = []
  try {
    for (const name of names) members.push(await addMember(lab, name))
    await untilKnown(lab, OFFICE.center, members)
    await untilWell(lab.customers[0], OFFICE.name)
    await run(...members)
  } finally {
    await deleteMembers(lab, members)
    await restore()
  }
  await untilWell(lab.customers[0], OFFICE.name)
}

/** Waits for the entries of members at devices: the console shows 已生效 until their hubs have heard of a save. */
export async function untilKnown(
  { folder }: Lab,
  sites: readonly (SiteName | NodeName)[],
  members: readonly SoftwareMember[],
): Promise<void> {
  const readEntries = (site: SiteName | NodeName) =>
    readdirSync(join(folder, site, 'run'), { recursive: true }).flatMap(
      (path) => /ccd\/.*\/(.+)$/.exec(String(path))?.[1] ?? [],
    )
  await poll(
    `${sites.join(' and ')} have an entry for each member`,
    KNOWN_MS,
    () => sites.map(readEntries),
    (entries) => entries.every((own) => members.every(({ name }) => own.includes(name))),
  )
}

const untilPinged = (lab: Lab, to: string) =>
  poll(
    `the software member reaches the host of ${to}`,
    RECORD_MS,
    () => canPing(lab.bed, CLIENT, hostAddress(to)),
    Boolean,
  )

const readDials = ({ customers: [{ call }] }: Lab, { name }: SoftwareMember) =>
  call(logsApi.online, { router_name: name, page: 1, limit: 20 })

const UP_BYTES = 4_000_000
const DOWN_BYTES = 2_000_000
const TRANSFER_MS = 60_000

/**
 * Largest windows in bytes: these fit into the socket's buffer of a client, because what a centre sent and its client lost
 * would be no error of a record.
 */
const WINDOWS = 'net.ipv4.tcp_rmem'
const SMALL = '4096 65536 65536'

/** Sends bytes both ways between the client and the host of A, so that a share of them is no matter of keeping alive. */
async function exchange({ bed }: Lab, address: string): Promise<void> {
  const { output } = await bed.run(CLIENT, ['sysctl', '-n', WINDOWS])
  const setWindows = (sizes: string) => bed.run(CLIENT, ['sysctl', '-qw', `${WINDOWS}=${sizes}`])
  const { code } = await setWindows(SMALL)
  requireThat(code === 0, 'the windows of the client are not set')
  try {
    for (const [from, to, target, bytes] of [
      [CLIENT, hostName('A'), hostAddress('A'), UP_BYTES],
      [hostName('A'), CLIENT, address, DOWN_BYTES],
    ] as const) {
      const listener = await startListener(bed, to, PORT)
      const sent = await sendBytes(bed, from, { address: target, port: PORT }, bytes, 'x', TRANSFER_MS)
      await listener.stop()
      requireThat(sent?.bytes === bytes, `${from} sent ${bytes} bytes, arrived: ${sent?.bytes ?? 'nothing'}`)
    }
  } finally {
    await setWindows(output.trim())
  }
}

const addressOf = (line: string): string => / as ([\d.]+)$/.exec(line)?.[1] ?? ''

function volumeOf(client: Output) {
  const [, received, sent] = /^received (\d+) bytes, sent (\d+)$/.exec(client.lines().at(-1)?.text ?? '') ?? []
  requireThat(received !== undefined && sent !== undefined, 'the client names no bytes')
  return { received: Number(received), sent: Number(sent) }
}

const isWithin = (share: number, value: number, own: number) => Math.abs(value - own) <= own * share
const BYTES_SHARE = 0.01
/** A centre and its client notice the same event at different times. */
const TIMES_MS = 2_000

const DIAL: Check = {
  number: 37,
  title:
    'a software member dials with its fixed address, LANs and DNS, and its record has the client’s own times, address and bytes',
  needs: 'linux',
  async run(lab) {
    const { call, network_number } = officeOf(lab.customers[0])
    const setDns = (dns: readonly string[]) => call(networkApi.dns, { network_number, dns: [...dns] })
    await setDns([hostAddress('A')])
    await withMembers(
      lab,
      ['dialone'],
      async (member) => {
        if (!member) return
        const first = startClient(lab, member, network_number)
        const connected = await first.until(CONNECTED, DIAL_MS)
        const address = addressOf(connected.text)
        const offer = await (await signIn(lab, member))()
        requireThat(address === offer.servers[0]?.ip, `${connected.text}, not ${offer.servers[0]?.ip}`)
        const dns = first.lines().filter(({ text }) => text === `the network's DNS: ${hostAddress('A')}`)
        requireThat(dns.length === 1, 'the DNS is not given')
        for (const host of ['A', 'C', 'D']) await untilPinged(lab, host)
        await exchange(lab, address)
        await first.stop()
        await requireRecord(lab, member, first, { address, beganAt: connected.at, endedAt: Date.now() })
        const second = startClient(lab, member, network_number)
        const again = addressOf((await second.until(CONNECTED, DIAL_MS)).text)
        await second.stop()
        requireThat(again === address, `another address, ${again}`)
      },
      async () => {
        await setDns([])
        await poll(
          'no router answers names any more',
          RECORD_MS,
          () => readAllCarriers(lab.bed),
          (lines) => !lines.some((line) => line.includes('dnsmasq')),
        )
      },
    )
  },
}

async function requireRecord(
  lab: Lab,
  member: SoftwareMember,
  client: Output,
  own: { readonly address: string; readonly beganAt: number; readonly endedAt: number },
): Promise<void> {
  const volume = volumeOf(client)
  const [record] = await poll(
    'the dial is recorded and over',
    RECORD_MS,
    () => readDials(lab, member),
    (rows) => rows.length === 1 && rows[0]?.end_time != null,
  )
  requireThat(record !== undefined, 'no record')
  requireThat(record.vpn_ip === own.address, `address ${record.vpn_ip} is recorded, not ${own.address}`)
  requireThat(record.orig === CLIENT_ADDRESS, `origin ${record.orig} is recorded`)
  for (const [title, time, at] of [
    ['beginning', record.start_time, own.beganAt],
    ['end', record.end_time ?? 0, own.endedAt],
  ] as const)
    requireThat(Math.abs(time - at) <= lab.within(TIMES_MS), `its ${title} is ${time - at} ms away from the client's`)
  const [usage] = await lab.customers[0].call(routerApi.usage, { router_name: member.name, page: 1, limit: 10 })
  const { download_flow_sum: down = 0, upload_flow_sum: up = 0 } = usage ?? {}
  requireThat(
    isWithin(BYTES_SHARE, down, volume.received) && isWithin(BYTES_SHARE, up, volume.sent),
    `${down} bytes down and ${up} up are recorded; the client received ${volume.received} and sent ${volume.sent}`,
  )
}

const KILLED_MS = 1_000
const DISABLED_MS = 2_000
const RETURNS_MS = 30_000

const ENDED: Check = {
  number: 40,
  title:
    'kill_user ends a dial within 1 s, and it is back by a fresh authorization; disabling ends it within 2 s for good',
  needs: 'linux',
  async run(lab) {
    const { call, network_number } = officeOf(lab.customers[0])
    await withMembers(lab, ['dialtwo'], async (member) => {
      if (!member) return
      const target = { router_name: member.name }
      const client = startClient(lab, member, network_number)
      try {
        await client.until(CONNECTED, DIAL_MS)
        await untilPinged(lab, 'A')
        const killedAt = Date.now()
        await call(networkApi.killUser, { network_number, ...target })
        const cut = await client.until(CUT, RETURNS_MS, killedAt)
        requireSoon('kill_user', cut.at - killedAt, lab.within(KILLED_MS))
        await client.until(CONNECTED, RETURNS_MS, cut.at)
        await untilPinged(lab, 'A')
        await poll(
          'two dials are recorded, the older ended',
          RECORD_MS,
          () => readDials(lab, member),
          (rows) => rows.map(({ end_time }) => end_time === null).join() === 'true,false',
        )
        const disabledAt = Date.now()
        await call(routerApi.updateStatus, { ...target, status: 0, confirm: 1 })
        const gone = await client.until(HALTED, RETURNS_MS, disabledAt)
        requireSoon('disabling', gone.at - disabledAt, lab.within(DISABLED_MS))
        await poll('the client gives up', RETURNS_MS, () => client.hasEnded(), Boolean)
        const back = client.lines().filter(({ at, text }) => at > gone.at && text.startsWith(CONNECTED))
        requireThat(back.length === 0, 'a disabled member is back')
        await client.until(CLIENT_ERRORS.DIAL_TOKEN_REVOKED.msg, RETURNS_MS, gone.at)
        const other = startClient(lab, member, network_number)
        await other.until(ROUTER_ERRORS.MEMBER_DISABLED.msg, RETURNS_MS).finally(() => other.stop())
      } finally {
        await client.stop()
      }
    })
  },
}

function requireSoon(what: string, tookMs: number, limitMs: number): void {
  requireThat(tookMs <= limitMs, `${what} ends the dial after ${tookMs} ms`)
}

const CLIENTS = 20
const BACK_MS = 15_000
const SOFTWARE_SERVER = /\/ov\d+s\.conf$/

const KILLED_SERVER: Check = {
  number: 41,
  title: 'after the death of a centre’s software server its 20 clients are back within 15 s, without a sign-in',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    const names = Array.from({ length: CLIENTS }, (_, n) => `crowd${n}`)
    await withMembers(lab, names, async (...members) => {
      const offers: Offer[] = []
      for (const member of members) offers.push(await (await signIn(lab, member))())
      const dials = offers.map((offer) =>
        startTokenDial(lab, offer, { name: offer.router_name, token: offer.token, afterRefusal: 'again' }),
      )
      try {
        await Promise.all(dials.map((dial) => dial.until(DIALLED, DIAL_MS)))
        const others = dials.filter((dial) => dialledFirst(dial) !== SITES.A.address)
        requireThat(others.length === 0, `${others.length} have not dialled A`)
        const [server] = findCarriers(bed, 'A', SOFTWARE_SERVER)
        requireThat(server !== undefined, 'A has no server for software')
        const killedAt = Date.now()
        process.kill(server, 'SIGKILL')
        const back = await Promise.all(dials.map((dial) => dial.until(DIALLED, DIAL_MS, killedAt)))
        const slowest = Math.max(...back.map(({ at }) => at - killedAt))
        requireThat(slowest <= lab.within(BACK_MS), `the last one is back after ${slowest} ms`)
        const logins = await customers[0].call(logsApi.softwareLogin, { search: 'crowd', page: 1, limit: 100 })
        requireThat(logins.length === CLIENTS, `${logins.length} sign-ins are recorded`)
      } finally {
        await Promise.all(dials.map((dial) => dial.stop()))
      }
    })
  },
}

const MODE = { byDefault: 1, centreFirst: 2 } as const

const DIALLED_FIRST: Check = {
  number: 38,
  title: 'in the dial modes 1 and 2 a member dials the main router first',
  needs: 'linux',
  async run(lab) {
    const { call, network_number, name } = officeOf(lab.customers[0])
    const target = { network_number }
    await withMembers(lab, ['dialmode'], async (member) => {
      if (!member) return
      const offer = await signIn(lab, member)
      try {
        for (const [mode, main, other] of [
          [MODE.byDefault, 'B', 'A'],
          [MODE.centreFirst, 'B', 'A'],
          [MODE.centreFirst, 'A', 'B'],
          [MODE.byDefault, 'A', 'B'],
        ] as const) {
          await call(networkApi.softwareMode, { ...target, router_name: member.name, mode })
          await call(networkApi.editRouting, {
            ...target,
            type: 2,
            main_router: name(main),
            secondary_router: name(other),
          })
          const given = await offer()
          requireThat(given.mode === mode, `mode ${given.mode} is given`)
          const dial = startTokenDial(lab, given, { name: member.name, token: given.token, afterRefusal: 'again' })
          await dial.until(DIALLED, DIAL_MS).finally(() => dial.stop())
          const first = dialledFirst(dial)
          requireThat(first === SITES[main].address, `in mode ${mode} with ${main} as main router ${first} is dialled`)
        }
      } finally {
        await call(networkApi.editRouting, { ...target, type: 1, main_router: '', secondary_router: '' })
      }
    })
  },
}

export const SOFTWARE: readonly Check[] = [DIAL, DIALLED_FIRST, ENDED, KILLED_SERVER]
