import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { toast } from '../../../lib/toast.ts'

/** The network is no more, perhaps since somebody else deleted it a moment ago: there is nothing to go back to. */
export function Gone({ message }: { readonly message: string }) {
  useEffect(() => toast.error(message), [message])
  return <Navigate to={paths.networks()} replace />
}
