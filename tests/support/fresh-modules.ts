import { vi } from 'vitest'

/** Setup file: test files share a process, and each begins with modules of its own. */
vi.resetModules()
