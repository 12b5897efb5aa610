/** Test files that set how fakes behave: each has fakes of its own. */
export const FAKES_USERS = ['alerts', 'auth', 'brands', 'provider', 'robots', 'smtp', 'vendors'] as const
export type FakesUser = (typeof FAKES_USERS)[number]
