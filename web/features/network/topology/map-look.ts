import { PRESENCE_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import type { Member } from '../live-network.ts'
import type { DrawingData } from './drawing-data.ts'
import { MAP_CELL_PX } from './layout/density-map.ts'

/* Looks of the cells of the density map: shape and class by state. Shapes differ without colour, too. */

export const MAP_LOOKS = ['ok', 'single', 'fault', 'pending', 'offline', 'never', 'disabled'] as const
export type MapLook = (typeof MAP_LOOKS)[number]

export const MAP_WORD: Readonly<Record<MapLook, string>> = {
  ok: '正常',
  single: SINGLE_CENTER_WORD,
  fault: '异常',
  pending: '未知或重连中',
  offline: PRESENCE_WORD.offline,
  never: PRESENCE_WORD.never,
  disabled: PRESENCE_WORD.disabled,
}

export function mapLook(member: Member | undefined, { affected }: Pick<DrawingData, 'affected'>): MapLook {
  const { state } = member?.presence ?? { state: 'never' }
  if (state === 'offline' || state === 'never' || state === 'disabled') return state
  if (state === 'flapping') return 'fault'
  if (state === 'unreadable' || state === 'reconnecting') return 'pending'
  const name = member?.router_name ?? ''
  return affected.abnormal.has(name) ? 'fault' : affected.singleCenter.has(name) ? 'single' : 'ok'
}

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
const square = (x: number, y: number, half: number) => `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}z`
const diamond = (x: number, y: number, r: number) => `M${x} ${y - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}z`

const SHAPE: Readonly<Record<MapLook, (x: number, y: number) => string>> = {
  ok: (x, y) => square(x, y, 4.5),
  single: (x, y) => square(x, y, 4.5) + square(x, y, 2.5),
  fault: (x, y) => diamond(x, y, 6),
  pending: (x, y) => diamond(x, y, 6) + diamond(x, y, 3.2),
  offline: (x, y) => circle(x, y, 5.25) + circle(x, y, 2.5),
  never: (x, y) => circle(x, y, 2),
  disabled: (x, y) => `M${x - 4.5} ${y - 1.25}h9v2.5h-9z`,
}

/** Path of one cell at its top left corner. For `fill-rule: evenodd`. */
export const lookPath = (look: MapLook, x: number, y: number): string =>
  SHAPE[look](x + MAP_CELL_PX / 2, y + MAP_CELL_PX / 2)
