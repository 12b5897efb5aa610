import { act, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { expect, it } from 'vitest'
import { MainArea } from '#ui/layout/main-area.tsx'
import { useFocusKeeper } from '#ui/hooks/use-focus-keeper.ts'

function Page({ rows }: { readonly rows: readonly string[] }) {
  const page = useRef<HTMLDivElement>(null)
  useFocusKeeper(page)
  return (
    <MainArea>
      <div ref={page}>
        <h1>列表</h1>
        <input aria-label="搜索" />
        {rows.length > 0 && (
          <ul>
            {rows.map((row) => (
              <li key={row}>
                {row} <button type="button">删除{row}</button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </MainArea>
  )
}
function open() {
  const { rerender } = render(<Page rows={['甲', '乙', '丙']} />)
  return async (...rows: readonly string[]) => act(async () => rerender(<Page rows={rows} />))
}
const button = (row: string) => screen.getByRole('button', { name: `删除${row}` })

it('goes to the row that took the place of the deleted one', async () => {
  const leave = open()
  button('乙').focus()
  await leave('甲', '丙')
  expect(document.activeElement).toBe(button('丙'))
})

it('goes to the last row after the last one was deleted', async () => {
  const leave = open()
  button('丙').focus()
  await leave('甲', '乙')
  expect(document.activeElement).toBe(button('乙'))
})

it('goes to the page where the whole list is gone, never to the body', async () => {
  const leave = open()
  button('甲').focus()
  await leave()
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

it('leaves a focus alone that has moved on', async () => {
  const leave = open()
  button('甲').focus()
  screen.getByRole('textbox').focus()
  await leave('乙')
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})

it('takes no focus after a click beside everything', async () => {
  const leave = open()
  button('甲').focus()
  await act(async () => button('甲').blur())
  await leave('乙')
  expect(document.activeElement).toBe(document.body)
})
