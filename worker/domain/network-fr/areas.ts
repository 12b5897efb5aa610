import type { MemberSettings } from '#contract/network/settings.ts'
import { type SettingRow, readMemberSettings } from '#domain/network/history/stored-settings.ts'

/** Areas of members by their stored setting `ov`; of those without one none. */
export function toAreas(
  rows: readonly (SettingRow & { readonly routerId: number })[],
): (routerId: number) => MemberSettings['ov'] {
  const byRouter = new Map(rows.filter(({ setting }) => setting === 'ov').map((row) => [row.routerId, row]))
  return (routerId) => {
    const row = byRouter.get(routerId)
    return readMemberSettings(row ? [row] : []).values.ov
  }
}
