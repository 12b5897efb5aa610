import { useEffect, useState } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import { consumeDraft, registerDraft } from '#lib/session/drafts.ts'
import { useLatest } from '#lib/use-latest.ts'

/* Hooks that keep the input of an open form over an expired session. */

/** Form values from before the session expired, read once; null without a draft, or if it does not fit the schema. */
export function useTakenDraft<D>(key: string | undefined, schema: z.ZodType<D>): D | null {
  const [taken] = useState(() => (key === undefined ? null : (schema.safeParse(consumeDraft(key)).data ?? null)))
  return taken
}

/**
 * Keeps the values of an open form if the session expires; null keeps nothing. The caller leaves out passwords and codes.
 */
export function useKeptDraft(key: string, draft: unknown): void {
  const latest = useLatest(draft)
  useEffect(() => registerDraft(key, () => latest.current), [key, latest])
}

export interface FormDraft<V extends FieldValues> {
  /** Names the form and its object. */
  readonly key: string
  /** Fields to keep, never a password or a code: the user types those again. */
  readonly fields: readonly FieldPath<V>[]
}

const values = z.record(z.string(), z.unknown())

/** Keeps the values of an open form if the session expires, and restores them when the form opens again; then true. */
export function useFormDraft<V extends FieldValues, T>(
  form: UseFormReturn<V, unknown, T>,
  { key, fields }: Partial<FormDraft<V>>,
): boolean {
  const draft = useTakenDraft(key, values)
  const { isDirty } = form.formState
  const latest = useLatest({ form, fields: fields ?? [], isDirty })
  useEffect(() => {
    const { setValue } = latest.current.form
    for (const name of latest.current.fields)
      if (draft !== null && name in draft) setValue(name, draft[name] as never, { shouldDirty: true })
  }, [draft, latest])
  useEffect(() => {
    if (key === undefined) return
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
