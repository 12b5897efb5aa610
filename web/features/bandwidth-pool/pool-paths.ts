/** Pages of this feature, which no other one links to. */
export const POOL_LIST = '/saas/bandwidth_pool'
export const poolDetail = (id: number): string => `/saas/bandwidth_pool_detail?id=${id}`
