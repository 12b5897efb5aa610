import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { toast } from '#lib/toast/toast.ts'

interface GoneProps {
  /** Message of the server. */
  readonly message: string
  /** The list it was in. */
  readonly to: string
}

/** In place of a detail page whose object does not exist: says so, and leads to its list. */
export function Gone({ message, to }: GoneProps) {
  useEffect(() => toast.error(message), [message])
  return <Navigate to={to} replace />
}
