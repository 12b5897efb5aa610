import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiError } from '#lib/call/transport.ts'
import { DataTable, type TableQuery } from '#ui/table/data-table.tsx'
import type { Column } from '#ui/table/table-column.ts'

interface Row {
  readonly id: string
  readonly size: number
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'id', title: '编号', cell: (row) => row.id, isName: true },
  { key: 'size', title: '数量', cell: (row) => row.size, align: 'right' },
]
const ROWS: readonly Row[] = [
  { id: 'a', size: 1 },
  { id: 'b', size: 2 },
  { id: 'c', size: 3 },
]
const idle = { isValidating: false, mutate: vi.fn<() => void>() }
const reply = (rows: readonly Row[], count = rows.length): TableQuery<Row> => ({
  ...idle,
  data: { data: rows, count },
})
const listAt = (page: number, isNarrowed = false) => ({
  page,
  isNarrowed,
  setPage: vi.fn<(page: number) => void>(),
  clear: vi.fn<() => void>(),
})

function table(query: TableQuery<Row>, list = listAt(1)) {
  return <DataTable label="成员" query={query} columns={COLUMNS} rowKey={(row) => row.id} list={list} />
}

afterEach(() => vi.useRealTimers())

it('shows rows with their headings, and no pager for a single page', () => {
  render(table(reply(ROWS)))
  expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['a', 'b', 'c'])
  expect(screen.queryByRole('navigation')).toBeNull()
})

it('turns pages', async () => {
  const list = listAt(2)
  render(table(reply(ROWS, 60), list))
  expect(screen.getByRole('button', { name: '第 2 页' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getAllByRole('button', { name: /^第 \d/ })).toHaveLength(5)
  await userEvent.click(screen.getByRole('button', { name: '下一页' }))
  expect(list.setPage).toHaveBeenCalledWith(3)
})

it('distinguishes an empty list from an empty search', async () => {
  const { rerender } = render(table(reply([])))
  expect(screen.queryByText('好像没有什么东西哦！')).not.toBeNull()
  const list = listAt(1, true)
  rerender(table(reply([]), list))
  expect(screen.queryByText('暂无数据')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '清除筛选' }))
  expect(list.clear).toHaveBeenCalledTimes(1)
})

it('distinguishes a missing permission from a failure with retry', async () => {
  const mutate = vi.fn<() => void>()
  const { rerender } = render(table({ ...idle, error: new ApiError(403, '没有操作权限') }))
  expect(screen.queryByText('没有查看权限')).not.toBeNull()
  rerender(table({ ...idle, mutate, error: new ApiError(500, '系统响应超时', { requestId: 'req-7' }) }))
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toContain('系统响应超时')
  expect(alert.textContent).toContain('req-7')
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(mutate).toHaveBeenCalled()
})

it('keeps rows when a later poll fails', () => {
  render(table({ ...reply(ROWS), error: new ApiError(500, '系统响应超时') }))
  expect(screen.getAllByRole('rowheader')).toHaveLength(3)
})

it('keeps the rows before while the next page is fetched, dimmed only after half a second', () => {
  vi.useFakeTimers()
  const { rerender } = render(table(reply(ROWS)))
  rerender(table({ ...idle, isValidating: true }))
  const body = () => screen.getAllByRole('rowgroup')[1]!
  expect(screen.getAllByRole('rowheader')).toHaveLength(3)
  act(() => vi.advanceTimersByTime(499))
  expect(body().className).toBe('')
  act(() => vi.advanceTimersByTime(1))
  expect(body().className).toBe('nl-dimmed')
})

it.each([
  [3, 20, 2],
  [9, 20, 2],
  [2, 0, 1],
])('an empty page %i of %i rows steps back to %i', (page, count, to) => {
  const list = listAt(page)
  render(table(reply([], count), list))
  expect(list.setPage).toHaveBeenCalledWith(to)
  expect(screen.queryByText('好像没有什么东西哦！')).toBeNull()
})

