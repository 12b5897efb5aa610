import { useEffect, useState } from 'react'
import { type Control, type FieldErrors, type FieldValues, get } from 'react-hook-form'
import { useLatest } from '#lib/use-latest.ts'

/* Places of a form that show errors, by the path of their field, and fields that need a value. */

interface ErrorPlace {
  readonly name: string
  /** Sentence for an empty value; null: none is needed. */
  readonly missing: string | null
}

const forms = new WeakMap<object, Set<ErrorPlace>>()

function placesOf(control: object): Set<ErrorPlace> {
  const known = forms.get(control) ?? new Set()
  forms.set(control, known)
  return known
}

/** `Control` of any form: its type parameters do not matter here. */
type AnyControl<V extends FieldValues, T> = Control<V, unknown, T>

/** Registers a place that shows the errors of one field, while it is on the page. Fields below it have places of their own. */
export function useErrorPlace<V extends FieldValues, T>(
  control: AnyControl<V, T>,
  name: string,
  missing: string | null = null,
): void {
  useEffect(() => {
    const places = placesOf(control)
    const place = { name, missing }
    places.add(place)
    return () => void places.delete(place)
  }, [control, name, missing])
}

/** Registers places of fields that are not rendered now, but come onto the page with their first error. */
export function useErrorPlaces<V extends FieldValues, T>(control: AnyControl<V, T>, names: readonly string[]): void {
  const key = names.join(' ')
  useEffect(() => {
    const added = key.split(' ').map((name): ErrorPlace => ({ name, missing: null }))
    const places = placesOf(control)
    for (const place of added) places.add(place)
    return () => {
      for (const place of added) places.delete(place)
    }
  }, [control, key])
}

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** Returns a function that tells `onHidden` the sentences of those problems whose fields are not on the page. */
export function useHiddenProblems<V extends FieldValues, T>(
  control: AnyControl<V, T>,
  onHidden: (message: string) => void,
): (problems: readonly FieldProblem[]) => void {
  const [marked, mark] = useState<readonly FieldProblem[]>([])
  const latest = useLatest(onHidden)
  // Follows the commit, because a refusal may bring its field onto the page.
  useEffect(() => {
    const hidden = marked.filter(({ field }) => !isShown(control, field)).map(({ message }) => message)
    if (hidden.length > 0) queueMicrotask(() => latest.current([...new Set(hidden)].join('；')))
  }, [marked, control, latest])
  return mark
}

/** Errors of a list as a whole may stand at its `root`. */
const isShown = (control: object, field: string): boolean =>
  [...placesOf(control)].some(({ name }) => field === name || field === `${name}.root`)

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** Required fields on the page that are empty, with their sentences. */
export const emptyFields = <V extends FieldValues, T>(control: AnyControl<V, T>, values: V): readonly FieldProblem[] =>
  [...placesOf(control)].flatMap(({ name, missing }) =>
    missing !== null && isEmpty(get(values, name)) ? [{ field: name, message: missing }] : [],
  )

/** All errors of a form with the paths of their fields. */
export function listProblems(errors: FieldErrors | object, path = ''): readonly FieldProblem[] {
  return Object.entries(errors).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null || key === 'ref') return []
    const field = path === '' ? key : `${path}.${key}`
    return 'type' in value && 'message' in value && typeof value.message === 'string'
      ? [{ field, message: value.message }]
      : listProblems(value, field)
  })
}
