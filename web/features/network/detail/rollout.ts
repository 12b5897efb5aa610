import type { ConfigView, PresenceView } from '#contract/kernel/protocol.ts'
import { isOnline } from '#domain/health/member.ts'

/* Progress of a roll-out of configurations to devices, after a change or a resend: for each device, as counts, in words. */

/** Desired configuration versions before a change was saved, by router_name. A new member is missing. */
export type Baseline = Readonly<Record<string, number>>

/** Baseline of a roll-out. A resend changes no version, only the time of each device's state. */
export type RolloutStart =
  | { readonly kind: 'saved'; readonly versions: Baseline }
  | { readonly kind: 'resent'; readonly times: Readonly<Record<string, number | null>> }

interface Configured {
  readonly router_name: string
  readonly presence: Pick<PresenceView, 'state' | 'live'>
  readonly config: ConfigView
}

/**
 * `pushing`: online, without an answer yet. `queued`: offline; it gets the configuration once it is online. `failed`:
 * failed, reverted or out of sync, until somebody acts.
 */
type Step = 'applied' | 'pushing' | 'queued' | 'failed'

export const toBaseline = (members: readonly Pick<Configured, 'router_name' | 'config'>[]): Baseline =>
  Object.fromEntries(members.map(({ router_name, config }) => [router_name, config.version]))

/** Software members have no configuration that could be sent again. */
export const toResent = (members: readonly Pick<Configured, 'router_name' | 'config'>[]): RolloutStart => ({
  kind: 'resent',
  times: Object.fromEntries(
    members.filter(({ config }) => config.state !== 'none').map(({ router_name, config }) => [router_name, config.at]),
  ),
})

/** Progress of one device; null for one that the roll-out does not concern. */
export function rolloutStep(start: RolloutStart, { router_name, presence, config }: Configured): Step | null {
  if (config.state === 'none') return null
  if (start.kind === 'saved') {
    return config.version > (start.versions[router_name] ?? -1) ? stepOf(config) : null
  }
  const before = start.times[router_name]
  if (before === undefined) return null
  return config.at === before ? (isOnline(presence) ? 'pushing' : 'queued') : stepOf(config)
}

function stepOf({ state }: ConfigView): Step {
  return state === 'applied' || state === 'pushing' || state === 'queued' ? state : 'failed'
}

export function computeRollout(start: RolloutStart, members: readonly Configured[]) {
  const count = { total: 0, applied: 0, pushing: 0, queued: 0, failed: 0 }
  for (const member of members) {
    const step = rolloutStep(start, member)
    if (step === null) continue
    count.total++
    count[step]++
  }
  return count
}

const VERB = { saved: '已保存', resent: '已重新下发' } as const satisfies Record<RolloutStart['kind'], string>

/** Progress in words. `isSettled`: no further device is concerned. */
export function rolloutText(
  kind: RolloutStart['kind'],
  rollout: ReturnType<typeof computeRollout>,
  isSettled: boolean,
): string {
  const { total, applied, pushing, queued, failed } = rollout
  if (total === 0) return `${VERB[kind]}，${isSettled ? '设备配置无变化' : '正在确认需要下发的设备'}`
  if (applied === total && isSettled) return `${VERB[kind]}，${total} 台设备已全部生效`
  const parts = [
    applied > 0 && `已生效 ${applied}`,
    pushing > 0 && `下发中 ${pushing}`,
    failed > 0 && `失败 ${failed}`,
    queued > 0 && `${queued} 台离线，上线后自动下发`,
  ].filter(Boolean)
  return `${VERB[kind]}，${pushing > 0 ? '正在下发… ' : ''}${parts.join(' · ')}`
}
