/** One claim with the number of its checks and its violations. */
export class Claim {
  readonly text: string;
  checked = 0;
  readonly broken: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  holds(subject: string, condition: boolean, facts: unknown = ''): void {
    this.checked += 1;
    if (!condition) this.broken.push(`${subject} ${described(facts)}`.trim());
  }

  equal(subject: string, actual: unknown, expected: unknown): void {
    this.holds(subject, actual === expected, { actual, expected });
  }
}

export class Findings {
  readonly claims: Claim[] = [];

  claim(text: string): Claim {
    const claim = new Claim(text);
    this.claims.push(claim);
    return claim;
  }

  get hold(): boolean {
    return this.claims.every(({ broken, checked }) => broken.length === 0 && checked > 0);
  }
}

const described = (facts: unknown): string =>
  typeof facts === 'string'
    ? facts
    : JSON.stringify(facts, (_key, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      );
