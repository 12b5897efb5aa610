import { type InputHTMLAttributes, useId } from 'react'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
}

/** Input with its label. */
export function Field({ label, onText, ...input }: FieldProps) {
  const id = useId()
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} {...input} onChange={({ currentTarget }) => onText(currentTarget.value)} />
    </p>
  )
}

/** Sentence of a failure; empty for none. Screen readers announce it. */
export function Failure({ text }: { readonly text: string }) {
  return (
    <p className="failure" role="alert">
      {text}
    </p>
  )
}
