import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it, vi } from 'vitest'
import { RESULT } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'
import type { TableQuery } from '#ui/table/data-table.tsx'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import { useListState } from '#ui/table/use-list-state.ts'

interface Row {
  readonly id: string
}

const STATES = [
  { value: '', label: '全部' },
  { value: 'open', label: '处理中' },
]
const rows = (...ids: string[]): TableQuery<Row> => ({
  data: { data: ids.map((id) => ({ id })), count: ids.length },
  isValidating: false,
  mutate: () => {},
})

function open(query: TableQuery<Row>, address = '/ticket/lists', onSelect = () => {}) {
  function Page() {
    const list = useListState({ state: '' })
    return (
      <ListPage
        title="客服工单"
        label="工单"
        list={list}
        query={query}
        columns={[{ key: 'id', title: '编号', isName: true, cell: (row) => row.id }]}
        rowKey={(row) => row.id}
        toRowActions={() => [{ label: '关闭', onSelect }]}
        searchLabel="搜索编号"
        filters={<FilterSwitch list={list} name="state" label="状态" options={STATES} />}
        empty={{ hint: '还没有工单' }}
      />
    )
  }
  const router = createMemoryRouter([{ path: '/ticket/lists', element: <Page /> }], { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  return () => router.state.location.search
}
const refused = (code: number): TableQuery<Row> => ({
  error: new ApiError(code, '出错了'),
  isValidating: false,
  mutate: vi.fn<() => void>(),
})

it('shows rows with their actions', async () => {
  const onSelect = vi.fn<() => void>()
  open(rows('T1', 'T2'), '/ticket/lists', onSelect)
  const row = within(screen.getByRole('row', { name: /T2/ }))
  await userEvent.click(row.getByRole('button', { name: '关闭 T2' }))
  expect(onSelect).toHaveBeenCalledOnce()
  expect(screen.queryByRole('navigation', { name: '分页' })).toBeNull()
})

it('keeps a filter in the address and starts at the first page again', async () => {
  const search = open({ ...rows('T1'), data: { data: [{ id: 'T1' }], count: 90 } }, '/ticket/lists?page=3')
  await userEvent.click(screen.getByRole('button', { name: '处理中' }))
  expect(search()).toBe('?state=open')
  expect(within(screen.getByRole('navigation')).getAllByRole('button')).toHaveLength(9) // five numbers, both neighbors, both ends
})

it('takes an unknown filter value in the address for the first choice', () => {
  open(rows('T1'), '/ticket/lists?state=nonsense')
  expect(screen.getByRole('button', { name: '全部' }).getAttribute('aria-pressed')).toBe('true')
})

it.each<[string, TableQuery<Row>, string, string]>([
  ['nothing yet', rows(), '', '还没有工单'],
  ['nothing found', rows(), '?state=open', '没有符合当前筛选条件的内容'],
  ['no permission', refused(RESULT.forbidden), '', '没有查看权限'],
  ['a failure', refused(RESULT.fault), '', '暂未加载，原因见页面上方'],
])('says why there are no rows: %s', (_, query, search, text) => {
  open(query, `/ticket/lists${search}`)
  expect(screen.getAllByText(text)).not.toHaveLength(0)
})

it('steps back from a page that a deletion has emptied', () => {
  const search = open({ ...rows(), data: { data: [], count: 12 } }, '/ticket/lists?page=2')
  expect(search()).toBe('')
})

it('shows a skeleton of the table before the first rows', () => {
  open({ isValidating: true, mutate: () => {} })
  expect(screen.getByRole('table', { name: '工单' }).getAttribute('aria-busy')).toBe('true')
  expect(screen.queryByText('还没有工单')).toBeNull()
})
