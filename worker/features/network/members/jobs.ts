import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type DeviceJobKind, FORCE_OFFLINE_NAME, NETWORK_JOB_NAME } from '#contract/network/jobs.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { insertJob, insertJobOnce, selectJob } from '../sql/jobs.ts'
import { guardRate, routerRateKey } from '#db/rate-limit.ts'
import { hardwareOf } from '#domain/network/members/affected.ts'
import { devicesText } from '#domain/network/compile/device-settings.ts'
import { jobCapability, sessionServers, toJobState, worstState } from '#domain/network/members/jobs.ts'
import { type StoredMember, isSuspended } from '#domain/network/members/membership.ts'
import { toConfigView, toPresenceView } from '#domain/router/presence.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { filterLacking } from '../service.ts'
import { randomHex } from '#security/secrets.ts'
import { selectNetwork } from '../sql/networks.ts'
import { requireNetworkWithMembers, requireMember } from '../require.ts'
import { loadSettings } from '../settings.ts'
import type { networkApi } from '#contract/network/index.ts'
import { RESEND_RATE } from '#contract/network/limits.ts'
import { ROUTER_TYPE, ROUTER_RATE } from '#contract/router/limits.ts'
import { isDialled } from '#domain/network/compile/server-segments.ts'
import { labelOf } from '#domain/network/members/member-name.ts'

/* Endpoints of operations on members: end sessions, restart tunnels, resend the configuration, state of a job. */

type Api = typeof networkApi
type Accepted = Output<Api['killUser']>

/** Ends the member's sessions on all devices that it dials, POP nodes of its areas among them. It reconnects by itself. */
export async function killUser(ctx: Ctx, input: Parsed<Api['killUser']>): Promise<Accepted> {
  const loaded = await loadSettings(ctx, input.network_number)
  const { members, pointLinks, popNodes, stored, storedOf } = loaded
  const member = loaded.requireMember(input.router_name)
  const isHalted = input.halt === 1
  if (isHalted && member.routerType !== ROUTER_TYPE.software) refuse('SOFTWARE_ONLY')
  const links = { pointLinks, centerLink: stored.values.center_link }
  const nodes = popNodes.filter((node) => isDialled({ settings: storedOf(member.routerId).values }, node))
  const devices = [...sessionServers(member, members, links), ...nodes]
  if (devices.length === 0) refuse('JOB_NO_SESSION', { name: labelOf(member) })
  const params = { name: member.routerName, ...(isHalted && { halt: true }) }
  const verb = isHalted ? FORCE_OFFLINE_NAME : NETWORK_JOB_NAME.kill_user
  return runJob(ctx, loaded, { kind: 'kill_user', verb, member, devices, params })
}

