import type { ConfigView } from '#contract/kernel/protocol.ts'
import { isPresent } from '#domain/health/member.ts'
import {
  DEVICE_SETTING_KEYS,
  type DeviceSettingKey,
  unsupportedSettings,
  unsupportedText,
} from '#domain/network/compile/device-settings.ts'
import { unsupportedJobs } from '#domain/network/members/jobs.ts'
import { configView } from './config-push.ts'
import { presenceView } from './presence.ts'
import type { RouterState } from './storage.ts'

/** Settings that the device does not carry; none is known of a device that has not named its capabilities. */
const missingSettings = ({ device }: Pick<RouterState, 'device'>): readonly DeviceSettingKey[] =>
  device?.capabilities ? unsupportedSettings(DEVICE_SETTING_KEYS, device.capabilities) : []

/** Missing settings with the jobs that the device does not run, as the account's hub keeps them. */
export const missingCapabilities = (state: Pick<RouterState, 'device'>): readonly string[] => [
  ...missingSettings(state),
  ...(state.device?.capabilities ? unsupportedJobs(state.device.capabilities) : []),
]

/** Settings that its document uses and the device does not carry. */
export function documentUnsupported(state: Pick<RouterState, 'device' | 'router'>): readonly DeviceSettingKey[] {
  const missing = missingSettings(state)
  return (state.router?.settings ?? []).filter((key) => missing.includes(key))
}

/** Failed while the device is present and too old for its document, although some devices confirm what they do not know. */
export function shownConfig(state: Pick<RouterState, 'config' | 'device' | 'presence' | 'router'>): ConfigView {
  const view = configView(state.config)
  const unsupported = documentUnsupported(state)
  if (unsupported.length === 0 || !isPresent(presenceView(state.presence).state)) return view
  return { ...view, state: 'failed', reason: unsupportedText(unsupported) }
}
