import { useId } from 'react'
import { Select } from '#ui/form/inputs/select-field.tsx'
import './routes.css'

interface RoutesChoiceProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly filter?: boolean
}

/** Select of the member or the network of the shown routes. */
export function RoutesChoice({ label, value, onChange, options, filter = false }: RoutesChoiceProps) {
  const id = useId()
  return (
    <div className="nl-routes-choice">
      <span id={id} className="nl-label">
        {label}
      </span>
      <Select
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => onChange(String(chosen))}
        optionList={[...options]}
        filter={filter}
        motion={false} // with it, onChange fires only after the closing animation
      />
    </div>
  )
}
