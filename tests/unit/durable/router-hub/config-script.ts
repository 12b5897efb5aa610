import {
  type ConfigEvent,
  type ConfigPush,
  configView,
  noDocument,
  stepConfig,
} from '#durable/router-hub/state/config-push.ts'

export const T0 = 1_800_000_000_000
export type Played = readonly [at: number, event: ConfigEvent, online?: boolean]

/** Plays events at given seconds and returns what was pushed, by version. */
export function play(...script: readonly Played[]) {
  let config: ConfigPush = noDocument
  const pushes: number[] = []
  for (const [at, event, online = true] of script) {
    const next = stepConfig(config, event, online, T0 + at * 1000)
    config = next.config
    if (next.push) pushes.push(config.version)
  }
  return { config, pushes, view: configView(config) }
}

export const compiled = (hash: string, isEmpty = false, floor = 0): ConfigEvent => ({
  type: 'compiled',
  hash,
  isEmpty,
  floor,
})
/** As the device words it. */
const REASON: Readonly<Record<string, string>> = { failed: '磁盘已满', reverted: '应用后无法连接到服务' }

export const result = (
  state: 'received' | 'applied' | 'confirmed' | 'failed' | 'reverted',
  hash: string,
  version = 1,
): ConfigEvent => ({
  type: 'result',
  result: { t: 'config_result', version, hash, state, reason: REASON[state] ?? '' },
})
export const reported = (hash: string | null, version = 1): ConfigEvent => ({
  type: 'reported',
  applied: hash === null ? null : { version, hash },
})
export const greeted = (hash: string | null, version = 1): ConfigEvent => ({
  type: 'greeted',
  applied: hash === null ? null : { version, hash },
})
export const due: ConfigEvent = { type: 'due' }
export const lost: ConfigEvent = { type: 'lost' }
export const emptied: ConfigEvent = { type: 'emptied' }
export const resend: ConfigEvent = { type: 'resend' }
