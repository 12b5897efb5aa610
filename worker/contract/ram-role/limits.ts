/** Limits of roles of sub-accounts. */
export const RAM_ROLE = {
  nameMax: 32,
  noteMax: 24, // directory 9
  networksMax: 200, // ours: access tokens and tickets carry the list
  namesShown: 5, // sub-accounts in the refusal to delete a role
} as const
