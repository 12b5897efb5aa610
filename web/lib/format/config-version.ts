import type { ConfigView } from '#contract/kernel/protocol.ts'

/** Which version the device has, beside the state of its configuration; empty where it has none to get. */
export function configVersionText({ state, version, applied_version }: ConfigView): string {
  if (state === 'none') return ''
  if (applied_version === version) return `v${version}`
  return `目标 v${version} · ${applied_version === null ? '设备尚未取得' : `设备上为 v${applied_version}`}`
}
