import { savedViews } from '#contract/account/saved-views.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'

/* Saved views of lists: hooks of their endpoints, and the query in the address that makes one. */

export type SavedView = Output<typeof savedViews.views>[number]
export type ViewList = SavedView['list']

const NO_VIEWS: readonly SavedView[] = []

export const useSavedViews = (): readonly SavedView[] => useQuery(savedViews.views, {}).data?.data ?? NO_VIEWS

export const useSaveView = () => useCommand(savedViews.saveView, [], QUIET)
export const useDeleteView = () => useCommand(savedViews.deleteView)

const COLUMNS = 'columns'

/** Columns of the address that differ from the default of the table; null without such a choice. */
export function readColumns(query: URLSearchParams): ReadonlySet<string> | null {
  const text = query.get(COLUMNS)
  return text === null ? null : new Set(text.split('.').filter(Boolean))
}

export function writeColumns(query: URLSearchParams, columns: ReadonlySet<string>): URLSearchParams {
  const next = new URLSearchParams(query)
  next.set(COLUMNS, [...columns].join('.'))
  return next
}

/** Query of a view: filters, order, page size and columns of the address, without the page. */
export function toViewQuery(query: URLSearchParams, columns: ReadonlySet<string>): string {
  const view = writeColumns(query, columns)
  view.delete('page')
  view.sort()
  return view.toString()
}

/** The address shows this view, on any of its pages. */
export function isShown(view: Pick<SavedView, 'query'>, search: string): boolean {
  const query = new URLSearchParams(search)
  return toViewQuery(query, readColumns(query) ?? new Set()) === view.query
}
