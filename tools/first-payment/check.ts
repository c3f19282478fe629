/** Thrown when the service's claim differs from the fact. */
class Mismatch extends Error {}

export function check(claim: string, condition: boolean, facts: unknown = ''): void {
  if (!condition) throw new Mismatch(`not so: ${claim} ${describe(facts)}`);
}

export function checkEqual(claim: string, actual: unknown, expected: unknown): void {
  check(claim, actual === expected, { actual, expected });
}

const describe = (facts: unknown): string =>
  JSON.stringify(facts, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
