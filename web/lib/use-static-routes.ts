import { useCommand, useQuery } from './use-endpoint.ts'
import { routerApi } from '#contract/router/index.ts'

export const useStaticRoutes = (router_name: string) => useQuery(routerApi.info, { router_name }, { isFresh: true }) // a form starts from it
export const useEditStaticRoutes = () => useCommand(routerApi.staticRoutes, [], { quiet: true })
