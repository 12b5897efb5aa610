import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, MemoryRouter, RouterProvider } from 'react-router'
import { expect, it, vi } from 'vitest'
import { readLinkedName } from '#lib/linked-name.ts'
import { FirstOf } from '#ui/table/count-cells.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { RowActions } from '#ui/table/row-actions.tsx'

const user = userEvent.setup()

function open() {
  const onDelete = vi.fn<() => void>(() => {
    focusedThen = document.activeElement
  })
  let focusedThen: Element | null = null
  const actions = [
    { label: '详情', to: '/detail' },
    { label: '备注', onSelect: () => {} },
    { label: '记录', to: '/logs' },
    { label: '重新下发', blocked: '设备当前离线', onSelect: () => {} },
    { label: '删除', danger: true, onSelect: onDelete },
  ]
  const router = createMemoryRouter([{ path: '*', element: <RowActions actions={actions} subject="总部" /> }])
  render(<RouterProvider router={router} />)
  return { router, onDelete, focusedThen: () => focusedThen }
}
const more = () => screen.getByRole('button', { name: '总部 的更多操作' })

it('shows one, named with its object, and keeps the rest behind one button, with the reason of what cannot be done', async () => {
  open()
  expect(screen.getByRole('link', { name: '详情 总部' }).getAttribute('href')).toBe('/detail')
  expect(screen.queryByText('删除')).toBeNull()
  await user.click(more())
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    '备注',
    '记录',
    '重新下发设备当前离线',
    '删除',
  ])
})

it('focuses the opener before the action, so that a dialog can return the focus', async () => {
  const { onDelete, focusedThen } = open()
  await user.click(more())
  await user.click(screen.getByText('删除'))
  expect(onDelete).toHaveBeenCalledTimes(1)
  expect(focusedThen()).toBe(more())
})

it('follows a link that is behind the button', async () => {
  const { router } = open()
  await user.click(more())
  await user.click(screen.getByText('记录'))
  expect(router.state.location.pathname).toBe('/logs')
  expect(readLinkedName(router.state.location.state)).toBe('总部')
})

it('on a phone the first verb is behind the button too', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  open()
  await user.click(more())
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toContain('详情')
  vi.unstubAllGlobals()
})

it('nothing dangerous stands in a row', () => {
  const actions = [{ label: '删除', danger: true, onSelect: () => {} }]
  const router = createMemoryRouter([{ path: '*', element: <RowActions actions={actions} subject="总部" /> }])
  render(<RouterProvider router={router} />)
  expect(screen.queryByText('删除')).toBeNull()
  more()
})

it('stays open while the list is read again, and acts on the row as it is then', async () => {
  const chosen: string[] = []
  const table = (note: string) => (
    <MemoryRouter>
      <DataTable
        label="成员"
        query={{ data: { data: [{ name: '总部', note }], count: 1 }, isValidating: false, mutate: () => {} }}
        rowKey={({ name }) => name}
        columns={[
          { key: 'name', title: '名称', isName: true, cell: ({ name }) => name },
          {
            key: 'actions',
            title: '操作',
            cell: (row) => (
              <RowActions
                subject={row.name}
                actions={[{ label: '删除', danger: true, onSelect: () => chosen.push(row.note) }]}
              />
            ),
          },
        ]}
      />
    </MemoryRouter>
  )
  const { rerender } = render(table('一层'))
  await user.click(more())
  rerender(table('二层'))
  await user.click(screen.getByRole('menuitem', { name: '删除' }))
  expect(chosen).toEqual(['二层'])
})

it('the first of several values leads to its page with the name of the object alone', async () => {
  const items = [{ text: '总部（3 个成员）', name: '总部', to: '/network' }, { text: '研发' }]
  const router = createMemoryRouter([{ path: '*', element: <FirstOf label="组网" items={items} /> }])
  render(<RouterProvider router={router} />)
  await user.click(screen.getByRole('link', { name: '总部（3 个成员）' }))
  expect(readLinkedName(router.state.location.state)).toBe('总部')
})
