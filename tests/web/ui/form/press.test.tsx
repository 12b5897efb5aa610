import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useFieldArray } from 'react-hook-form'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { Form } from '#ui/form/form.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

const schema = z.object({ name: z.string().min(1, '请输入角色名称'), scope: z.string() })

function Sample({ onSubmit }: { readonly onSubmit: () => void }) {
  const form = useContractForm(schema, { name: '', scope: 'all' })
  const options = [
    { value: 'all', label: '全部组网' },
    { value: 'listed', label: '指定组网' },
  ]
  return (
    <Form form={form} onSubmit={onSubmit}>
      <TextField control={form.control} name="name" label="名称" required />
      <RadioField control={form.control} name="scope" label="范围" options={options} />
      <button type="submit">保存</button>
    </Form>
  )
}

const open = () => {
  const onSubmit = vi.fn<() => void>()
  render(<Sample onSubmit={onSubmit} />)
  const user = userEvent.setup()
  return { user, onSubmit, name: screen.getByRole('textbox', { name: /名称/ }) }
}
const errors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)
const turn = () => new Promise((resolve) => setTimeout(resolve, 20))

it('a press that leaves an empty required field shows its error after the click, not under the pointer', async () => {
  const { user, name } = open()
  await user.click(name)
  await user.pointer([{ keys: '[MouseLeft>]', target: screen.getByText('指定组网') }])
  await turn()
  expect(document.activeElement).not.toBe(name)
  expect(errors()).toEqual([])
  await user.pointer([{ keys: '[/MouseLeft]', target: screen.getByText('指定组网') }])
  expect(chosen()).toEqual([false, true])
  await waitFor(() => expect(errors()).toEqual(['请输入角色名称']))
})

it('a press that is released elsewhere still shows the error', async () => {
  const { user, name } = open()
  await user.click(name)
  await user.pointer([{ keys: '[MouseLeft>]', target: screen.getByText('指定组网') }, { target: document.body }])
  await user.pointer([{ keys: '[/MouseLeft]', target: document.body }])
  await waitFor(() => expect(errors()).toEqual(['请输入角色名称']))
  expect(chosen()).toEqual([true, false])
})

it('leaving a field by the keyboard shows its error at once', async () => {
  const { user, name } = open()
  await user.click(name)
  await user.tab()
  await waitFor(() => expect(errors()).toEqual(['请输入角色名称']))
})

it('a click on the submit button is one submit', async () => {
  const { user, name, onSubmit } = open()
  await user.type(name, '运维')
  await user.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(1))
})

const rows = z.object({ rows: z.array(z.object({ ip: z.string().min(1, '请输入网段') })) })

function Rows() {
  const form = useContractForm(rows, { rows: [{ ip: 'a' }, { ip: '' }] })
  const { fields, remove } = useFieldArray({ control: form.control, name: 'rows' })
  return (
    <Form form={form} onSubmit={() => {}}>
      {fields.map(({ id }, i) => (
        <TextField key={id} control={form.control} name={`rows.${i}.ip`} label="网段" />
      ))}
      {fields.length === 0 && <p>暂无</p>}
      <button type="button" onClick={() => remove(0)}>
        删除第一行
      </button>
    </Form>
  )
}

it('a press that takes rows away does not bring them back by the blur of their fields', async () => {
  render(<Rows />)
  const user = userEvent.setup()
  const remove = () => user.click(screen.getByRole('button', { name: '删除第一行' }))
  const fields = () => screen.queryAllByRole<HTMLInputElement>('textbox').map(({ value }) => value)
  await user.click(screen.getAllByRole('textbox')[1]!) // the second row, which becomes the first
  await remove()
  await turn()
  expect(fields()).toEqual([''])
  await user.click(screen.getAllByRole('textbox')[0]!)
  await remove()
  await turn()
  expect([fields(), screen.queryByText('暂无') !== null]).toEqual([[], true])
})
