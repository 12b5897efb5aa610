/* Texts of counts, bandwidths, latencies, traffic and file sizes, with their units. */

const DECIMALS = 2

/** 1234567 → 1,234,567; 10000+ if it is above `max`. */
export function countText(value: number, max = Infinity): string {
  if (value > max) return `${max}+`
  return Math.round(value).toLocaleString('en')
}

/** Bandwidth is always given in Mbps (account 9). */
export function bandwidthText(bandwidthMbps: number): string {
  const [whole = '0', fraction] = String(bandwidthMbps).split('.')
  return `${countText(Number(whole))}${fraction === undefined ? '' : `.${fraction}`} Mbps`
}

/** Bandwidth of a SaaS device; 0 is off (directory 3). */
export const mbsText = (mbps: number): string => (mbps === 0 ? '已停用' : `${mbps} Mbs`)

/** Latency: <0.1 ms, 8.4 ms below ten, 24 ms above. */
/** Loss in per mille as a percentage: 15 is 1.5%. */
export const lossText = (perMille: number): string => `${perMille / 10}%`

export function rttText(rttMs: number | null): string {
  if (rttMs === null) return '—'
  if (rttMs < 0.05) return '<0.1 ms'
  return `${rttMs < 9.95 ? rttMs.toFixed(1) : Math.round(rttMs)} ms`
}

/** Bit/s or byte/s: a persisted setting of the user. */
export type TrafficUnit = 'bit' | 'byte'

const SCALES = [
  { divisor: 1e9, prefix: 'G' },
  { divisor: 1e6, prefix: 'M' },
  { divisor: 1e3, prefix: 'k' },
]

function scaled(value: number, symbol: string): string {
  const { divisor, prefix } = SCALES.find((scale) => Math.abs(value) >= scale.divisor) ?? { divisor: 1, prefix: '' }
  return `${(value / divisor).toFixed(DECIMALS)} ${prefix}${symbol}`
}

/** A rate in bit/s as 1.50 Mbit/s, or divided by 8 as 0.19 MB/s (network 2: two decimals). */
export function rateText(bitsPerSecond: number, unit: TrafficUnit): string {
  return unit === 'bit' ? scaled(bitsPerSecond, 'bit/s') : scaled(bitsPerSecond / 8, 'B/s')
}

/** Unit of a chart's axis and legend; `bits` is its size in bits (network 2: Mbit/s, or value/8). */
export const RATE_UNIT: Readonly<Record<TrafficUnit, { readonly name: string; readonly bits: number }>> = {
  bit: { name: 'Mbit/s', bits: 1e6 },
  byte: { name: 'MB/s', bits: 8e6 },
}

/** A rate as a bare number of `RATE_UNIT`, with two decimals. */
export function rateNumber(bitsPerSecond: number, unit: TrafficUnit): string {
  const value = bitsPerSecond / RATE_UNIT[unit].bits
  if (value > 0 && value < 0.005) return '<0.01'
  const [whole = '0', fraction = ''] = value.toFixed(DECIMALS).split('.')
  return `${countText(Number(whole))}.${fraction}`
}

/** An amount in bits as 12.00 Mb, or divided by 8 as 1.50 MB. */
export function trafficText(bits: number, unit: TrafficUnit): string {
  return unit === 'bit' ? scaled(bits, 'b') : scaled(bits / 8, 'B')
}

/** A file size in powers of 1024, as upload limits are counted: 512 B, 1.5 KB, 2 MB. */
export function fileSizeText(bytes: number): string {
  const [value, unit] =
    bytes < 1024 ? [bytes, 'B'] : bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB']
  return `${Number(value.toFixed(1))} ${unit}`
}
