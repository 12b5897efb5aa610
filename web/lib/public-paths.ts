/** URLs of the pages that need no session. They are not in paths.ts because the login page loads no others. */
export const publicPaths = {
  /** The overview of a signed-in user, else the login page. */
  home: '/',
  login: '/login',
  register: '/register',
  reset: '/reset',
  clause: '/clause',
  privacy: '/privacy',
  licenses: '/licenses',
  handbook: '/handbook',
  download: '/download',
} as const