it('selects rows one by one or all that may be, and clears them', async () => {
  function Selecting() {
    const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
    const selection = {
      keys,
      onChange: setKeys,
      actions: <button>删除</button>,
      canSelect: (row: Row) => row.id !== 'c',
    }
    return <DataTable label="成员" query={LOADED} columns={COLUMNS} rowKey={(row) => row.id} selection={selection} />
  }
  const LOADED = reply(ROWS)
  render(<Selecting />)
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
  expect(screen.queryByRole('region')).toBeNull()
  expect(box('选择 c').disabled).toBe(true)
  await userEvent.click(box('选择 a'))
  expect(box('选择本页全部').indeterminate).toBe(true)
  await userEvent.click(box('选择本页全部'))
  const bar = screen.getByRole('region', { name: '已选内容' })
  expect(bar.textContent).toContain('已选 2 项')
  expect(within(bar).queryByRole('button', { name: '删除' })).not.toBeNull()
  await userEvent.click(within(bar).getByRole('button', { name: '清除选择' }))
  expect(box('选择 a').checked).toBe(false)
})

it('keeps the action column sticky and wraps only text columns', () => {
  const columns: readonly Column<Row>[] = [
    ...COLUMNS,
    { key: 'note', title: '说明', cell: () => '很长', wrap: true },
    { key: 'act', title: '操作', cell: () => '详情', sticky: 'end' },
  ]
  render(<DataTable label="成员" query={reply(ROWS)} columns={columns} rowKey={(row) => row.id} />)
  const classNames = (row: HTMLElement) => [...row.children].map(({ className }) => className)
  const [head, first] = screen.getAllByRole('row')
  expect(classNames(head!)).toEqual(['nl-name', 'nl-right', 'nl-wrap', 'nl-stuck'])
  expect(classNames(first!)).toEqual(classNames(head!))
})

it('names its boxes by the row, and announces what was found', () => {
  const selection = { keys: new Set<string>(), onChange: vi.fn<() => void>(), actions: null }
  const props = { label: '成员', columns: COLUMNS, rowKey: (row: Row) => row.id, selection }
  const { rerender } = render(<DataTable {...props} query={reply(ROWS, 41)} rowName={({ id }) => `站点 ${id}`} />)
  expect(screen.queryByRole('checkbox', { name: '选择 站点 a' })).not.toBeNull()
  expect(screen.getByRole('status').textContent).toBe('成员 41 条')
  rerender(<DataTable {...props} query={reply([])} list={listAt(1, true)} />)
  expect(screen.getByRole('status').textContent).toBe('没有符合筛选的成员')
})

it('a heading sorts, first the way that its column says', async () => {
  const setSort = vi.fn<(sort: string, order: 'asc' | 'desc') => void>()
  const columns = COLUMNS.map((column) => ({ ...column, sort: { by: column.key, first: 'asc' } as const }))
  const shown = (sort: string, order: 'asc' | 'desc') => (
    <DataTable
      label="成员"
      query={reply(ROWS)}
      columns={columns}
      rowKey={(row) => row.id}
      list={{ ...listAt(1), sort, order, setSort }}
    />
  )
  const { rerender } = render(shown('id', 'desc'))
  const sorted = () => screen.getAllByRole('columnheader').map((head) => head.getAttribute('aria-sort'))
  expect(sorted()).toEqual(['descending', 'none'])
  await userEvent.click(screen.getByRole('button', { name: '数量' }))
  expect(setSort).toHaveBeenLastCalledWith('size', 'asc')
  rerender(shown('size', 'asc'))
  expect(sorted()).toEqual(['none', 'ascending'])
  await userEvent.click(screen.getByRole('button', { name: '数量' }))
  expect(setSort).toHaveBeenLastCalledWith('size', 'desc')
})

it('a row that goes gives the focus to the one in its place, the last one to the one before it', () => {
  const { rerender } = render(table(reply(ROWS)))
  const linked = COLUMNS.map((column) => ({ ...column, cell: (row: Row) => <a href={`#${row.id}`}>{row.id}</a> }))
  const show = (rows: readonly Row[]) =>
    rerender(<DataTable label="成员" query={reply(rows)} columns={linked} rowKey={(row) => row.id} />)
  const focused = () => document.activeElement?.getAttribute('href')
  show(ROWS)
  act(() => screen.getAllByRole('link', { name: 'b' })[0]?.focus())
  show(ROWS.filter(({ id }) => id !== 'b'))
  expect(focused()).toBe('#c')
  show(ROWS.filter(({ id }) => id === 'a'))
  expect(focused()).toBe('#a')
})
