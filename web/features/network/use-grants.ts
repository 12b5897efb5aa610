import { useMemo } from 'react'
import type { Grants } from '../../../worker/contract/permissions.ts'
import { useUser } from '../../lib/session.ts'

export function useGrants(): Grants {
  const { ram, flags, networks } = useUser()
  return useMemo(() => ({ kind: ram === 1 ? 'ram' : 'main', flags, networks }), [ram, flags, networks])
}
