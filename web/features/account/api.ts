import { accountApi } from '../../../worker/contract/account.ts'
import type { Output } from '../../../worker/contract/endpoint.ts'
import { useQuery } from '../../lib/use-endpoint.ts'
import type { ListView } from '../../ui/list-state.ts'

export type ServiceRow = Output<typeof accountApi.service>[number]

export const useServices = ({ page, limit }: Pick<ListView, 'page' | 'limit'>) =>
  useQuery(accountApi.service, { page, limit }, { keepPrevious: true })
