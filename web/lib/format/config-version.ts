import type { ConfigView } from '#contract/kernel/protocol.ts'

/** Target and installed configuration version of a device as text; empty if it gets no configuration. */
export function configVersionText({ state, version, applied_version }: ConfigView): string {
  if (state === 'none') return ''
  if (applied_version === version) return `v${version}`
  return `目标 v${version} · ${applied_version === null ? '设备尚未取得' : `设备上为 v${applied_version}`}`
}
