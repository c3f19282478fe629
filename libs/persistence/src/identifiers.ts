/** Quotes an identifier from code or configuration; refuses unusual ones instead of escaping them. */
export function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`not a plain SQL identifier: ${name}`);
  return `"${name}"`;
}

export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;
