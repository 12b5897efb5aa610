import { useEffect, useState } from 'react'

export const ADDING = 1
export const BINDING = 2

interface TypedPhone {
  readonly area_code: string
  readonly phone: string
}

/**
 * A phone that another member has (401) puts its form into the binding state: the code sent to it confirms it, until a
 * different number is typed (network 4).
 */
export function usePhoneBinding(
  { area_code, phone }: TypedPhone,
  setType: (type: typeof ADDING | typeof BINDING) => void,
) {
  const number = `+${area_code} ${phone}`
  const [oldNumber, setOldNumber] = useState<string | null>(null)
  const isBinding = number === oldNumber
  useEffect(() => setType(isBinding ? BINDING : ADDING), [isBinding, setType])
  return { number, isBinding, start: () => setOldNumber(number) }
}
