import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import { loginApi } from '#contract/login/index.ts'
import { TUNNEL_LIST } from '#contract/network/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { trunkId } from '#domain/network/members/links.ts'
import { signInForm } from '#infra/demo/load.ts'
import { callEndpoint } from '#infra/local/api.ts'
import type { LiveTarget } from '#lib/live/live-stream.ts'
import { ACCOUNT, COMPANY, type Company, beforeSignIn } from './company.ts'
import type { ExtraCounts } from './extra-counts.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { openVirtualViewer } from './virtual-viewer.ts'

/* Counts of what people do with consoles: pages that stay open for an hour, and single calls. */

/** Rows of a page. */
const SHOWN = 10
/** Time in which a new document is applied and confirmed everywhere. */
const PUSHED_MS = 2 * MINUTE_MS

export async function countUse(clock: VirtualClock, company: Company, counts: ExtraCounts) {
  const pages = await countPages(clock, company, counts)
  return { ...pages, ...(await countCalls(clock, company, counts)) }
}

async function countPages(clock: VirtualClock, company: Company, counts: ExtraCounts) {
  const { origin, number: network_number, routers, openSession } = company
  const points = routers.slice(-SHOWN)
  const links = points.flatMap(({ linkIds }) => linkIds())
  const trunks = routers.slice(0, COMPANY.centers).map(({ serial }) => trunkId(serial))
  const shown = { members: points.map(({ serial }) => serial), rates: [...trunks, ...links.slice(0, 1)] }
  const hourOf = (target: LiveTarget, of: typeof shown | null = null) =>
    counts.hourOf(async () => openVirtualViewer(origin, clock, await openSession(), target, of))
  const pollTunnels = async () => {
    const input = { network_number, kind: 'link', id: links.join() } as const
    const token = await openSession()
    const poll = () => clock.request(callEndpoint(origin, '/api/v1', networkApi.tunnels, input, token))
    return clock.every(TUNNEL_LIST.pollMs, () => void poll())
  }
  return {
    /** A console that is open: the hub of its account checks the leases of all routers. */
    consoleHour: await hourOf({ kind: 'account' }),
    /** The drawing of a network, with the throughput of its centres' trunks and of a selected link. */
    networkHour: await hourOf({ kind: 'network', network_number }, shown),
    /** A page of tunnels with their bytes. */
    tunnelsHour: await counts.hourOf(pollTunnels),
    /** Live traffic of one router. */
    streamHour: await hourOf({ kind: 'router', router_name: shown.members[0] ?? '' }),
  }
}

async function countCalls(clock: VirtualClock, company: Company, counts: ExtraCounts) {
  const { origin, number: network_number, routers } = company
  let [token, cookie] = ['', '']
  const call = <E extends Endpoint>(spec: E, input: Input<E>) =>
    clock.answerOf(callEndpoint(origin, '/api/v1', spec, input, token))
  const openTarget = (target: LiveTarget) => async () => (await openVirtualViewer(origin, clock, token, target))()
  const signIn = async () => {
    const form = await clock.answerOf(signInForm(origin, ACCOUNT.username, ACCOUNT.password))
    const keep = (headers: Headers) =>
      (cookie = headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '))
    token = (await clock.answerOf(callEndpoint(origin, '/api/v1', loginApi.account, form, '', keep))).access_token
  }
  const refresh = () =>
    clock.answerOf(fetch(`${origin}/api/v1/${loginApi.refresh.path}`, { method: 'POST', headers: { cookie } }))
  const id = routers.at(-1)?.linkIds()[0] ?? ''
  await beforeSignIn()
  const ofSignIn = await counts.settledOf(signIn)
  const { revision } = await call(networkApi.info, { network_number })
  return {
    signIn: ofSignIn,
    refresh: await counts.settledOf(refresh),
    /** A page is opened and left: its ticket and its socket. */
    openPage: await counts.settledOf(openTarget({ kind: 'network', network_number })),
    list: await counts.settledOf(() => call(networkApi.lists, {})),
    linkHistory: await counts.settledOf(() => call(networkApi.linkHistory, { network_number, id, range: 'day' })),
    save: await counts.settledOf(() => call(networkApi.name, { network_number, network_name: '改名' })),
    /** A save that gives every router of the network another document. */
    push: await counts.settledOf(async () => {
      await call(networkApi.ciphers, { network_number, ncp_ciphers: 'sm', revision: revision + 1 })
      await clock.advance(PUSHED_MS)
    }),
  }
}
