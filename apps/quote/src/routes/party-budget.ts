import type { RequestBudget } from '@bascule/venues';

/** A party was not asked: what is being answered has had its requests. */
class BudgetSpentError extends Error {
  override readonly name = 'BudgetSpentError';

  constructor(party: string, requests: number) {
    super(`${party} was not asked: ${requests} requests are spent`);
  }
}

/** Limits the requests to each party's API that one question of a customer may cause. */
export class PartyBudget implements RequestBudget {
  private readonly made = new Map<string, number>();

  constructor(private readonly requestsPerParty: number) {}

  /** Counts a request before it is made. @throws where the party has had all of its requests */
  spend(party: string): void {
    const made = this.made.get(party) ?? 0;
    if (made >= this.requestsPerParty) throw new BudgetSpentError(party, this.requestsPerParty);
    this.made.set(party, made + 1);
  }
}
