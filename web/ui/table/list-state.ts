import { PAGE_SIZE, PAGE_SIZES } from '#contract/kernel/limits.ts'
import { wholeNumber } from '#contract/kernel/input/typed-text.ts'

/* State of a list as pure functions: read from the query, written to it, and changed. */

export type PageSize = (typeof PAGE_SIZES)[number]
export type SortOrder = 'asc' | 'desc'

/** Search, filters, order and page of a list; the address bar holds them. */
export interface ListView<F extends string = string, S extends string = string> {
  readonly search: string
  readonly filters: Readonly<Record<F, string>>
  /** Name of the order; the first of `sorts` is the default. */
  readonly sort: S
  readonly order: SortOrder
  readonly page: number
  readonly limit: PageSize
}

export interface ListShape<F extends string = string, S extends string = string> {
  readonly filters: Readonly<Record<F, string>>
  /** Names of the orders, as in `sortBy` of the contract. */
  readonly sorts: readonly S[]
}

/** Reads a view from the query. Absent or unknown values get their default, an invalid page the first. */
export function readView<F extends string, S extends string>(
  query: URLSearchParams,
  { filters: defaults, sorts }: ListShape<F, S>,
): ListView<F, S> {
  const filters: Record<F, string> = { ...defaults }
  for (const name in defaults) filters[name] = query.get(name) ?? defaults[name]
  const page = wholeNumber(query.get('page') ?? '')
  return {
    search: query.get('search') ?? '',
    filters,
    sort: sorts.find((known) => known === query.get('sort')) ?? (sorts[0] as S),
    order: query.get('order') === 'asc' ? 'asc' : 'desc',
    page: typeof page === 'number' && page > 0 ? page : 1,
    limit: PAGE_SIZES.find((size) => String(size) === query.get('limit')) ?? PAGE_SIZE,
  }
}

/** Writes a view into a query, without default values; other parameters stay. */
export function writeView<F extends string, S extends string>(
  query: URLSearchParams,
  view: ListView<F, S>,
  { filters: defaults, sorts }: ListShape<F, S>,
): URLSearchParams {
  const next = new URLSearchParams(query)
  const put = (name: string, value: string, fallback: string) => {
    if (value === fallback) next.delete(name)
    else next.set(name, value)
  }
  put('search', view.search, '')
  for (const name in defaults) put(name, view.filters[name], defaults[name])
  put('sort', view.sort ?? '', sorts[0] ?? '')
  put('order', view.order, 'desc')
  put('limit', String(view.limit), String(PAGE_SIZE))
  put('page', String(view.page), '1')
  return next
}

export type ListChange<F extends string, S extends string> =
  | { readonly type: 'search'; readonly search: string }
  | { readonly type: 'filter'; readonly name: F; readonly value: string }
  | { readonly type: 'sort'; readonly sort: S; readonly order: SortOrder }
  | { readonly type: 'page'; readonly page: number }
  | { readonly type: 'limit'; readonly limit: PageSize }
  | { readonly type: 'clear' }

/** A new filter or order starts at the first page; a new page size keeps the first row. */
export function nextView<F extends string, S extends string>(
  view: ListView<F, S>,
  change: ListChange<F, S>,
  { filters: defaults }: Pick<ListShape<F, S>, 'filters'>,
): ListView<F, S> {
  switch (change.type) {
    case 'search':
      return change.search === view.search ? view : { ...view, search: change.search, page: 1 }
    case 'filter':
      return { ...view, filters: { ...view.filters, [change.name]: change.value }, page: 1 }
    case 'sort':
      return { ...view, sort: change.sort, order: change.order, page: 1 }
    case 'page':
      return { ...view, page: Math.max(1, change.page) }
    case 'limit':
      return { ...view, limit: change.limit, page: Math.floor(((view.page - 1) * view.limit) / change.limit) + 1 }
    case 'clear':
      return { ...view, search: '', filters: defaults, page: 1 }
  }
}

export function isNarrowed<F extends string>(
  view: Pick<ListView<F>, 'search' | 'filters'>,
  { filters: defaults }: Pick<ListShape<F>, 'filters'>,
): boolean {
  if (view.search !== '') return true
  for (const name in defaults) if (view.filters[name] !== defaults[name]) return true
  return false
}
