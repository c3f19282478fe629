export interface PartyShare {
  /** Null for the rows of no configured party. */
  party: string | null;
  /** Condition of its rows, as SQL. */
  where: string;
}

/** Quotes a name from the configuration; refuses unusual ones instead of escaping them. */
function literal(name: string): string {
  if (!/^[a-z][a-z0-9_-]*$/.test(name)) throw new Error(`not a plain name: ${name}`);
  return `'${name}'`;
}

/** Splits the rows of a table so that each party has workers of its own, and delays no row of another party. */
export function partyShares(column: string, parties: readonly string[]): PartyShare[] {
  const names = parties.map(literal);
  const others = `${column} IS NULL OR ${column} <> ALL (ARRAY[${names.join(', ')}]::text[])`;
  return [
    { party: null, where: others },
    ...parties.map((party) => ({ party, where: `${column} = ${literal(party)}` })),
  ];
}
