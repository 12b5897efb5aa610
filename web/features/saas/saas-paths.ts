/** Pages of this feature, which no other one links to. */
export const SAAS_LIST = '/saas/router'
export const saasDetail = (router_name: string): string =>
  `/saas/detail?${new URLSearchParams({ router_name }).toString()}`
