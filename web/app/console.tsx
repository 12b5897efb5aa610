import { RouterProvider } from 'react-router'
import { z } from 'zod'
import { zhCN } from 'zod/locales'
import { pageMoves } from '../lib/page-moves.ts'
import { createConsoleRouter } from './router.tsx'

z.config(zhCN()) // for rules without a sentence of their own

/** Made when the console is first entered; it is left only with the whole page. */
const router = createConsoleRouter()

pageMoves.back = () => {
  const isFirst = ((history.state as { idx?: number } | null)?.idx ?? 0) === 0
  void (isFirst ? router.navigate('/', { replace: true }) : router.navigate(-1))
}

export default function Console() {
  return <RouterProvider router={router} />
}
