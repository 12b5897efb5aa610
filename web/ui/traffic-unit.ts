import { useSyncExternalStore } from 'react'
import type { TrafficUnit } from '../lib/format-unit.ts'
import { createPersistedSetting } from './persisted-setting.ts'

const unit = createPersistedSetting<TrafficUnit>('netloom.traffic-unit', ['bit', 'byte'], 'bit')

/** The reader's unit for every rate and amount of the console. */
export function useTrafficUnit(): readonly [TrafficUnit, (next: TrafficUnit) => void] {
  return [useSyncExternalStore(unit.subscribe, unit.get), unit.set]
}
