export const SEARCH_LABEL = '搜索页面、组网、成员'
