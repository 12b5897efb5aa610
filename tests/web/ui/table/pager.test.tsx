import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Pager } from '#ui/table/pager/pager.tsx'

const onPage = vi.fn<(page: number) => void>()
const onPageSize = vi.fn<(size: number) => void>()
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

it('goes to either end and to a page by its number, at most the last', async () => {
  render(<Pager page={4} rowCount={154} onPage={onPage} />)
  await userEvent.click(button('第一页'))
  expect(onPage).toHaveBeenLastCalledWith(1)
  await userEvent.click(button('最后一页'))
  expect(onPage).toHaveBeenLastCalledWith(16)
  await userEvent.type(screen.getByRole('textbox', { name: /跳至页码/ }), '1a2{Enter}')
  expect(onPage).toHaveBeenCalledTimes(2) // no number
  await userEvent.type(screen.getByRole('textbox', { name: /跳至页码/ }), '１２ {Enter}')
  expect(onPage).toHaveBeenLastCalledWith(12)
  await userEvent.type(screen.getByRole('textbox', { name: /跳至页码/ }), '99{Enter}')
  expect(onPage).toHaveBeenLastCalledWith(16)
  onPage.mockClear()
  await userEvent.type(screen.getByRole('textbox', { name: /跳至页码/ }), '0{Enter}')
  expect(onPage).not.toHaveBeenCalled()
})

it('the ends are closed where they are reached', () => {
  render(<Pager page={1} rowCount={40} onPage={onPage} />)
  expect([button('第一页').disabled, button('上一页').disabled]).toEqual([true, true])
  expect([button('下一页').disabled, button('最后一页').disabled]).toEqual([false, false])
  expect(screen.queryByRole('textbox')).toBeNull() // five buttons reach every page
})

it('a page that holds every row still lets the size be chosen, unless the smallest does', async () => {
  const { rerender } = render(<Pager page={1} rowCount={41} onPage={onPage} pageSize={50} onPageSize={onPageSize} />)
  expect(screen.queryByRole('button')).toBeNull()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: '每页条数' }), '10 条/页')
  expect(onPageSize).toHaveBeenLastCalledWith(10)
  rerender(<Pager page={1} rowCount={10} onPage={onPage} pageSize={50} onPageSize={onPageSize} />)
  expect(screen.queryByRole('navigation')).toBeNull()
})
