import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { DIAGNOSIS_KIND_NAME, DIAGNOSIS_RATE, type DiagnosisPlan } from '#contract/network/diagnosis.ts'
import type { networkApi } from '#contract/network/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guardRate } from '#db/rate-limit.ts'
import { diagnosisSegments, innerAddresses } from '#domain/network/diagnosis/addresses.ts'
import { checkDiagnosis } from '#domain/network/diagnosis/allowed.ts'
import { planPath } from '#domain/network/diagnosis/plan.ts'
import { isInside } from '#domain/network/addresses/segments.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { isSuspended } from '#domain/network/members/membership.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { randomHex } from '#security/secrets.ts'
import { type LoadedNetwork, loadSettings } from '../settings.ts'
import { selectNetwork } from '../sql/networks.ts'

/* Endpoints of diagnoses: a new one by a plan of the rows, and the records in the network's hub. */

type Api = typeof networkApi
type Asked = Parsed<Api['diagnose']>

/** Plans it by the rows, counts and audits it, and hands it to the network's hub, which asks the routers. */
export async function startDiagnosis(ctx: Ctx, input: Asked): Promise<Output<Api['diagnose']>> {
  const loaded = await loadSettings(ctx, input.network_number)
  const { network, rows } = loaded
  const member = loaded.requireMember(input.router_name)
  const self = rows.members.find(({ routerId }) => routerId === member.routerId)
  if (self?.routerType !== ROUTER_TYPE.hardware) return refuse('HARDWARE_ONLY')
  if (isSuspended(network)) refuse('NETWORK_SUSPENDED')
  throwIf(checkDiagnosis(rows, network.name, self, input))
  const plan = toPlan(ctx, loaded, { ...input, router_name: member.routerName })
  const { accountId, number } = network
  const { kind, destination } = input
  await batch(ctx.db, {
    rate: guardRate(ctx.db, `diagnose:${accountId}`, DIAGNOSIS_RATE, ctx.now),
    audit: auditRow(ctx, {
      module: 'network',
      action: 'diagnose',
      target: number,
      message: `组网“${network.name}”从成员“${labelOf(member)}”对${destination}进行${DIAGNOSIS_KIND_NAME[kind]}`,
      after: { router_name: member.routerName, kind, source: input.source, destination },
    }),
  })
  const state = await ctx.hubs.network(network.hub).diagnose(plan)
  if (state === 'offline') refuse('DIAGNOSIS_AWAY', { name: labelOf(member) })
  if (state === 'busy') refuse('DIAGNOSIS_BUSY')
  if (state === 'too_old') refuse('DIAGNOSIS_UNSUPPORTED')
  return { job_id: plan.jobId }
}

function toPlan(ctx: Ctx, loaded: LoadedNetwork, asked: Asked): DiagnosisPlan {
  const { network, rows, members, popNodes } = loaded
  const { kind, router_name: routerName, source, destination, count } = asked
  const labels = new Map([
    ...members.map((member) => [member.routerName, labelOf(member)] as const),
    ...popNodes.map(({ routerName: name, area }) => [name, `POP ${area}`] as const),
  ])
  const isAt = (segment: string) => isInside(`${destination}/32`, segment)
  const isTraced = kind === 'traceroute'
  const toLabel = (name: string) => labels.get(name) ?? name
  return {
    jobId: randomHex(16),
    revision: network.revision,
    networkNumber: network.number,
    kind,
    routerName,
    routerNote: members.find((member) => member.routerName === routerName)?.note ?? '',
    source,
    destination,
    count,
    by: requireSession(ctx).username,
    hops: kind === 'path' ? planPath(rows, routerName, destination, toLabel) : [],
    isPinged: source === '' && diagnosisSegments(rows, false).some(isAt),
    labels: Object.fromEntries(labels),
    addresses: isTraced ? Object.fromEntries(innerAddresses(rows)) : {},
    nodes: popNodes.map((node) => node.routerName),
    segments: isTraced ? diagnosisSegments(rows, true) : [],
  }
}

export async function readDiagnosis(ctx: Ctx, input: Parsed<Api['diagnosis']>): Promise<Output<Api['diagnosis']>> {
  const { hub } = await requireNetwork(ctx, input.network_number)
  const record = await ctx.hubs.network(hub).diagnosis(input.job_id)
  return record === null ? refuse('DIAGNOSIS_NOT_FOUND') : { ...record, steps: [...record.steps] }
}

export async function listDiagnoses(ctx: Ctx, { network_number, page, limit }: Parsed<Api['diagnoses']>) {
  const { hub } = await requireNetwork(ctx, network_number)
  const { rows, count } = await ctx.hubs.network(hub).diagnoses(page, limit)
  return { data: [...rows], count }
}

/** A network in the caller's scope. */
async function requireNetwork(ctx: Ctx, number: string) {
  const { networks } = await batch(ctx.db, { networks: selectNetwork(ctx.db, requireSession(ctx), number) })
  return networks[0] ?? refuse('NETWORK_NOT_FOUND')
}
