import { useEffect, useState } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import { consumeDraft, registerDraft } from '#lib/session/drafts.ts'
import { useLatest } from '#lib/use-latest.ts'

/** Form values kept when the session ran out, read once; null without a draft, or if it no longer fits the schema. */
export function useTakenDraft<D>(key: string | undefined, schema: z.ZodType<D>): D | null {
  const [taken] = useState(() => (key === undefined ? null : (schema.safeParse(consumeDraft(key)).data ?? null)))
  return taken
}

/** Keeps what an open form holds if the session runs out; null keeps nothing. Passwords and codes are left out by the caller. */
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

/** Keeps what an open form holds if the session runs out, and puts it back once that form is opened again; true then. */
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
