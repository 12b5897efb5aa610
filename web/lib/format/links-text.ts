import type { OpenedLinks } from '#contract/kernel/health.ts'
import { LINK_WORD } from '#contract/kernel/states.ts'
import { countText } from './format-unit.ts'

/* Text of the numbers of links: up of all, and unknown; the others are broken. */

interface LinkNumbers extends OpenedLinks {
  /** Links with an end that never came online, where they are counted. */
  readonly never?: number
}

/** 64/66, 62/66（未知 2）, 未知 66 while nothing is known, and 未开通 before the first one was opened. */
export function linksText({ up, unknown, total, never = 0 }: LinkNumbers): string {
  const ofNever = never === 0 ? [] : [`${LINK_WORD.never} ${countText(never)}`]
  if (total === 0) return ofNever[0] ?? LINK_WORD.never
  const ofUnknown = unknown === 0 ? [] : [`${LINK_WORD.unknown} ${countText(unknown)}`]
  const isNoneKnown = unknown === total
  const beside = [...(isNoneKnown ? [] : ofUnknown), ...ofNever].join(' · ')
  const numbers = isNoneKnown ? ofUnknown[0] : `${countText(up)}/${countText(total)}`
  return beside === '' ? `${numbers}` : `${numbers}（${beside}）`
}

/** Explanation of a number of unknown links. */
export const unknownLinksText = (unknown: number): string =>
  `${countText(unknown)} 条链路状态未知，既不算连通，也不算断开`
