export const isSameAddress = (one: string | null, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase();
