import { act, renderHook } from '@testing-library/react'
import { assert, constantFrom, integer, property, record, string } from 'fast-check'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { describe, expect, it } from 'vitest'
import { PAGE_SIZES } from '#contract/kernel/limits.ts'
import { isNarrowed, nextView, readView, writeView } from '#ui/table/list-state.ts'
import { useListState } from '#ui/table/use-list-state.ts'

const DEFAULTS = { filters: { state: 'all', kind: '' }, sorts: ['created', 'name'] } as const
const START = readView(new URLSearchParams(), DEFAULTS)

describe('the address bar', () => {
  it('gives back what was written', () => {
    const view = record({
      search: string(),
      filters: record({ state: constantFrom('all', 'online'), kind: string() }),
      sort: constantFrom('created', 'name'),
      order: constantFrom('asc', 'desc'),
      page: integer({ min: 1, max: 9_999 }),
      limit: constantFrom(...PAGE_SIZES),
    })
    assert(
      property(view, (given) => {
        const query = new URLSearchParams(writeView(new URLSearchParams(), given, DEFAULTS).toString())
        expect(readView(query, DEFAULTS)).toEqual(given)
      }),
    )
  })

  it('omits defaults and keeps foreign parameters', () => {
    const query = writeView(new URLSearchParams('network_number=N1&page=3'), START, DEFAULTS)
    expect(query.toString()).toBe('network_number=N1')
  })

  it.each(['0', '-1', '1.5', 'x', ''])('page=%s is the first page', (page) => {
    expect(readView(new URLSearchParams({ page }), DEFAULTS).page).toBe(1)
  })
})

it.each(['?limit=30', '?limit=0', '?sort=phone', '?order=up'])('%s is none of the choices: the default', (query) => {
  expect(readView(new URLSearchParams(query), DEFAULTS)).toEqual(START)
})

describe('changes', () => {
  const paged = { ...START, page: 4 }

  it('start at the first page when the list narrows differently', () => {
    expect(nextView(paged, { type: 'search', search: 'a' }, DEFAULTS)).toMatchObject({ search: 'a', page: 1 })
    expect(nextView(paged, { type: 'filter', name: 'state', value: 'online' }, DEFAULTS).page).toBe(1)
    expect(nextView(paged, { type: 'search', search: '' }, DEFAULTS).page).toBe(4)
  })

  it('start at the first page when the list is sorted differently', () => {
    const change = { type: 'sort', sort: 'name', order: 'asc' } as const
    expect(nextView(paged, change, DEFAULTS)).toMatchObject({ sort: 'name', order: 'asc', page: 1 })
  })

  it.each([
    [10, 4, 20, 2], // rows 31–40 are on the second page of twenty
    [10, 4, 100, 1],
    [100, 1, 10, 1],
    [50, 3, 10, 11],
  ] as const)('%i rows a page, page %i: with %i the same row is on page %i', (limit, page, next, to) => {
    const view = nextView({ ...START, limit, page }, { type: 'limit', limit: next }, DEFAULTS)
    expect(view).toMatchObject({ limit: next, page: to })
  })

  it('clear keeps order and page size', () => {
    const view = { ...START, search: 'a', sort: 'name', order: 'asc', limit: 50 } as const
    expect(nextView(view, { type: 'clear' }, DEFAULTS)).toEqual({ ...view, search: '' })
  })

  it('clear takes back search, filters and page', () => {
    const narrow = { ...START, search: 'a', filters: { state: 'online', kind: 'x' }, page: 2 }
    expect(isNarrowed(narrow, DEFAULTS)).toBe(true)
    expect(nextView(narrow, { type: 'clear' }, DEFAULTS)).toEqual(START)
    expect(isNarrowed(START, DEFAULTS)).toBe(false)
  })
})

it('useListState reads and writes the address', () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={['/router/lists?tab=1&page=3&state=online']}>{children}</MemoryRouter>
  )
  const { result } = renderHook(() => ({ list: useListState({ state: 'all' }), at: useLocation().search }), { wrapper })
  expect(result.current.list).toMatchObject({ page: 3, filters: { state: 'online' }, isNarrowed: true })
  act(() => result.current.list.setSearch('总部'))
  expect(new URLSearchParams(result.current.at).get('search')).toBe('总部')
  expect(result.current.list.page).toBe(1)
  act(() => result.current.list.clear())
  expect(result.current.at).toBe('?tab=1')
})
