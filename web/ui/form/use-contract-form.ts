import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEvent, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type Resolver,
  useForm,
  type UseFormReturn,
  type FieldErrors,
  get,
  set,
} from 'react-hook-form'
import type { z } from 'zod'
import { SUBMIT_LOCK_MS } from '#contract/kernel/limits.ts'
import { ApiError, markHandled } from '#lib/call/call.ts'
import { type ErrorView, toErrorView } from '#ui/state/error-view.ts'
import { emptyFields, listProblems, useHiddenProblems } from './error-places.ts'
import { mergeEdits } from './merge-edits.ts'
import { type FormDraft, useFormDraft } from './use-draft.ts'

/* Hook of a form with a schema of the contract: submit, refusals, drafts, merge with later saves. */

interface Proposal {
  readonly field: string
  /** A port, or a segment `ip/mask`. */
  readonly free: string | number
}

/** Form with the rules of the contract: the server parses by the same schema. */
export interface ContractForm<V extends FieldValues, T> extends UseFormReturn<V, unknown, T> {
  readonly schema: z.ZodType<T, V>
  /** A submit is running; buttons lock until the answer, at most `lockMs`. */
  readonly busy: boolean
  /** Reason of the last refusal, if it names no field of this form. */
  readonly failure: ErrorView | null
  /** Free value from the last refusal, for one field with a taken value. */
  readonly proposal: Proposal | null
  readonly clearProposal: () => void
  /** Merges the latest saved values under the edits of this form. */
  readonly merge: (latest: DefaultValues<V>) => void
  /** Such a merge has happened since the form was opened. */
  readonly isMerged: boolean
  /** Reads and merges the later save of somebody else; resolves to true if it could be read. */
  readonly mergeLatest: (() => Promise<boolean>) | undefined
  /** Holds restored input from before the session expired. */
  readonly isRestored: boolean
  /** True if the parsed values equal those at the start. */
  readonly isUnchanged: (values: T) => boolean
  readonly submit: (handler: (values: T) => unknown) => (event?: FormEvent) => Promise<void>
  /** As `submit`, for a call beside it, such as a test: it shows problems and refusals alike, and locks nothing. */
  readonly tryOut: (handler: (values: T) => unknown) => () => Promise<void>
}

interface FormOptions<V extends FieldValues> {
  /** Kept if the session expires, and restored when the form opens again. */
  readonly draft?: FormDraft<V>
  /** Reads the values again after a save of somebody else (useFormStart); null if they could not be read. */
  readonly reload?: () => Promise<DefaultValues<V> | null>
  readonly lockMs?: number
}

const NO_DRAFT = {} as const

/** An emptied number field holds null; the schema sees it as absent. Files and dates pass as they are. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null) return undefined
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutNulls(inner)]))
}

/** Errors of a list for touched fields only; `isTouched` takes the path of a field. */
function keepTouchedRows<V extends FieldValues>(
  errors: FieldErrors<V>,
  list: string,
  isTouched: (path: string) => boolean,
): FieldErrors<V> {
  const rows: unknown = get(errors, list)
  if (!Array.isArray(rows)) return errors
  const kept = rows.map((row: object | undefined, i) => {
    const fields = Object.entries(row ?? {}).filter(([name]) => isTouched(`${list}.${i}.${name}`))
    return fields.length === 0 ? undefined : Object.fromEntries(fields)
  })
  const { [list]: _, ...others } = errors as Record<string, unknown>
  return (kept.some(Boolean) ? { ...others, [list]: kept } : others) as FieldErrors<V>
}

type Resolved<V extends FieldValues, T> = Awaited<ReturnType<Resolver<V, unknown, T>>>

/** Adds the required fields that a schema does not reach, because its rules between fields wait for valid fields. */
function markEmpty<V extends FieldValues, T>(
  { control }: UseFormReturn<V, unknown, T>,
  values: V,
  result: Resolved<V, T>,
): Resolved<V, T> {
  const missing = emptyFields(control, values).filter(({ field }) => get(result.errors, field) === undefined)
  if (missing.length === 0) return result
  for (const { field, message } of missing) set(result.errors, field, { type: 'required', message })
  return { values: {}, errors: result.errors as FieldErrors<V> }
}

