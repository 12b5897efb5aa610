import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { toast } from '../../../lib/toast.ts'
import { LISTS_PATH } from '../network-text.ts'

/** The network is no more, perhaps since somebody else deleted it a moment ago: there is nothing to go back to. */
export function Gone({ message }: { readonly message: string }) {
  useEffect(() => toast.error(message), [message])
  return <Navigate to={LISTS_PATH} replace />
}
