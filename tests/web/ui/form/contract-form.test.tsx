import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useFieldArray } from 'react-hook-form'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ApiError } from '#lib/call/transport.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

const schema = z.object({
  network_name: z.string().trim().min(1, '请输入网络名称'),
  port: z.int('端口不能为空').min(1025, '设置范围应在1025~65535之间！').optional(),
})

interface SampleProps {
  onSubmit: (values: z.output<typeof schema>) => unknown
  lockMs?: number
}

function Sample({ onSubmit, ...options }: SampleProps) {
  const form = useContractForm(schema, { network_name: '', port: 2000 }, options)
  return (
    <Form form={form} onSubmit={onSubmit}>
      <TextField control={form.control} name="network_name" label="组网名称" required help="最多 24 个字符" />
      <NumberField control={form.control} name="port" label="端口" />
      <FormActions submitText="保存" busy={form.busy} />
    </Form>
  )
}

const user = userEvent.setup()
const name = () => screen.getByRole('textbox', { name: /组网名称/ })
const port = () => screen.getByRole('textbox', { name: '端口' })
const save = () => user.click(screen.getByRole('button', { name: '保存' }))

beforeEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

it("shows the contract's own sentence, tied to the input, and does not submit", async () => {
  const onSubmit = vi.fn<(values: unknown) => void>()
  render(<Sample onSubmit={onSubmit} />)
  await save()
  const error = await screen.findByRole('alert')
  expect(error.textContent).toBe('请输入网络名称')
  expect(name().getAttribute('aria-describedby')).toContain(error.id)
  expect(name().getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(name())
  expect(onSubmit).not.toHaveBeenCalled()
})

it('hands over what the schema made of the values; an emptied number is absent', async () => {
  const onSubmit = vi.fn<(values: unknown) => void>()
  render(<Sample onSubmit={onSubmit} />)
  await user.type(name(), ' 总部 ')
  await user.clear(port())
  expect((port() as HTMLInputElement).value).toBe('')
  await save()
  await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ network_name: '总部' }))
})

it('puts a refusal on the field it names, and takes it back when the field changes', async () => {
  render(<Sample onSubmit={() => Promise.reject(new ApiError(422, '该名称已被使用', { field: 'network_name' }))} />)
  await user.type(name(), '总部')
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe('该名称已被使用')
  expect(document.activeElement).toBe(name())
  await user.type(name(), '2')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

it.each([
  ['a field the form has not', new ApiError(422, '中心点仅支持2个', { field: 'center' }), '中心点仅支持2个'],
  ['a fault, with its request id', new ApiError(500, '系统异常', { requestId: 'r-1' }), '系统异常请求编号 r-1'],
  ['a bug of ours, without its words', new TypeError('x is undefined'), '系统异常,请稍候尝试!'],
])('shows %s for the whole form', async (_, error, text) => {
  render(<Sample onSubmit={() => Promise.reject(error)} />)
  await user.type(name(), '总部')
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe(text)
})

it('locks while it runs, so a second press sends nothing, and unlocks on the answer', async () => {
  let answer = () => {}
  const onSubmit = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (answer = resolve)))
  render(<Sample onSubmit={onSubmit} />)
  await user.type(name(), '总部')
  await save()
  await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(1))
  await user.type(name(), '{Enter}')
  expect(onSubmit).toHaveBeenCalledTimes(1)
  answer()
  await waitFor(() => expect(screen.getByRole('button', { name: '保存' }).className).not.toContain('loading'))
  await user.type(name(), '{Enter}')
  await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2))
})

it('unlocks after the time of its lock where no answer comes', async () => {
  const onSubmit = vi.fn<() => Promise<void>>(() => new Promise(() => {}))
  render(<Sample onSubmit={onSubmit} lockMs={50} />)
  await user.type(name(), '总部')
  await save()
  await waitFor(() => expect(screen.getByRole('button', { name: '保存' }).className).not.toContain('loading'))
  await user.type(name(), '{Enter}')
  await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2))
})

const rowsSchema = z.object({
  rows: z.array(
    z.object({ ip: z.string().min(7, '请输入正确的网络号'), mask: z.string().min(1, '掩码取值范围在8~32') }),
  ),
})

function Rows() {
  const form = useContractForm(rowsSchema, { rows: [] })
  const { fields, append } = useFieldArray({ control: form.control, name: 'rows' })
  return (
    <Form form={form} onSubmit={() => {}}>
      {fields.map(({ id }, i) => (
        <div key={id}>
          <TextField control={form.control} name={`rows.${i}.ip`} label="网络号" />
          <TextField control={form.control} name={`rows.${i}.mask`} label="掩码" />
        </div>
      ))}
      <button type="button" onClick={() => append({ ip: '', mask: '' })}>
        添加一行
      </button>
      <FormActions submitText="保存" busy={form.busy} />
    </Form>
  )
}

it('a field of a row that was added is wrong only once somebody has left it, or the form was sent', async () => {
  render(<Rows />)
  const wrong = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  const add = () => user.click(screen.getByRole('button', { name: '添加一行' }))
  await add() // the focus is in its first field
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '网络号' })))
  expect(wrong()).toEqual([])
  await user.keyboard('10')
  await user.tab()
  await waitFor(() => expect(wrong()).toEqual(['请输入正确的网络号']))
  await user.keyboard('16')
  await add()
  await waitFor(() => expect(screen.queryAllByRole('textbox')).toHaveLength(4))
  await waitFor(() => expect(wrong()).toEqual(['请输入正确的网络号']))
  await save()
  await waitFor(() => expect(wrong()).toEqual(['请输入正确的网络号', '请输入正确的网络号', '掩码取值范围在8~32']))
})
