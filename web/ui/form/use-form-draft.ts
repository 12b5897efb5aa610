import { useEffect } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import * as z from 'zod'
import { registerDraft } from '#lib/session/drafts.ts'
import { useLatest } from '#lib/use-latest.ts'
import { useTakenDraft } from './use-draft.ts'
import type { ContractForm } from './use-contract-form.ts'

export interface FormDraft<V extends FieldValues> {
  /** Names the form and its object. */
  readonly key: string
  /** Fields to keep, never a password or a code: the user types those again. */
  readonly fields: readonly FieldPath<V>[]
}

const values = z.record(z.string(), z.unknown())

/** Keeps what an open form holds if the session runs out, and puts it back once that form is opened again; true then. */
export function useFormDraft<V extends FieldValues, T>(
  form: ContractForm<V, T>,
  { key, fields }: FormDraft<V>,
): boolean {
  const draft = useTakenDraft(key, values)
  const { isDirty } = form.formState
  const latest = useLatest({ form, fields, isDirty })
  useEffect(() => {
    const { setValue } = latest.current.form
    for (const name of latest.current.fields)
      if (draft !== null && name in draft) setValue(name, draft[name] as never, { shouldDirty: true })
  }, [draft, latest])
  useEffect(() => {
    const read = () => {
      const { getValues } = latest.current.form
      return latest.current.isDirty
        ? Object.fromEntries(latest.current.fields.map((name) => [name, getValues(name)]))
        : null
    }
    return registerDraft(key, read)
  }, [key, latest])
  return draft !== null
}
