import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

const user = userEvent.setup()

function Sample(props: { readonly maxLength?: number; readonly isCode?: boolean }) {
  const form = useContractForm(z.object({ note: z.string() }), { note: '上海' })
  return <TextField control={form.control} name="note" label="备注" {...props} />
}

it('counts what is typed, and says when nothing more fits', async () => {
  render(<Sample maxLength={5} />)
  screen.getByText('2/5')
  expect(screen.getByRole('status').textContent).toBe('')
  await user.type(screen.getByRole('textbox', { name: '备注' }), '徐汇一号店')
  expect(screen.getByRole('textbox')).toHaveProperty('value', '上海徐汇一')
  screen.getByText('5/5')
  expect(screen.getByRole('status').textContent).toBe('已达 5 个字符的上限')
})

it.each([{}, { maxLength: 64, isCode: true }])('counts nothing in a field of %j', (props) => {
  render(<Sample {...props} />)
  expect(screen.queryByText(/\//)).toBeNull()
})
