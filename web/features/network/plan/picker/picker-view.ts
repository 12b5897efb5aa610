import { isMatch, type MemberOption } from './picker.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** Filters of the table of candidates; an empty one lets everything pass. */
export interface PickerFilter {
  readonly search: string
  readonly kind: string
  readonly part: string
  readonly state: string
}

/** Marks of options that a filter and the order look at. */
export interface PickerMarks {
  readonly roles: ReadonlyMap<string, 'center' | 'point'>
  readonly overlapping: ReadonlySet<string>
}

export const KINDS = { hardware: ROUTER_TYPE.hardware, software: ROUTER_TYPE.software } as const

/** Options that pass all filters but that of states, which counts them. */
export function filterOptions(
  options: readonly MemberOption[],
  { search, kind, part }: Omit<PickerFilter, 'state'>,
  { roles, overlapping }: PickerMarks,
): readonly MemberOption[] {
  return options.filter(
    (option) =>
      (kind === '' || option.routerType === KINDS[kind as keyof typeof KINDS]) &&
      (part === '' || isInPart(part, option.router_name, { roles, overlapping })) &&
      (isMatch(option, search) || option.lan.some((segment) => segment.includes(search.trim()))),
  )
}

function isInPart(part: string, name: string, { roles, overlapping }: PickerMarks): boolean {
  if (part === 'overlap') return overlapping.has(name)
  return roles.has(name) === (part === 'chosen')
}

const RANK = { center: 0, point: 1 } as const

/** Centres, points, then the rest; otherwise as given. */
export function chosenFirst(options: readonly MemberOption[], { roles }: PickerMarks): readonly MemberOption[] {
  const rank = ({ router_name }: MemberOption) => {
    const role = roles.get(router_name)
    return role === undefined ? 2 : RANK[role]
  }
  return options.toSorted((a, b) => rank(a) - rank(b))
}
