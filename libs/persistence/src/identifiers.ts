/** Identifiers that reach SQL text come from code or configuration; anything unusual is refused, not escaped. */
export function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`not a plain SQL identifier: ${name}`);
  return `"${name}"`;
}

export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;