/** Restarts the tunnels of this network on one device. */
export async function resetRespawn(ctx: Ctx, input: Parsed<Api['resetRespawn']>): Promise<Accepted> {
  const loaded = await requireNetworkWithMembers(ctx, input.network_number)
  const member = requireMember(loaded.members, input.router_name)
  if (member.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY')
  const verb = NETWORK_JOB_NAME.reset_respawn
  return runJob(ctx, loaded, { kind: 'reset_respawn', verb, member, devices: [member], params: {} })
}

type LoadedNetwork = Pick<Awaited<ReturnType<typeof requireNetworkWithMembers>>, 'network' | 'accountHub'>

interface DeviceJob {
  readonly kind: DeviceJobKind
  /** Its word in the audit log. */
  readonly verb: string
  /** Member that the job is about. */
  readonly member: Pick<StoredMember, 'routerName' | 'note'>
  readonly devices: readonly (Pick<StoredMember, 'routerId' | 'routerName' | 'hub'> & { readonly note?: string })[]
  readonly params: Readonly<Record<string, string | boolean>>
}

const RATE_CALL = { kill_user: 'kill', reset_respawn: 'respawn' } as const

/**
 * Writes a job, which counts as accepted then. The hub of each device reads it from the database. The same job that still
 * waits for all of its devices is not repeated: its id is the answer.
 */
async function runJob(ctx: Ctx, { network, accountHub }: LoadedNetwork, job: DeviceJob) {
  const { kind, verb, member, devices, params } = job
  if (isSuspended(network)) refuse('NETWORK_SUSPENDED')
  const lacking = await filterLacking(ctx, accountHub, devices, [jobCapability(kind)]) // POP nodes are never among them
  if (lacking.length > 0)
    refuse('JOB_UNSUPPORTED', { devices: devicesText(lacking.map((device) => ({ note: '', ...device }))) })
  const jobId = randomHex(16)
  const { accountId, number } = network
  const rows = {
    jobId,
    kind,
    params: { network_number: number, ...params },
    routerIds: devices.map(({ routerId }) => routerId),
  }
  const { same } = await batch(ctx.db, {
    rate: guardRate(ctx.db, routerRateKey(RATE_CALL[kind], accountId, member.routerName), ROUTER_RATE, ctx.now),
    ...insertJobOnce(ctx.db, network, rows, ctx.now),
    audit: auditRow(ctx, {
      module: 'network',
      action: kind,
      target: number,
      message: `组网“${network.name}”的成员“${labelOf(member)}”${verb}`,
      after: { router_name: member.routerName, devices: devices.map(({ routerName }) => routerName) },
    }),
    hubs: notifyHubs(ctx, refreshTasks('router', devices)),
  })
  return { job_id: same[0]?.[0] ?? jobId }
}

export async function readJob(ctx: Ctx, input: Parsed<Api['job']>): Promise<Output<Api['job']>> {
  const scope = requireSession(ctx)
  const { networks, rows } = await batch(ctx.db, {
    networks: selectNetwork(ctx.db, scope, input.network_number),
    rows: selectJob(ctx.db, scope, input.network_number, input.job_id),
  })
  if (networks.length === 0) refuse('NETWORK_NOT_FOUND')
  const first = rows[0] ?? refuse('JOB_NOT_FOUND')
  const devices = rows.map(({ routerName, note, device, data, ...job }) => ({
    router_name: routerName,
    router_name_note: note,
    ...toJobState(job, { presence: toPresenceView(device), config: toConfigView(device) }, ctx.now),
    data: data === null ? null : (JSON.parse(data) as unknown),
  }))
  return {
    job_id: input.job_id,
    kind: first.kind,
    state: worstState(devices.map(({ state }) => state)),
    devices,
  }
}

/**
 * Pushes the newest configuration again; an offline device gets it when it returns. All members: once in 30 s. One member:
 * at the rate of router/resend.
 */
export async function reSendConfig(ctx: Ctx, input: Parsed<Api['reSendConfig']>): Promise<Output<Api['reSendConfig']>> {
  const { network, members } = await requireNetworkWithMembers(ctx, input.network_number)
  const { router_name: name } = input
  const named = name === undefined ? members : [requireMember(members, name)]
  const hardware = hardwareOf(named)
  const first = hardware[0] ?? refuse('HARDWARE_ONLY')
  if (isSuspended(network)) refuse('NETWORK_SUSPENDED')
  const { accountId, number } = network
  const { db, now } = ctx
  const jobId = name === undefined ? null : randomHex(16)
  const job = jobId !== null && { jobId, kind: 'resend' as const, params: {}, routerIds: [first.routerId] }
  await batch(db, {
    rate: job
      ? guardRate(db, routerRateKey('resend', accountId, first.routerName), ROUTER_RATE, now)
      : guardRate(db, `network_resend:${accountId}:${number}`, RESEND_RATE, now),
    ...(job && insertJob(db, network, job, now)),
    audit: auditRow(ctx, {
      module: 'network',
      action: 're_send_config',
      target: number,
      message: `重新下发组网“${network.name}”的配置，共${hardware.length}个成员`,
      after: { router_name: name ?? '*' },
    }),
    hubs: notifyHubs(
      ctx,
      hardware.map(({ hub }) => ({ kind: 'router', hub, op: 'resend' })),
    ),
  })
  return jobId === null ? null : { job_id: jobId }
}
