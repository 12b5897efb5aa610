import { act, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, it } from 'vitest'
import { MainArea } from '../../../web/ui/main-area.tsx'
import { useFocusKeeper } from '../../../web/ui/use-focus-keeper.ts'

let setRows: (rows: readonly string[]) => void

function Page() {
  const page = useRef<HTMLDivElement>(null)
  useFocusKeeper(page)
  const [rows, set] = useState<readonly string[]>(['甲', '乙', '丙'])
  setRows = set
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
const open = () => render(<Page />)
const button = (row: string) => screen.getByRole('button', { name: `删除${row}` })
const leave = (...rows: readonly string[]) => act(async () => setRows(rows))

it('goes to the row that took the place of the deleted one', async () => {
  open()
  button('乙').focus()
  await leave('甲', '丙')
  expect(document.activeElement).toBe(button('丙'))
})

it('goes to the last row after the last one was deleted', async () => {
  open()
  button('丙').focus()
  await leave('甲', '乙')
  expect(document.activeElement).toBe(button('乙'))
})

it('goes to the page where the whole list is gone, never to the body', async () => {
  open()
  button('甲').focus()
  await leave()
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

it('leaves a focus alone that has moved on', async () => {
  open()
  button('甲').focus()
  screen.getByRole('textbox').focus()
  await leave('乙')
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})

it('takes no focus after a click beside everything', async () => {
  open()
  button('甲').focus()
  await act(async () => button('甲').blur())
  await leave('乙')
  expect(document.activeElement).toBe(document.body)
})
