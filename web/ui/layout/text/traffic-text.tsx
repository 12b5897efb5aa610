import { trafficText } from '#lib/format/format-unit.ts'
import { useTrafficUnit } from '#ui/chart/traffic-unit.ts'

/* Amount of traffic in the user's unit. */

export function TrafficText({ bits }: { readonly bits: number }) {
  return trafficText(bits, useTrafficUnit()[0])
}
