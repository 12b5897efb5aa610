/** Search, filters and page of a list, as strings: what the address bar can hold. */
export interface ListView<F extends string = string> {
  readonly search: string
  readonly filters: Readonly<Record<F, string>>
  readonly page: number
}

/** Reads a view from the query. A filter that is absent has its default; a page that is no page is the first. */
export function readView<F extends string>(query: URLSearchParams, defaults: Readonly<Record<F, string>>): ListView<F> {
  const filters: Record<F, string> = { ...defaults }
  for (const name in defaults) filters[name] = query.get(name) ?? defaults[name]
  const page = Number(query.get('page'))
  return { search: query.get('search') ?? '', filters, page: Number.isSafeInteger(page) && page > 0 ? page : 1 }
}

/** Writes a view over a query, leaving out what has its default and keeping what is not the list's. */
export function writeView<F extends string>(
  query: URLSearchParams,
  view: ListView<F>,
  defaults: Readonly<Record<F, string>>,
): URLSearchParams {
  const next = new URLSearchParams(query)
  const put = (name: string, value: string, fallback: string) => {
    if (value === fallback) next.delete(name)
    else next.set(name, value)
  }
  put('search', view.search, '')
  for (const name in defaults) put(name, view.filters[name], defaults[name])
  put('page', String(view.page), '1')
  return next
}

export type ListChange<F extends string> =
  | { readonly type: 'search'; readonly search: string }
  | { readonly type: 'filter'; readonly name: F; readonly value: string }
  | { readonly type: 'page'; readonly page: number }
  | { readonly type: 'clear' }

/** Whatever narrows the list differently starts it at the first page again. */
export function nextView<F extends string>(
  view: ListView<F>,
  change: ListChange<F>,
  defaults: Readonly<Record<F, string>>,
): ListView<F> {
  switch (change.type) {
    case 'search':
      return change.search === view.search ? view : { ...view, search: change.search, page: 1 }
    case 'filter':
      return { ...view, filters: { ...view.filters, [change.name]: change.value }, page: 1 }
    case 'page':
      return { ...view, page: Math.max(1, change.page) }
    case 'clear':
      return { search: '', filters: defaults, page: 1 }
  }
}

export function isNarrowed<F extends string>(view: ListView<F>, defaults: Readonly<Record<F, string>>): boolean {
  if (view.search !== '') return true
  for (const name in defaults) if (view.filters[name] !== defaults[name]) return true
  return false
}
