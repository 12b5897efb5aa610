import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { findOffenders } from '#tests/support/offenders.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { FORMS } from './forms.tsx'
import { openForm, submitButton } from './open-form.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('#tests/web/lib/fake-live.ts'))
beforeEach(() => vi.stubGlobal('scrollTo', () => {}))
afterEach(cleanup)

const isEmpty = (field: Element): boolean =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    ? field.value === ''
    : field.getAttribute('role') === 'combobox' && (field.textContent ?? '').startsWith('请选择')

const unmarked = () =>
  [...document.querySelectorAll('form [aria-required="true"]')]
    .filter((field) => isEmpty(field) && field.getAttribute('aria-invalid') !== 'true')
    .map((field) => document.getElementById(field.getAttribute('aria-labelledby') ?? '')?.textContent)

it.each(FORMS)(
  'every form of %s marks all of its empty required fields at the first submit',
  async (_subject, forms) => {
    const offenders = await findOffenders(forms)(async (_, opened) => {
      cleanup()
      await openForm(opened)
      fireEvent.click(await submitButton())
      await waitFor(() => expect(unmarked()).toEqual([]), { timeout: 500 })
    })
    expect(offenders).toEqual([])
  },
)

/** The rule between the fields waits for a number, as schemas do. */
const schema = z
  .object({ port: z.int('请输入端口'), password: z.string(), note: z.string() })
  .superRefine(({ password }, issues) => {
    if (password === '') issues.addIssue({ code: 'custom', path: ['password'], message: '密码不能为空' })
  })

function Sample() {
  const form = useContractForm(schema, { port: null as never, password: '', note: '' })
  return (
    <Form form={form} onSubmit={() => {}}>
      <NumberField control={form.control} name="port" label="端口" required />
      <TextField control={form.control} name="password" label="密码" required />
      <TextField control={form.control} name="note" label="备注" />
      <FormActions submitText="保存" busy={form.busy} />
    </Form>
  )
}

it('a field that the schema does not reach yet is marked with its name', async () => {
  render(<Sample />)
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['请输入端口', '密码不能为空']),
  )
})
