import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
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
import { callerSites, listFormSites } from './form-sites.ts'
import { FORMS } from './forms.tsx'
import { openForm, submitButton } from './open-form.tsx'

/** The form that was rendered last: its fields, and the refusal that its next submit gets; without one it is really sent. */
const shown = vi.hoisted(() => ({ fields: [] as readonly string[], start: {} as object, refused: '' }))
const seen = new Set<string>()
const sentenceOf = (field: string) => `服务端拒绝了 ${field}。`

const show = (values: object) => {
  shown.fields = Object.entries(values).flatMap(([name, value]) => pathsOf(value, name))
}

/** All paths of values: of groups, of lists and their first row, and of everything in them. */
function pathsOf(value: unknown, path: string): readonly string[] {
  const inner: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? [['0', value[0]]]
    : typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? Object.entries(value)
      : []
  return [path, ...inner.flatMap(([key, one]) => pathsOf(one, `${path}.${key}`))]
}

vi.mock('#lib/live/live-connection.ts', () => import('#tests/web/lib/fake-live.ts'))
vi.mock('#ui/form/error-places.ts', async (original) => ({
  ...(await original<object>()),
  emptyFields: () => [], // each form is sent as it opens
}))
vi.mock('#ui/form/use-contract-form.ts', async (original) => {
  const real = await original<{ useContractForm: typeof useContractForm }>()
  const useRefusedForm: typeof useContractForm = (_schema, defaults, options) => {
    useState(() => callerSites().forEach((site) => seen.add(site)))
    const values = { ...defaults, ...shown.start } as typeof defaults
    const form = real.useContractForm(z.any() as never, values, options)
    show(values)
    const refuse = () => Promise.reject(new ApiError(422, sentenceOf(shown.refused), { field: shown.refused }))
    const submit: typeof form.submit = (handler) => (event) =>
      form.submit(shown.refused === '' ? handler : refuse)(event)
    return { ...form, submit } as never
  }
  return { ...real, useContractForm: useRefusedForm }
})

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => {})
  localStorage.clear()
})
afterEach(() => {
  Object.assign(shown, { start: {}, refused: '' })
  cleanup()
})

describe('a refusal that names a field', () => {
  it.each(FORMS)('is on the page, whatever a form of %s shows and hides', async (_subject, forms) => {
    const offenders = await findOffenders(forms)(async (_, opened) => {
      cleanup()
      Object.assign(shown, { start: opened.start ?? {}, refused: '' })
      await openForm(opened)
      const silent: string[] = []
      for (const field of [...shown.fields, 'elsewhere']) {
        shown.refused = field
        fireEvent.click(await submitButton())
        const isSaid = () => expect(document.body.textContent).toContain(sentenceOf(field))
        await waitFor(isSaid, { timeout: 5_000 }).catch(() => silent.push(field))
      }
      expect(silent).toEqual([])
    })
    expect(offenders).toEqual([])
  })

  it('is tried at every form of the console: each call of a form hook was seen above', () => {
    const sites = listFormSites()
    expect(sites.length).toBeGreaterThan(50)
    expect(sites.filter((site) => !seen.has(site))).toEqual([])
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
