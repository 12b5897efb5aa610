import { rateText, trafficText } from '#lib/format/format-unit.ts'
import './text.css'
import { useTrafficUnit } from '#ui/chart/traffic-unit.ts'

/* Rates and amounts of traffic in the user's unit. */

/** Rate, given in bit/s. */
export function RateText({ bitsPerSecond }: { readonly bitsPerSecond: number | null }) {
  const [unit] = useTrafficUnit()
  if (bitsPerSecond === null) return <span className="nl-muted">—</span>
  return <>{rateText(bitsPerSecond, unit)}</>
}

/** Amount, given in bits. */
export function TrafficText({ bits }: { readonly bits: number | null }) {
  const [unit] = useTrafficUnit()
  if (bits === null) return <span className="nl-muted">—</span>
  return <>{trafficText(bits, unit)}</>
}
