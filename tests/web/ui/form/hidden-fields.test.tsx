import { cleanup, fireEvent, screen } from '@testing-library/react'
import type { FieldValues } from 'react-hook-form'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { ERRORS } from '#contract/kernel/errors.ts'
import type { ErrorEntry } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { openPage } from '#tests/web/network/open-page.tsx'
import { FORMS, submitButton } from './forms.tsx'

/** The form that was rendered last: its fields, and the refusal that its next submit gets. */
const shown = vi.hoisted(() => ({ fields: [] as readonly string[], overrides: {} as object, refused: '' }))
const sentenceOf = (field: string) => `服务端拒绝了 ${field}`

vi.mock('#lib/live/live-connection.ts', () => import('#tests/web/lib/fake-live.ts'))
vi.mock('#ui/form/error-places.ts', async (original) => ({
  ...(await original<object>()),
  emptyFields: () => [], // each form is sent as it opens
}))
vi.mock('#ui/form/use-contract-form.ts', async (original) => {
  const real = await original<{ useContractForm: typeof useContractForm }>()
  const useRefusedForm: typeof useContractForm = (_schema, defaults, options) => {
    const values = { ...defaults, ...shown.overrides } as typeof defaults
    const form = real.useContractForm(z.any() as never, values, options)
    shown.fields = Object.keys(values)
    const refuse = () => Promise.reject(new ApiError(422, sentenceOf(shown.refused), { field: shown.refused }))
    return { ...form, submit: () => form.submit(refuse) } as never
  }
  return { ...real, useContractForm: useRefusedForm }
})

beforeEach(() => vi.stubGlobal('scrollTo', () => {}))
afterEach(() => {
  shown.overrides = {}
  cleanup()
})

describe('a refusal that names a field', () => {
  it('is on the page, whatever the form shows and hides', async () => {
    const offenders = await findOffenders(FORMS)(async (_, page, handlers = {}, overrides = {}) => {
      cleanup()
      shown.overrides = overrides
      openPage(page(), '/page?ldapType=edit', {
        'router/lists': { data: [], count: 0 },
        'country/lists': { data: [] },
        ...handlers,
      })
      await submitButton()
      const silent: string[] = []
      for (const field of [...shown.fields, 'elsewhere']) {
        shown.refused = field
        fireEvent.click(await submitButton())
        await screen.findAllByText(sentenceOf(field), {}, { timeout: 1_000 }).catch(() => silent.push(field))
      }
      expect(silent).toEqual([])
    })
    expect(offenders).toEqual([])
  })
})

const declared = Object.values(ERRORS as Readonly<Record<string, ErrorEntry>>).flatMap(({ field }) => field ?? [])

/** A form that has a field and does not show it. */
function Hidden({ field }: { readonly field: string }) {
  const [first = ''] = field.split('.')
  const form = useContractForm<FieldValues, FieldValues>(z.any(), { [first]: '' })
  return (
    <Form form={form} onSubmit={() => {}}>
      <FormActions submitText="保存" busy={form.busy} />
    </Form>
  )
}

it('each field that the catalogue names is heard where it is hidden', async () => {
  const offenders = await findOffenders([...new Set(declared)])(async (field) => {
    cleanup()
    shown.refused = field
    openPage(<Hidden field={field} />, '/page', {})
    fireEvent.click(await submitButton())
    expect((await screen.findByRole('alert')).textContent).toBe(sentenceOf(field))
  })
  expect(offenders).toEqual([])
})
