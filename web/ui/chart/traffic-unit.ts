import { useStore } from '#lib/store.ts'
import type { TrafficUnit } from '#lib/format/format-unit.ts'
import { createPersistedSetting } from '#lib/session/persisted-setting.ts'

/* Hook of the persisted unit of every rate and amount: bits or bytes. */

const unit = createPersistedSetting<TrafficUnit>('netloom.traffic-unit', ['bit', 'byte'], 'bit')

export function useTrafficUnit(): readonly [TrafficUnit, (next: TrafficUnit) => void] {
  return [useStore(unit), unit.set]
}
