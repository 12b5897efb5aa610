import type { Parsed } from '#contract/kernel/endpoint.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { AttentionRow } from '#contract/kernel/health.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import type { Evidence, overviewApi } from '#contract/overview/index.ts'
import { createLabels } from '#domain/health/attention.ts'
import { devicesBehind, findRestart, findSite, listFaultyLinks, toStepFacts } from '#domain/health/evidence.ts'
import { stepsAgainst } from '#domain/health/steps.ts'
import type { Ctx } from '#http/context.ts'
import { askNetworkHub } from '#features/network/service.ts'
import { type EvaluatedOverview, evaluateOverview, toChange } from './evaluate.ts'

/* Evidence about one row that needs attention, and the steps against its trouble. */

const OVER: Evidence = { row: null, events: [], links: [], site: null, steps: [], restart: null }

/** The rows are evaluated as for the overview, so that both say the same; the network's hub adds the views of both ends. */
export async function readEvidence(ctx: Ctx, { id }: Parsed<(typeof overviewApi)['evidence']>): Promise<Evidence> {
  const evaluated = await evaluateOverview(ctx, ctx.now - HEALTH.transitionsMs)
  const { attention, members, facts, moves } = evaluated
  const row = attention.find((one) => one.id === id)
  if (row === undefined) return OVER
  const devices = devicesBehind(row.target, members)
  const names = new Set(devices.map(({ routerName }) => routerName))
  const site = row.target.type === 'router' ? findSite(devices[0], members) : null
  const [network, links] = await readLinks(ctx, row, evaluated)
  const labelOf = createLabels({ members, networks: facts })
  const notes = new Map(members.map((member) => [member.routerName, member.label]))
  const toEnd = (name: string, receives: boolean | null) => ({
    router_name: notes.has(name) ? name : '',
    note: labelOf(name),
    receives: receives === null ? null : toWireBoolean(receives),
  })
  return {
    row,
    events: moves
      .filter(({ router }) => names.has(router.router_name))
      .slice(0, HEALTH.evidenceShown)
      .map(toChange),
    links: links.slice(0, HEALTH.evidenceShown).map((link) => ({
      network_number: network,
      state: link.state,
      reason: link.reason,
      since: link.since,
      ends: [toEnd(link.router_name, link.client_up), toEnd(link.center_router_name, link.server_up)],
    })),
    site,
    steps: [...stepsAgainst(row.kind, toStepFacts(site, links, devices, labelOf))],
    restart: findRestart(row, members),
  }
}

/** Faulty links of the row's device, in the network of the row or the first of the device. */
async function readLinks(
  ctx: Ctx,
  { target }: AttentionRow,
  { networks, members }: EvaluatedOverview,
): Promise<[network: string, links: readonly LinkView[]]> {
  const name = target.router_name
  const number = target.network_number ?? members.find(({ routerName }) => routerName === name)?.networks[0]?.number
  const network = networks.find((one) => one.number === number)
  if (name === null || network === undefined) return ['', []]
  const { hub, revision } = network
  const found = await askNetworkHub(hub, () => ctx.hubs.network(hub).routerLinks(revision, name))
  return [network.number, listFaultyLinks(target, found?.links ?? [])]
}
