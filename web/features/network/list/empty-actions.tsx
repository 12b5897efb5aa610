import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { type Permission, isAllowed } from '#contract/kernel/permissions.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import type { NetworkInfo } from '../live-network.ts'
import { networkRights } from '../rights.ts'

/* Buttons of empty lists; each leads to the page that fills the list. */

function EmptyAction({ isShown, to, children }: { isShown: boolean; to: string; children: ReactNode }) {
  const navigate = useNavigate()
  if (!isShown) return null
  return (
    <Button theme="solid" type="primary" onClick={() => void navigate(to)}>
      {children}
    </Button>
  )
}

const useMay = (permission: Permission): boolean => isAllowed(permission, useGrants())

/** An order of POP access starts from a network in the list. */
export const ChooseNetwork = () => (
  <EmptyAction isShown={useMay('network:edit')} to={paths.networks()}>
    选择组网接入POP
  </EmptyAction>
)

export const AddMembers = () => (
  <EmptyAction isShown={useMay('router:create')} to={paths.routers()}>
    添加成员
  </EmptyAction>
)

export const ManageMembers = ({ info }: { readonly info: NetworkInfo }) => (
  <EmptyAction isShown={networkRights(useGrants(), info).manage === null} to={paths.editNetwork(info.network_number)}>
    管理成员
  </EmptyAction>
)
