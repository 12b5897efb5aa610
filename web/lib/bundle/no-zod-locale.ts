/** Stands in for zod's English sentences in the bundle (vite.config.ts): every sentence is ours (`customError`). */
export default () => ({})
