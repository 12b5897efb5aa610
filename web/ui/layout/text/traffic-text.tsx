import { rateText, trafficText } from '#lib/format/format-unit.ts'
import './text.css'
import { useTrafficUnit } from '#ui/chart/traffic-unit.ts'

/** A rate, given in bit/s, shown in the user's unit. */
export function RateText({ bitsPerSecond }: { readonly bitsPerSecond: number | null }) {
  const [unit] = useTrafficUnit()
  if (bitsPerSecond === null) return <span className="nl-muted">—</span>
  return <>{rateText(bitsPerSecond, unit)}</>
}

/** An amount, given in bits, shown in the user's unit. */
export function TrafficText({ bits }: { readonly bits: number | null }) {
  const [unit] = useTrafficUnit()
  if (bits === null) return <span className="nl-muted">—</span>
  return <>{trafficText(bits, unit)}</>
}
