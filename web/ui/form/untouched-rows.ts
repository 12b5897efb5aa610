import { type FieldErrors, type FieldValues, get } from 'react-hook-form'

/** Of the errors of a list, those of fields that somebody has been in; `isTouched` takes the path of a field. */
export function keepTouchedRows<V extends FieldValues>(
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