function toResolver<V extends FieldValues, T extends FieldValues>(
  schema: z.ZodType<T, V>,
  getForm: () => UseFormReturn<V, unknown, T>,
): Resolver<V, unknown, T> {
  const resolve = zodResolver<V, unknown, T>(schema)
  return async (values, context, options) => {
    const form = getForm()
    const result = markEmpty(form, values, await resolve(withoutNulls(values) as V, context, options))
    const [list, ...more] = options.names ?? []
    // The form checks a whole list when a row is added, before anyone has typed into that row.
    const isOne = list !== undefined && more.length === 0
    if (!isOne || form.formState.isSubmitted || Object.keys(result.errors).length === 0) return result
    const isTouched = (path: string) => form.getFieldState(path as FieldPath<V>).isTouched
    return { values: {}, errors: keepTouchedRows(result.errors, list, isTouched) }
  }
}

/** Lock of the buttons while a call runs, at most `lockMs`; a second call meanwhile is dropped. */
function useLock(lockMs: number) {
  const [busy, setBusy] = useState(false)
  const locked = useRef(false)
  const setLocked = (next: boolean) => {
    locked.current = next
    setBusy(next)
  }
  const runLocked = async (send: () => unknown) => {
    if (locked.current) return
    setLocked(true)
    const ceiling = setTimeout(() => setLocked(false), lockMs)
    try {
      await send()
    } finally {
      clearTimeout(ceiling)
      setLocked(false)
    }
  }
  return { busy, runLocked }
}

const isFieldOf = (values: object, name: string | undefined): name is string =>
  name !== undefined && (name.split('.')[0] ?? '') in values

/**
 * `defaults` names every field of the form. A refusal that names a field appears at it; any other is `failure`. If the
 * handler throws, the form stays open; after success the handler closes or leaves it.
 */
export function useContractForm<V extends FieldValues, T extends FieldValues>(
  schema: z.ZodType<T, V>,
  defaults: DefaultValues<V>,
  { draft, reload, lockMs = SUBMIT_LOCK_MS }: FormOptions<V> = {},
): ContractForm<V, T> {
  const form: UseFormReturn<V, unknown, T> = useForm<V, unknown, T>({
    resolver: toResolver(schema, () => form),
    defaultValues: defaults,
    mode: 'onTouched',
  })
  const isRestored = useFormDraft(form, draft ?? NO_DRAFT)
  const { busy, runLocked } = useLock(lockMs)
  const [failure, setFailure] = useState<ErrorView | null>(null)
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const [isMerged, setMerged] = useState(false)
  const markProblems = useHiddenProblems(form.control, (message) => setFailure({ message }))

  const refuse = (error: unknown) => {
    const cause = toErrorView(error)
    if (error instanceof ApiError) markHandled(error)
    const { field, message, free } = cause
    if (cause.isQuota || !isFieldOf(form.formState.defaultValues ?? defaults, field)) return setFailure(cause)
    if (free !== undefined) setProposal({ field, free })
    form.setError(field as FieldPath<V>, { type: 'server', message }, { shouldFocus: true })
    markProblems([{ field, message }])
  }

  const run = (handler: (values: T) => unknown) =>
    form.handleSubmit(
      async (values) => {
        setFailure(null)
        setProposal(null)
        try {
          await handler(values)
        } catch (error) {
          refuse(error)
        }
      },
      (errors) => {
        setFailure(null)
        markProblems(listProblems(errors))
      },
    )

  const merge = (latest: DefaultValues<V>) => {
    const merged = mergeEdits(form.formState.defaultValues, form.getValues(), latest) as V
    form.reset(latest as V)
    form.reset(merged, { keepDefaultValues: true }) // lists of rows follow a reset, but not a value set directly after it
    setFailure(null)
    setProposal(null)
    setMerged(true)
  }

  return {
    ...form,
    schema,
    busy,
    failure,
    proposal,
    clearProposal: () => setProposal(null),
    merge,
    isMerged,
    mergeLatest:
      reload &&
      (async () => {
        const latest = await reload()
        if (latest !== null) merge(latest)
        return latest !== null
      }),
    isRestored,
    isUnchanged: (values) => Object.entries(values).every(([name, value]) => value === defaults[name]),
    submit: (handler) => run((values) => runLocked(() => handler(values))),
    tryOut: run,
  }
}
