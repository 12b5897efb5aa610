import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

const user = userEvent.setup()

function Sample(props: { readonly max?: number; readonly suffix?: string }) {
  const form = useContractForm(z.object({ note: z.string() }), { note: '上海' })
  return <TextField control={form.control} name="note" label="备注" {...props} />
}

it('counts the cleaned text, and says what is too much without cutting it', async () => {
  render(<Sample max={5} />)
  screen.getByText('2/5')
  expect(screen.getByRole('status').textContent).toBe('')
  const input = screen.getByRole('textbox', { name: '备注' })
  await user.type(input, '徐汇一\u200B')
  screen.getByText('5/5')
  expect(screen.getByRole('status').textContent).toBe('已达 5 个字符的上限')
  await user.type(input, '号店')
  expect(input).toHaveProperty('value', '上海徐汇一\u200B号店')
  screen.getByText('7/5')
  expect(screen.getByRole('status').textContent).toBe('超出 2 个字符')
  await user.tab()
  expect(input).toHaveProperty('value', '上海徐汇一号店')
})

it.each([{}, { max: 64, suffix: '@demo01' }])('counts nothing in a field of %j', (props) => {
  render(<Sample {...props} />)
  expect(screen.queryByText(/\//)).toBeNull()
})
