import type { GivenAmount } from '../routes/amount-issue.js';
import type { TokenAmount } from '../routes/quoted-route.js';

/** Leg of which the fees leave nothing, or less than any venue converts. */
export class TooLittleFailure extends Error {
  override readonly name = 'TooLittleFailure';

  constructor(
    readonly chain: string,
    /** Amount that the customer gives. */
    readonly input: GivenAmount,
    /** Amount that reaches the leg. */
    readonly legInput: TokenAmount,
    /** Amount that the fees leave; zero or less where they take everything. */
    readonly rest: bigint,
  ) {
    super(`The fees on ${chain} leave too little of ${legInput.units} ${legInput.asset}.`);
  }
}
